// The conversion reports why a pinned plan does not fit at the operation with
// the plan, and does not fall back to another lowering. There is a case for each
// kind of operation. unittests/Conversion/refused-plans.txt has all reasons.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics
// RUN: not pool-opt %s --convert-pool-to-vector=vector-bits=128 --split-input-file -o /dev/null 2>&1 | FileCheck %s

// The number of lanes depends on the machine.
// CHECK: :[[#@LINE+4]]:8: error: 'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 32, must be a power of two up to 4

func.func @window(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 32, must be a power of two up to 16}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 32>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @window_on_buffers(%x: memref<1x32x32xf32, strided<[2048, 64, 2]>>, %out: memref<1x32x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: direct: the elements of a buffer's last dimension are not consecutive}}
  pool.window_reduce <max> ins(%x : memref<1x32x32xf32, strided<[2048, 64, 2]>>)
      outs(%out : memref<1x32x30xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
      pads_end [0] layout <channels_first> {pool.plan = #pool.plan<"direct", lanes = 4>}
  return
}

// -----

func.func @adaptive(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-channels: it is for buffers with the channels last}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-channels", vectors = 4>}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

// Ordinary pooling takes over the plan.

func.func @adaptive_of_regular_windows(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: no strategy for this operation is named adaptive-planes, only global, planes,}}
  %0 = pool.adaptive_avg_pool %x output_size [7, 7] {pool.plan = #pool.plan<"adaptive-planes", row = "plane">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x7x7xf32>
  return
}

// -----

func.func @scatter(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: 9 of dimension 2 is no multiple of 4}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x9x8xf32>
  return
}

// -----

func.func @gradient_of_a_maximum(%x: tensor<2x3x9x9xf32>, %g: tensor<2x3x4x4xf32>, %i: tensor<2x3x4x4xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: separable: it is given indices}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2] axis 2 {pool.plan = #pool.plan<"separable">}
     : tensor<2x3x9x9xf32>, tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64> -> tensor<2x3x9x9xf32>
  return
}

// -----

func.func @gradient_of_an_average(%g: tensor<1x2x32x16xf32>) {
  // expected-error@+1 {{'pool.avg_pool_grad' op cannot be lowered by pool.plan: window-sums: windows move by more than one element in spatial dimension 1}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] strides [1, 2] {pool.plan = #pool.plan<"window-sums">} : tensor<1x2x32x16xf32> -> tensor<1x2x34x33xf32>
  return
}
