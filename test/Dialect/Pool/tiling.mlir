// RUN: pool-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// Upstream's transform ops must be able to tile pooling and to fuse it into its
// consumers. A tile must read its part of the input with a halo, and have its
// own pads.

// The loops go over the output. A tile reads its part of the input with a halo,
// and has its own pads.
// CHECK-LABEL: func.func @max
// CHECK-SAME: %[[X:.*]]: tensor<1x8x32x32xf32>
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK-DAG: %[[BEGIN:.*]] = affine.max #{{.*}}()[%[[ROW]]]
// CHECK-DAG: %[[END:.*]] = affine.max #{{.*}}()[%[[ROW]]]
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 0, %{{.*}}, 0] [1, 8, %{{.*}}, 32] [1, 1, 1, 1]
// CHECK: pool.window_reduce <max> ins(%[[SLICE]] : {{.*}}) {{.*}} kernel [3, 3] {{.*}} pads_begin [%{{.*}}, 1] pads_end [%{{.*}}, 1]
// CHECK: tensor.insert_slice
func.func @max(%x: tensor<1x8x32x32xf32>) -> tensor<1x8x32x32xf32> {
  %0 = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x8x32x32xf32> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Without padding, slices have static sizes, and tiles have no pads.
// CHECK-LABEL: func.func @no_padding
// CHECK: scf.forall (%[[C:.*]], %[[R:.*]]) in (4, 4)
// CHECK: tensor.extract_slice {{.*}} [1, 2, 9, 33] [1, 1, 1, 1]
// CHECK: pool.window_reduce <sum> {{.*}} outs({{.*}} : tensor<1x2x4x16xf32>) {{.*}} pads_begin [0, 0] pads_end [0, 0]
// CHECK: linalg.generic
// CHECK: scf.forall.in_parallel
func.func @no_padding(%x: tensor<1x8x33x33xf32>) -> tensor<1x8x16x16xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] strides [2, 2]
    : tensor<1x8x33x33xf32> -> tensor<1x8x16x16xf32>
  return %0 : tensor<1x8x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.avg_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The pooling is fused into the loops of its elementwise consumer. So no buffer
// for the whole pooled result is needed.
// CHECK-LABEL: func.func @fused_producer
// CHECK-NOT: pool.lp_pool
// CHECK: scf.for
// CHECK: pool.window_reduce <power_sum>
// CHECK: math.sqrt
// CHECK: linalg.negf
// CHECK: scf.yield
func.func @fused_producer(%x: tensor<1x8x32x32xf32>) -> tensor<1x8x31x31xf32> {
  %0 = pool.lp_pool %x kernel [2, 2] : tensor<1x8x32x32xf32> -> tensor<1x8x31x31xf32>
  %1 = tensor.empty() : tensor<1x8x31x31xf32>
  %2 = linalg.negf ins(%0 : tensor<1x8x31x31xf32>) outs(%1 : tensor<1x8x31x31xf32>) -> tensor<1x8x31x31xf32>
  return %2 : tensor<1x8x31x31xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// In a tile of window_reduce, positions are those of the whole operation.
// CHECK-LABEL: func.func @positions
// CHECK: scf.for
// CHECK: %[[BASE:.*]] = affine.apply
// CHECK: pool.window_reduce <max> {{.*}} positions [%[[BASE]], 9, 1]
func.func @positions(%x: tensor<1x4x9x9xf32>, %out: tensor<1x4x8x8xf32>, %pos: tensor<1x4x8x8xi64>)
    -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xi64>) {
  %0:2 = pool.window_reduce <max> ins(%x : tensor<1x4x9x9xf32>)
    outs(%out, %pos : tensor<1x4x8x8xf32>, tensor<1x4x8x8xi64>)
    kernel [2, 2] strides [1, 1] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
    positions [0, 9, 1] -> tensor<1x4x8x8xf32>, tensor<1x4x8x8xi64>
  return %0#0, %0#1 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xi64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.window_reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The halo: 8 windows of 3 rows with stride 2 read 17 rows, from row 2 * 8 * i
// on, and no more.
// CHECK: #[[$FIRST:.+]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-LABEL: func.func @halo
// CHECK-SAME: %[[X:.*]]: tensor<1x8x33x33xf32>
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK: %[[OFFSET:.*]] = affine.apply #[[$FIRST]]()[%[[ROW]]]
// CHECK: tensor.extract_slice %[[X]][0, 0, %[[OFFSET]], 0] [1, 8, 17, 33] [1, 1, 1, 1]
// CHECK: pool.window_reduce <max>
func.func @halo(%x: tensor<1x8x33x33xf32>) -> tensor<1x8x16x16xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2]
    : tensor<1x8x33x33xf32> -> tensor<1x8x16x16xf32>
  return %0 : tensor<1x8x16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Values and indices are tiled together. A tile's indices are those of the
