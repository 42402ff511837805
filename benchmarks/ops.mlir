// Functions with one operation each, to measure the cost of compiling the
// operation. benchmarks/run.py costs measures these functions and the workloads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

func.func @max_pool(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

func.func @max_pool_propagate(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    nan_mode propagate
    : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

func.func @max_pool_indices(%x: tensor<1x64x112x112xf32>)
    -> (tensor<1x64x56x56xf32>, tensor<1x64x56x56xi64>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] strides [2, 2]
    : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>, tensor<1x64x56x56xi64>
  return %0, %1 : tensor<1x64x56x56xf32>, tensor<1x64x56x56xi64>
}

func.func @max_pool_dynamic(%x: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    : tensor<?x3x?x?xf32> -> tensor<?x3x?x?xf32>
  return %0 : tensor<?x3x?x?xf32>
}

func.func @max_pool_3d(%x: tensor<1x16x16x28x28xf32>) -> tensor<1x16x8x14x14xf32> {
  %0 = pool.max_pool %x kernel [2, 2, 2] strides [2, 2, 2]
    : tensor<1x16x16x28x28xf32> -> tensor<1x16x8x14x14xf32>
  return %0 : tensor<1x16x8x14x14xf32>
}

func.func @avg_pool(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x64x56x56xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

func.func @avg_pool_integer(%x: tensor<1x64x56x56xi8>) -> tensor<1x64x28x28xi8> {
  %0 = pool.avg_pool %x kernel [2, 2] strides [2, 2] integer_rounding half_up
    : tensor<1x64x56x56xi8> -> tensor<1x64x28x28xi8>
  return %0 : tensor<1x64x28x28xi8>
}

func.func @lp_pool(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x28x28xf32> {
  %0 = pool.lp_pool %x kernel [2, 2] strides [2, 2]
    : tensor<1x64x56x56xf32> -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

func.func @adaptive_avg_pool(%x: tensor<1x256x13x13xf32>) -> tensor<1x256x6x6xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [6, 6]
    : tensor<1x256x13x13xf32> -> tensor<1x256x6x6xf32>
  return %0 : tensor<1x256x6x6xf32>
}

func.func @adaptive_max_pool(%x: tensor<1x256x13x13xf32>)
    -> (tensor<1x256x6x6xf32>, tensor<1x256x6x6xi64>) {
  %0, %1 = pool.adaptive_max_pool %x output_size [6, 6]
    : tensor<1x256x13x13xf32> -> tensor<1x256x6x6xf32>, tensor<1x256x6x6xi64>
  return %0, %1 : tensor<1x256x6x6xf32>, tensor<1x256x6x6xi64>
}

func.func @max_unpool(%v: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>)
    -> tensor<1x8x32x32xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

func.func @avg_pool_grad(%g: tensor<1x64x17x17xf32>) -> tensor<1x64x17x17xf32> {
  %0 = pool.avg_pool_grad %g kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x64x17x17xf32> -> tensor<1x64x17x17xf32>
  return %0 : tensor<1x64x17x17xf32>
}

func.func @max_pool_grad(%x: tensor<1x64x56x56xf32>, %g: tensor<1x64x28x28xf32>)
    -> tensor<1x64x56x56xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2] pads_begin [1, 1]
    pads_end [1, 1]
    : tensor<1x64x56x56xf32>, tensor<1x64x28x28xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}
