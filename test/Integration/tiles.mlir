// Pooling that upstream's transforms cut into tiles. On the vector path, the
// tiles must give the results of the whole operation on path=linalg. Sums are
// of integers, which do not round.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_paths.py %s %t %src_root/test/Conversion/PoolToVector/Inputs/tile.mlir channels channels_and_rows remainders parallel threads

func.func @indices(%x: tensor<1x20x30x33xf32>) -> (tensor<1x20x15x17xf32>, tensor<1x20x15x17xi64>) {
  %0, %1 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x20x30x33xf32> -> tensor<1x20x15x17xf32>, tensor<1x20x15x17xi64>
  return %0, %1 : tensor<1x20x15x17xf32>, tensor<1x20x15x17xi64>
}
func.func @halves(%x: tensor<1x20x30x33xf16>) -> tensor<1x20x30x33xf16> {
  %0 = pool.max_pool %x kernel [5, 5] pads_begin [2, 2] pads_end [2, 2]
    : tensor<1x20x30x33xf16> -> tensor<1x20x30x33xf16>
  return %0 : tensor<1x20x30x33xf16>
}
func.func @bytes(%x: tensor<2x20x30x33xi8>) -> tensor<2x20x28x33xi8> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [0, 1] pads_end [0, 1]
    : tensor<2x20x30x33xi8> -> tensor<2x20x28x33xi8>
  return %0 : tensor<2x20x28x33xi8>
}
func.func @large(%x: tensor<1x18x60x70xf32>) -> tensor<1x18x60x70xf32> {
  %0 = pool.max_pool %x kernel [31, 31] pads_begin [15, 15] pads_end [15, 15]
    : tensor<1x18x60x70xf32> -> tensor<1x18x60x70xf32>
  return %0 : tensor<1x18x60x70xf32>
}
func.func @channels_last(%x: tensor<1x30x33x20xf32>) -> tensor<1x15x16x20xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 0] pads_end [1, 0] layout channels_last
    : tensor<1x30x33x20xf32> -> tensor<1x15x16x20xf32>
  return %0 : tensor<1x15x16x20xf32>
}
func.func @volumes(%x: tensor<1x17x6x7x40xi32>) -> tensor<1x17x5x7x40xi32> {
  %0 = pool.max_pool %x kernel [2, 3, 3] pads_begin [0, 1, 1] pads_end [0, 1, 1]
    : tensor<1x17x6x7x40xi32> -> tensor<1x17x5x7x40xi32>
  return %0 : tensor<1x17x5x7x40xi32>
}
func.func @lines(%x: tensor<2x20x50xf32>) -> tensor<2x20x25xf32> {
  %0 = pool.max_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
    : tensor<2x20x50xf32> -> tensor<2x20x25xf32>
  return %0 : tensor<2x20x25xf32>
}
func.func @unknown(%x: tensor<2x20x30x33xf32>) -> tensor<2x20x?x?xf32> {
  %u = tensor.cast %x : tensor<2x20x30x33xf32> to tensor<2x20x?x?xf32>
  %0 = pool.max_pool %u kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    : tensor<2x20x?x?xf32> -> tensor<2x20x?x?xf32>
  return %0 : tensor<2x20x?x?xf32>
}
func.func @adaptive(%x: tensor<1x20x30x33xf32>) -> tensor<1x20x7x9xf32> {
  %0 = pool.adaptive_max_pool %x output_size [7, 9] : tensor<1x20x30x33xf32> -> tensor<1x20x7x9xf32>
  return %0 : tensor<1x20x7x9xf32>
}
