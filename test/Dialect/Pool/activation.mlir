// Utils/Activation.h adds a bias and an activation after a pooling, as one
// elementwise op. Upstream's tile-and-fuse must make one loop nest of both, so
// no buffer for the whole pooled result is needed.

// RUN: pool-test-opt %s --test-pool-activation --split-input-file | FileCheck %s
// RUN: pool-test-opt %s --test-pool-activation --transform-interpreter --resolve-ranked-shaped-type-result-dims --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=FUSED
// RUN: pool-test-opt %s --test-pool-activation --transform-interpreter --resolve-ranked-shaped-type-result-dims --canonicalize --cse --pool-decompose --eliminate-empty-tensors --one-shot-bufferize=bufferize-function-boundaries --split-input-file | FileCheck %s --check-prefix=BUFFERS

// CHECK: #[[$ID:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK: #[[$CHANNEL:.+]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: func @stem(
// CHECK:         %[[MAX:.+]] = pool.max_pool
// CHECK:         %[[BIAS:.+]] = arith.constant dense
// CHECK:         %[[Y:.+]] = linalg.generic
// CHECK-SAME:      indexing_maps = [#[[$ID]], #[[$CHANNEL]], #[[$ID]]]
// CHECK-SAME:      ins(%[[MAX]], %[[BIAS]] : tensor<1x4x16x16xf32>, tensor<4xf32>)
// CHECK:           arith.addf
// CHECK:           arith.maximumf
// CHECK:           linalg.yield
// CHECK:         return %[[Y]]
// FUSED-LABEL: func @stem(
// FUSED-NOT:     pool.max_pool
// FUSED:         %[[OUT:.+]] = tensor.empty() : tensor<1x4x16x16xf32>
// FUSED-NOT:     tensor.empty() : tensor<1x4x16x16xf32>
// FUSED:         scf.for {{.+}} iter_args(%{{.+}} = %[[OUT]])
// FUSED:           %[[MAX:.+]] = pool.window_reduce <max> {{.+}} -> tensor<1x1x16x16xf32>
// FUSED:           linalg.generic {{.+}} ins(%[[MAX]], %{{.+}} : tensor<1x1x16x16xf32>, tensor<1xf32>)
// FUSED:           tensor.insert_slice
// FUSED-NOT:     scf.for
// FUSED:         return
// BUFFERS-LABEL: func @stem(
// BUFFERS:         %[[OUT:.+]] = memref.alloc() {{.*}}: memref<1x4x16x16xf32>
// BUFFERS-NOT:     memref.alloc() {{.*}}: memref<1x4x16x16xf32>
// BUFFERS:         return
func.func @stem(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x16x16xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
         {test.activation = "rectified_linear",
          test.bias = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x16x16xf32>
  return %0 : tensor<1x4x16x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %last = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %last tile_sizes [0, 1] {apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// An average with dynamic extents and channels last is tiled in its spatial
// dimensions. The loops of the sum also contain the division by the count and
// the activation.

// FUSED-LABEL: func @average(
// FUSED-NOT:     pool.avg_pool
// FUSED:         scf.for
// FUSED:           scf.for
// FUSED:             %[[SUM:.+]] = pool.window_reduce <sum>
// FUSED:             %[[AVERAGE:.+]] = linalg.generic {{.+}} ins(%[[SUM]]
// FUSED:               arith.divf
// FUSED:             linalg.generic {{.+}} ins(%[[AVERAGE]]
// FUSED:               math.tanh
// FUSED-NOT:     scf.for
// FUSED:         return
func.func @average(%x: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] auto_pad same_upper layout channels_last
         {test.activation = "scaled_tanh", test.alpha = 1.5, test.beta = 0.5}
     : tensor<1x?x?x8xf32> -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %last = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.fuse %last tile_sizes [0, 4, 8] {apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Without bias or activation, no operation is added.

// CHECK-LABEL: func @identity(
// CHECK:         %[[Y:.+]] = pool.lp_pool
// CHECK-NEXT:    return %[[Y]]
func.func @identity(%x: tensor<1x2x5xf16>) -> tensor<1x2x4xf16> {
  %0 = pool.lp_pool %x kernel [2] {test.activation = "identity"}
     : tensor<1x2x5xf16> -> tensor<1x2x4xf16>
  return %0 : tensor<1x2x4xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

// -----

// f16 is computed in f32 from the bias to the end of the softmax, without
// rounding in between.

// CHECK-LABEL: func @softmax(
// CHECK:         %[[BIASED:.+]] = linalg.generic {{.+}} outs(%{{.+}} : tensor<1x2x4xf32>)
// CHECK:           arith.extf
// CHECK:         linalg.generic {{.+}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[BIASED]]
// CHECK:         math.exp
// CHECK:         arith.divf
// CHECK:         arith.truncf %{{.+}} : f32 to f16
func.func @softmax(%x: tensor<1x2x5xf16>) -> tensor<1x2x4xf16> {
  %0 = pool.lp_pool %x kernel [2]
         {test.activation = "softmax", test.bias = dense<1.0> : tensor<2xf16>}
     : tensor<1x2x5xf16> -> tensor<1x2x4xf16>
  return %0 : tensor<1x2x4xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
