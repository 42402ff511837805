// RUN: pool-opt %s --transform-interpreter --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// Upstream's transform ops must be able to tile max_unpool and the gradients.
// Several windows may add to an element, so a tile must get the gradients of
// all windows that reach it.

// Several windows contribute to a tile of 8 rows. The gradient of these windows
// is computed for all rows that they cover, which begin at a multiple of the
// stride. Then the tile's rows are cut out. The attributes stay.
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<()[s0] -> (s0 floordiv 2 - 1, 0)>
// CHECK-DAG: #[[$DROPPED:.+]] = affine_map<()[s0] -> ((-s0) floordiv 2 + 27, 0)>
// CHECK-DAG: #[[$NUM_ROWS:.+]] = affine_map<()[s0, s1] -> (s0 * -2 - s1 * 2 + 64)>
// CHECK-DAG: #[[$NUM_WINDOWS:.+]] = affine_map<()[s0, s1] -> (-s0 - s1 + 32)>
// CHECK-DAG: #[[$WITHIN:.+]] = affine_map<()[s0, s1] -> (s0 - s1 * 2)>
// CHECK-LABEL: func.func @average
// CHECK-SAME: %[[G:.*]]: tensor<1x8x32x32xf32>
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK-DAG: %[[DROPPED:.*]] = affine.max #[[$DROPPED]]()[%[[TILE]]]
// CHECK-DAG: %[[FIRST:.*]] = affine.max #[[$FIRST]]()[%[[TILE]]]
// CHECK-DAG: %[[NUM_ROWS:.*]] = affine.apply #[[$NUM_ROWS]]()[%[[FIRST]], %[[DROPPED]]]
// CHECK-DAG: %[[NUM_WINDOWS:.*]] = affine.apply #[[$NUM_WINDOWS]]()[%[[FIRST]], %[[DROPPED]]]
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[G]][0, 0, %[[FIRST]], 0] [1, 8, %[[NUM_WINDOWS]], 32] [1, 1, 1, 1]
// CHECK: %[[PART:.*]] = pool.avg_pool_grad %[[SLICE]] extents(%[[NUM_ROWS]]) kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] divisor padded
// CHECK-SAME: : tensor<1x8x?x32xf32> -> tensor<1x8x?x64xf32>
// CHECK: %[[WITHIN:.*]] = affine.apply #[[$WITHIN]]()[%[[TILE]], %[[FIRST]]]
// CHECK: tensor.extract_slice %[[PART]][0, 0, %[[WITHIN]], 0] [1, 8, 8, 64] [1, 1, 1, 1]
// CHECK: tensor.insert_slice
func.func @average(%g: tensor<1x8x32x32xf32>) -> tensor<1x8x64x64xf32> {
  %0 = pool.avg_pool_grad %g kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    divisor padded : tensor<1x8x32x32xf32> -> tensor<1x8x64x64xf32>
  return %0 : tensor<1x8x64x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.avg_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The input is sliced like the result. The gradient of the output is sliced to
// the windows that the tile needs. Extents and the number of windows are
// unknown. Columns stay whole.
// CHECK-LABEL: func.func @maximum
// CHECK-SAME: %[[X:.*]]: tensor<?x3x?x?xf16>, %[[G:.*]]: tensor<?x3x?x?xf16>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[XS:.*]] = tensor.extract_slice %[[X]][%[[N:.*]], 0, %[[ROW:.*]], 0] [1, 3, %{{.*}}, %{{.*}}] [1, 1, 1, 1]
// CHECK: %[[GS:.*]] = tensor.extract_slice %[[G]][%[[N]], 0, %[[WINDOW:.*]], 0] [1, 3, %{{.*}}, %{{.*}}] [1, 1, 1, 1]
// CHECK: %[[PART:.*]] = pool.max_pool_grad %[[XS]], %[[GS]] kernel [2, 3] strides [3, 2] dilations [4, 1] rounding_type ceil
// CHECK-SAME: : tensor<1x3x?x?xf16>, tensor<1x3x?x?xf16> -> tensor<1x3x?x?xf16>
// CHECK: tensor.extract_slice %[[PART]][0, 0, %{{.*}}, 0] [1, 3, %{{.*}}, %{{.*}}] [1, 1, 1, 1]
func.func @maximum(%x: tensor<?x3x?x?xf16>, %g: tensor<?x3x?x?xf16>) -> tensor<?x3x?x?xf16> {
  %0 = pool.max_pool_grad %x, %g kernel [2, 3] strides [3, 2] dilations [4, 1] rounding_type ceil
    : tensor<?x3x?x?xf16>, tensor<?x3x?x?xf16> -> tensor<?x3x?x?xf16>
  return %0 : tensor<?x3x?x?xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop:2 = transform.structured.tile_using_for %op tile_sizes [1, 0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// With indices, a tile has whole planes. So the tile's result is used as it is,
// without a slice.
// CHECK-LABEL: func.func @indexed_minimum
// CHECK-SAME: %[[X:.*]]: tensor<1x64x?x?xf32>, %[[G:.*]]: tensor<1x64x?x?xf32>, %[[I:.*]]: tensor<1x64x?x?xi32>
// CHECK: scf.forall (%[[C:.*]]) in (4)
// CHECK: tensor.extract_slice %[[X]][0, %[[CHANNEL:.*]], 0, 0] [1, 16,
// CHECK: tensor.extract_slice %[[G]][0, %[[CHANNEL]], 0, 0] [1, 16,
// CHECK: tensor.extract_slice %[[I]][0, %[[CHANNEL]], 0, 0] [1, 16,
// CHECK: pool.min_pool_grad {{.*}} auto_pad same_upper same_output strided axis 2
// CHECK-SAME: -> tensor<1x16x?x?xf32>
// CHECK-NOT: tensor.extract_slice
// CHECK: scf.forall.in_parallel
func.func @indexed_minimum(%x: tensor<1x64x?x?xf32>, %g: tensor<1x64x?x?xf32>, %i: tensor<1x64x?x?xi32>)
    -> tensor<1x64x?x?xf32> {
  %0 = pool.min_pool_grad %x, %g, %i kernel [2, 2] strides [2, 2] auto_pad same_upper same_output strided axis 2
    : tensor<1x64x?x?xf32>, tensor<1x64x?x?xf32>, tensor<1x64x?x?xi32> -> tensor<1x64x?x?xf32>
  return %0 : tensor<1x64x?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.min_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @unpool
// CHECK-SAME: %[[V:.*]]: tensor<2x?x16x16xui8>, %[[I:.*]]: tensor<2x?x16x16xi64>, %[[C:.*]]: index, %[[H:.*]]: index
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[VS:.*]] = tensor.extract_slice %[[V]][%[[N:.*]], %[[CHANNEL:.*]], 0, 0] [1, %[[SIZE:.*]], 16, 16] [1, 1, 1, 1]
// CHECK: %[[IS:.*]] = tensor.extract_slice %[[I]][%[[N]], %[[CHANNEL]], 0, 0] [1, %[[SIZE]], 16, 16] [1, 1, 1, 1]
// CHECK: pool.max_unpool %[[VS]], %[[IS]] extents(%[[SIZE]], %[[H]]) axis 2
// CHECK-SAME: -> tensor<1x?x?x32xui8>
// CHECK: tensor.insert_slice
func.func @unpool(%v: tensor<2x?x16x16xui8>, %i: tensor<2x?x16x16xi64>, %c: index, %h: index)
    -> tensor<2x?x?x32xui8> {
  %0 = pool.max_unpool %v, %i extents(%c, %h) axis -2
    : tensor<2x?x16x16xui8>, tensor<2x?x16x16xi64> -> tensor<2x?x?x32xui8>
  return %0 : tensor<2x?x?x32xui8>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_unpool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop:2 = transform.structured.tile_using_for %op tile_sizes [1, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The tile size is the number of rows, so rows stay uncut. Automatic pads of
// known extents become explicit.
// CHECK-LABEL: func.func @columns
// CHECK-SAME: %[[G:.*]]: tensor<2x3x8x10xf32>
// CHECK: tensor.extract_slice %[[G]][0, 0, 0, %{{.*}}] [2, 3, 8, %{{.*}}] [1, 1, 1, 1]
// CHECK: pool.avg_pool_grad {{.*}} kernel [2, 4] pads_begin [0, 1] pads_end [1, 2]
// CHECK-NOT: auto_pad
// CHECK-SAME: -> tensor<2x3x8x?xf32>
// CHECK: tensor.extract_slice {{.*}}[0, 0, 0, %{{.*}}] [2, 3, 8, 5] [1, 1, 1, 1]
func.func @columns(%g: tensor<2x3x8x10xf32>) -> tensor<2x3x8x10xf32> {
  %0 = pool.avg_pool_grad %g kernel [2, 4] auto_pad same_upper
    : tensor<2x3x8x10xf32> -> tensor<2x3x8x10xf32>
  return %0 : tensor<2x3x8x10xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.avg_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop:2 = transform.structured.tile_using_for %op tile_sizes [0, 0, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A gradient is fused into its consumer's loop, and its own producer is fused
// into the gradient's tiles.
// CHECK-LABEL: func.func @fused
// CHECK-NOT: pool.
// CHECK: scf.for
// CHECK: %[[G:.*]] = linalg.exp ins({{.*}} : tensor<1x1x?x8xf32>)
// CHECK: pool.avg_pool_grad %[[G]]
// CHECK: linalg.negf {{.*}} tensor<1x1x4x16xf32>
// CHECK: scf.yield
// CHECK-NOT: pool.
func.func @fused(%g: tensor<1x1x8x8xf32>) -> tensor<1x1x16x16xf32> {
  %0 = tensor.empty() : tensor<1x1x8x8xf32>
  %1 = linalg.exp ins(%g : tensor<1x1x8x8xf32>) outs(%0 : tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  %2 = pool.avg_pool_grad %1 kernel [2, 2] strides [2, 2] : tensor<1x1x8x8xf32> -> tensor<1x1x16x16xf32>
  %3 = tensor.empty() : tensor<1x1x16x16xf32>
  %4 = linalg.negf ins(%2 : tensor<1x1x16x16xf32>) outs(%3 : tensor<1x1x16x16xf32>) -> tensor<1x1x16x16xf32>
  return %4 : tensor<1x1x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @unpool_plane(%v: tensor<1x8x4x4xf32>, %i: tensor<1x8x4x4xi64>) -> tensor<1x8x8x8xf32> {
  // expected-error @+3 {{'pool.max_unpool' op cannot be tiled in dimension 2: indices name positions over all of the dimensions from axis 2 on}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x8x4x4xf32>, tensor<1x8x4x4xi64> -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_unpool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @indexed_plane(%x: tensor<?x?x?x?xf32>, %g: tensor<?x?x?x?xf32>, %i: tensor<?x?x?x?xi64>)
    -> tensor<?x?x?x?xf32> {
  // expected-error @+3 {{'pool.max_pool_grad' op cannot be tiled in dimension 1: indices name positions over all of the dimensions from axis 1 on}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] axis 1
    : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xi64> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @unknown_pads(%x: tensor<1x8x32x?xf32>, %g: tensor<1x8x16x?xf32>) -> tensor<1x8x32x?xf32> {
  // expected-error @+3 {{'pool.min_pool_grad' op cannot be tiled in dimension 2: the pads of auto_pad same_lower depend on the extent of dimension 3, which is unknown}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = pool.min_pool_grad %x, %g kernel [3, 3] strides [2, 2] auto_pad same_lower same_output strided
    : tensor<1x8x32x?xf32>, tensor<1x8x16x?xf32> -> tensor<1x8x32x?xf32>
  return %0 : tensor<1x8x32x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.min_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @unranked(%g: tensor<*xf32>) -> tensor<1x8x32x32xf32> {
  // expected-error @+3 {{'pool.avg_pool_grad' op cannot be tiled: an operand is unranked}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] : tensor<*xf32> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.avg_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
