// The plans that pool-select-plan writes for adaptive pooling, unpooling and
// gradients. Each strategy has a case in which it is the cheapest, with the
// usual cost weights or with others. convert-pool-to-vector must give the same
// code with and without this pass.

// RUN: pool-opt %s --pool-select-plan --split-input-file | FileCheck %s
// RUN: pool-opt %s --pool-select-plan=vector-bits=128 --split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: pool-opt %s --pool-select-plan=costs=plane-ops:30000,coding-ops:8 --split-input-file \
// RUN:   | FileCheck %s --check-prefix=COSTS
// RUN: pool-opt %s --convert-pool-to-vector --split-input-file > %t.alone
// RUN: pool-opt %s --pool-select-plan --split-input-file -o %t.planned
// RUN: pool-opt %t.planned --convert-pool-to-vector --split-input-file | diff %t.alone -

// Adaptive pooling

// CHECK-LABEL: func.func @adaptive_plane(
// CHECK:         {pool.plan = #pool.plan<"adaptive-planes", row = "plane">}
func.func @adaptive_plane(%x: tensor<1x8x14x14xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @adaptive_register(
// CHECK:         {pool.plan = #pool.plan<"adaptive-planes", row = "register">}
func.func @adaptive_register(%x: tensor<1x8x?x14xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] : tensor<1x8x?x14xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @adaptive_buffer(
// CHECK:         {pool.plan = #pool.plan<"adaptive-planes", row = "buffer">}
func.func @adaptive_buffer(%x: tensor<1x8x?x?xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] : tensor<1x8x?x?xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @adaptive_channels(
// CHECK:         {pool.plan = #pool.plan<"adaptive-channels", vectors = 4>}
func.func @adaptive_channels(%x: tensor<1x14x14x64xf32>) -> tensor<1x5x5x64xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] layout channels_last : tensor<1x14x14x64xf32> -> tensor<1x5x5x64xf32>
  return %0 : tensor<1x5x5x64xf32>
}

// -----

// Adaptive pooling with windows of equal size and distance becomes an ordinary
// operation.

// CHECK-LABEL: func.func @adaptive_regular(
// CHECK-NOT:     pool.plan
func.func @adaptive_regular(%x: tensor<1x8x15x15xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] : tensor<1x8x15x15xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// -----

// max_unpool, and gradients of maxima, which write where indices say

// CHECK-LABEL: func.func @blocks(
// CHECK:         {pool.plan = #pool.plan<"blocks">}
func.func @blocks(%x: tensor<1x8x32x32xf32>, %g: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>) -> tensor<1x8x32x32xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] strides [2, 2]
     : tensor<1x8x32x32xf32>, tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

// -----

// CHECK-LABEL: func.func @blocks_stream(
// CHECK:         {pool.plan = #pool.plan<"blocks", stream = true>}
func.func @blocks_stream(%v: tensor<64x64x56x56xf32>, %i: tensor<64x64x56x56xi64>) -> tensor<64x64x112x112xf32> {
  %0 = pool.max_unpool %v, %i axis 2
     : tensor<64x64x56x56xf32>, tensor<64x64x56x56xi64> -> tensor<64x64x112x112xf32>
  return %0 : tensor<64x64x112x112xf32>
}

// -----

// CHECK-LABEL: func.func @slices(
// CHECK:         {pool.plan = #pool.plan<"slices">}
func.func @slices(%x: tensor<1x8x33x33xf32>, %g: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>) -> tensor<1x8x33x33xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2]
     : tensor<1x8x33x33xf32>, tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x33x33xf32>
  return %0 : tensor<1x8x33x33xf32>
}

// -----

// Overlapping windows with few elements on a machine with many lanes. Indices
// count over the whole tensor here, so a slice is not a plane.

// CHECK-LABEL: func.func @windows(
// CHECK:         {pool.plan = #pool.plan<"gather">}
// FOUR-LABEL:  func.func @windows(
// FOUR:          {pool.plan = #pool.plan<"slices">}
func.func @windows(%x: tensor<?x8x64x64xf32>, %g: tensor<?x8x32x32xf32>, %i: tensor<?x8x32x32xi64>) -> tensor<?x8x64x64xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<?x8x64x64xf32>, tensor<?x8x32x32xf32>, tensor<?x8x32x32xi64> -> tensor<?x8x64x64xf32>
  return %0 : tensor<?x8x64x64xf32>
}

// -----

// Recomputed indices count within a plane. Windows over a single row have no
// blocks; windows over planes have blocks, even if the batch is unknown.

// CHECK-LABEL: func.func @recomputed_in_rows(
// CHECK:         {pool.plan = #pool.plan<"slices">}
func.func @recomputed_in_rows(%x: tensor<3x2x30xf16>, %g: tensor<3x2x10xf16>) -> tensor<3x2x30xf16> {
  %0 = pool.max_pool_grad %x, %g kernel [3] strides [3]
     : tensor<3x2x30xf16>, tensor<3x2x10xf16> -> tensor<3x2x30xf16>
  return %0 : tensor<3x2x30xf16>
}

// -----

// CHECK-LABEL: func.func @recomputed_in_planes(
// CHECK:         {pool.plan = #pool.plan<"blocks">}
func.func @recomputed_in_planes(%x: tensor<?x2x30x30xf32>, %g: tensor<?x2x15x15xf32>) -> tensor<?x2x30x30xf32> {
  %0 = pool.min_pool_grad %x, %g kernel [2, 2] strides [2, 2]
     : tensor<?x2x30x30xf32>, tensor<?x2x15x15xf32> -> tensor<?x2x30x30xf32>
  return %0 : tensor<?x2x30x30xf32>
}

// -----

// CHECK-LABEL: func.func @recomputed_overlapping(
// CHECK:         {pool.plan = #pool.plan<"separable">}
// COSTS-LABEL: func.func @recomputed_overlapping(
// COSTS:         {pool.plan = #pool.plan<"slices">}
func.func @recomputed_overlapping(%x: tensor<1x2x63x63xf32>, %g: tensor<1x2x31x31xf32>) -> tensor<1x2x63x63xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2]
     : tensor<1x2x63x63xf32>, tensor<1x2x31x31xf32> -> tensor<1x2x63x63xf32>
  return %0 : tensor<1x2x63x63xf32>
}

// -----

// Gradients of averages

// CHECK-LABEL: func.func @window_sums(
// CHECK:         {pool.plan = #pool.plan<"window-sums">}
func.func @window_sums(%g: tensor<1x8x30x30xf32>) -> tensor<1x8x32x32xf32> {
  %0 = pool.avg_pool_grad %g kernel [3, 3] : tensor<1x8x30x30xf32> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

// -----

// CHECK-LABEL: func.func @strided_gather(
// CHECK:         {pool.plan = #pool.plan<"strided-gather">}
func.func @strided_gather(%g: tensor<1x8x16x16xf32>) -> tensor<1x8x33x33xf32> {
  %0 = pool.avg_pool_grad %g kernel [3, 3] strides [2, 2] : tensor<1x8x16x16xf32> -> tensor<1x8x33x33xf32>
  return %0 : tensor<1x8x33x33xf32>
}