// whole operation.
// CHECK-LABEL: func.func @indices
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 4) shared_outs(%{{.*}}, %{{.*}})
// CHECK: pool.window_reduce <max> {{.*}} positions [%{{.*}}, 17, 1]
// CHECK: linalg.generic
// CHECK: tensor.parallel_insert_slice {{.*}} into tensor<1x8x16x16xf32>
// CHECK: tensor.parallel_insert_slice {{.*}} into tensor<1x8x16x16xi32>
func.func @indices(%x: tensor<1x8x17x17xf32>)
    -> (tensor<1x8x16x16xf32>, tensor<1x8x16x16xi32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2]
    : tensor<1x8x17x17xf32> -> tensor<1x8x16x16xf32>, tensor<1x8x16x16xi32>
  return %0, %1 : tensor<1x8x16x16xf32>, tensor<1x8x16x16xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// An average is fused into the loop over tiles of its consumer.
// CHECK-LABEL: func.func @fused_into_forall
// CHECK-NOT: pool.avg_pool
// CHECK: scf.forall
// CHECK: pool.window_reduce <sum>
// CHECK: linalg.generic
// CHECK: linalg.exp
// CHECK: scf.forall.in_parallel
func.func @fused_into_forall(%x: tensor<1x8x32x32xf32>) -> tensor<1x8x31x31xf32> {
  %0 = pool.avg_pool %x kernel [2, 2] : tensor<1x8x32x32xf32> -> tensor<1x8x31x31xf32>
  %1 = tensor.empty() : tensor<1x8x31x31xf32>
  %2 = linalg.exp ins(%0 : tensor<1x8x31x31xf32>) outs(%1 : tensor<1x8x31x31xf32>) -> tensor<1x8x31x31xf32>
  return %2 : tensor<1x8x31x31xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %consumer = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %pool = transform.structured.match ops{["pool.avg_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %consumer tile_sizes [0, 2, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %pool into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The operation tells upstream which slices of the input a tile reads. So
// upstream fuses the input's producer, and each tile computes its own halo.
// CHECK-LABEL: func.func @fuses_its_producer
// CHECK: scf.for
// CHECK: %[[TILE:.*]] = linalg.exp ins(%{{.*}} : tensor<1x8x9x33xf32>)
// CHECK: pool.window_reduce <sum> ins(%[[TILE]] : tensor<1x8x9x33xf32>)
// CHECK: scf.yield
func.func @fuses_its_producer(%x: tensor<1x8x33x33xf32>) -> tensor<1x8x32x32xf32> {
  %0 = tensor.empty() : tensor<1x8x33x33xf32>
  %1 = linalg.exp ins(%x : tensor<1x8x33x33xf32>) outs(%0 : tensor<1x8x33x33xf32>) -> tensor<1x8x33x33xf32>
  %2 = pool.avg_pool %1 kernel [2, 2] : tensor<1x8x33x33xf32> -> tensor<1x8x32x32xf32>
  return %2 : tensor<1x8x32x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.avg_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @tile(
// CHECK:         scf.for %[[ROW:.+]] =
// CHECK:           %[[SLICE:.+]] = tensor.extract_slice %{{.+}}[0, 0, %{{.+}}, 0]
// CHECK:           pool.window_reduce <min> ins(%[[SLICE]] : {{.+}}) {{.+}} pads_begin [%{{.+}}, 1] pads_end [%{{.+}}, 1]
// CHECK:           tensor.insert_slice
func.func @tile(%x: tensor<1x8x32x32xf32>) -> tensor<1x8x32x32xf32> {
  %0 = pool.min_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x8x32x32xf32> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.min_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The last of five threads has an empty tile. It reads the slice of the last
// window, so that its pads are not negative.
// CHECK: #[[$SIZE:.+]] = affine_map<(d0) -> (d0 * -2 + 8, 2)>
// CHECK: #[[$NONE:.+]] = affine_map<(d0) -> (0, d0)>
// CHECK: #[[$LAST:.+]] = affine_map<(d0) -> (7, d0 * 2)>
// CHECK: #[[$ONE:.+]] = affine_map<(d0) -> (0, 1, d0)>
// CHECK-LABEL: func.func @more_threads_than_tiles
// CHECK: scf.forall (%[[THREAD:.*]]) in (5)
// CHECK-DAG: %[[MIN:.*]] = affine.min #[[$SIZE]](%[[THREAD]])
// CHECK-DAG: %[[SIZE:.*]] = affine.max #[[$NONE]](%[[MIN]])
// CHECK-DAG: affine.min #[[$LAST]](%[[THREAD]])
// CHECK-DAG: affine.max #[[$ONE]](%[[MIN]])
// CHECK: tensor.empty(%[[SIZE]])
func.func @more_threads_than_tiles(%x: tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  %0 = pool.max_pool %x kernel [1] strides [5] auto_pad same_upper
    : tensor<1x1x8xf32> -> tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op num_threads [0, 0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
