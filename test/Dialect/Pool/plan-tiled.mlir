// Tiling must drop a plan (`pool.plan`): it was made for the extents of the
// whole operation, and may not fit a tile.

// RUN: pool-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @window(
// CHECK:         scf.for
// CHECK:           pool.window_reduce
// CHECK-NOT:     pool.plan
func.func @window(%x: tensor<1x8x32x32xf32>) -> tensor<1x8x32x32xf32> {
  %0 = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
       {pool.plan = #pool.plan<"direct", lanes = 16>}
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

// CHECK-LABEL: func.func @reduction(
// CHECK:         scf.for
// CHECK:           pool.window_reduce
// CHECK-NOT:     pool.plan
func.func @reduction(%x: tensor<1x8x33xf32>, %out: tensor<1x8x32xf32>) -> tensor<1x8x32xf32> {
  %0 = pool.window_reduce <max> ins(%x : tensor<1x8x33xf32>) outs(%out : tensor<1x8x32xf32>)
      kernel [2] strides [1] dilations [1] pads_begin [0] pads_end [0] layout channels_first
      {note = "kept", pool.plan = #pool.plan<"direct", lanes = 16>}
      -> tensor<1x8x32xf32>
  return %0 : tensor<1x8x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.window_reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @unpool(
// CHECK:         scf.for
// CHECK:           pool.max_unpool
// CHECK-NOT:     pool.plan
func.func @unpool(%v: tensor<1x8x4x4xf32>, %i: tensor<1x8x4x4xi64>) -> tensor<1x8x8x8xf32> {
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x8x4x4xf32>, tensor<1x8x4x4xi64> -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_unpool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @gradient(
// CHECK:         scf.for
// CHECK:           pool.max_pool_grad
// CHECK-NOT:     pool.plan
func.func @gradient(%x: tensor<1x8x4x4xf32>, %g: tensor<1x8x2x2xf32>, %i: tensor<1x8x2x2xi64>)
    -> tensor<1x8x4x4xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] strides [2, 2] axis 2
       {pool.plan = #pool.plan<"slices">}
     : tensor<1x8x4x4xf32>, tensor<1x8x2x2xf32>, tensor<1x8x2x2xi64> -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @average_gradient(
// CHECK:         scf.for
// CHECK-NOT:     pool.plan
func.func @average_gradient(%g: tensor<1x8x30x30xf32>) -> tensor<1x8x32x32xf32> {
  %0 = pool.avg_pool_grad %g kernel [3, 3] {pool.plan = #pool.plan<"window-sums">}
     : tensor<1x8x30x30xf32> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.avg_pool_grad"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @adaptive(
// CHECK:         scf.for
// CHECK-NOT:     pool.plan
func.func @adaptive(%x: tensor<1x8x14x14xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_max_pool %x output_size [5, 5]
       {pool.plan = #pool.plan<"adaptive-planes", row = "buffer">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.adaptive_max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
