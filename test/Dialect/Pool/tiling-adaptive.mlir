// RUN: pool-opt %s --transform-interpreter --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// Upstream's transform ops must be able to tile adaptive pooling and to fuse it
// into its consumers. A tile must compute its part of the whole result.

// A tile reads the rows from the beginning of its first window to the end of
// its last. Windows are computed for the whole input; then the beginning of the
// tile's slice is subtracted.
// CHECK-DAG: #[[$BEGIN:.*]] = affine_map<()[s0] -> ((s0 * 8) floordiv 3)>
// CHECK-LABEL: func.func @average
// CHECK-SAME: %[[X:.*]]: tensor<1x8x32x30xf32>
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK: %[[FROM:.*]] = affine.apply #[[$BEGIN]]()[%[[ROW]]]
// CHECK: %[[ROWS:.*]] = affine.apply #{{.*}}()[%[[ROW]]]
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 0, %[[FROM]], 0] [1, 8, %[[ROWS]], 30] [1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x4x7xf32>)
// CHECK: tensor.extract %[[SLICE]][
// CHECK: arith.divf
// CHECK: tensor.insert_slice
func.func @average(%x: tensor<1x8x32x30xf32>) -> tensor<1x8x12x7xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [12, 7]
    : tensor<1x8x32x30xf32> -> tensor<1x8x12x7xf32>
  return %0 : tensor<1x8x12x7xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.adaptive_avg_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Global pooling over an unknown extent, in parallel over channels. A tile is a
// slice of channels, which a reduction over the slice computes. A tile has
// whole planes, so its indices within the plane are those of the whole
// operation.
// CHECK-LABEL: func.func @global
// CHECK-SAME: %[[X:.*]]: tensor<1x64x?x?xi32>
// CHECK: scf.forall (%[[TILE:.*]]) in (4)
// CHECK: %[[C:.*]] = affine.apply #{{.*}}(%[[TILE]])
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, %[[C]], 0, 0] [1, 16, %{{.*}}, %{{.*}}] [1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[SLICE]] :
// CHECK-NOT: tensor.extract %
// CHECK: scf.forall.in_parallel
func.func @global(%x: tensor<1x64x?x?xi32>) -> (tensor<1x64x1x1xi32>, tensor<1x64x1x1xi64>) {
  %v, %i = pool.adaptive_max_pool %x output_size [1, 1] axis 2
    : tensor<1x64x?x?xi32> -> tensor<1x64x1x1xi32>, tensor<1x64x1x1xi64>
  return %v, %i : tensor<1x64x1x1xi32>, tensor<1x64x1x1xi64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.adaptive_max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The pooling is fused into the loops of its elementwise consumer. So no buffer
// for the whole pooled result is needed.
// CHECK-LABEL: func.func @fused_producer
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x3x3xf32>)
// CHECK: linalg.negf {{.*}} tensor<1x1x3x3xf32>
// CHECK: scf.yield
// CHECK-NOT: linalg.generic
func.func @fused_producer(%x: tensor<1x8x32x32xf32>) -> tensor<1x8x3x3xf32> {
  %0 = pool.adaptive_max_pool %x output_size [3, 3] : tensor<1x8x32x32xf32> -> tensor<1x8x3x3xf32>
  %1 = tensor.empty() : tensor<1x8x3x3xf32>
  %2 = linalg.negf ins(%0 : tensor<1x8x3x3xf32>) outs(%1 : tensor<1x8x3x3xf32>) -> tensor<1x8x3x3xf32>
  return %2 : tensor<1x8x3x3xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
