// convert-stablehlo-to-pool with an unknown batch, as jax.export writes it.
// Operands give the extents to which constants and counts are broadcast. The
// averages must still be recognised.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   --remarks-filter=convert-stablehlo-to-pool -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @counts(
// CHECK-NEXT:    %[[Y:.+]] = pool.avg_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [1] : tensor<?x3x8xf32> -> tensor<?x3x4xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @counts(%x: tensor<?x3x8xf32>, %s: tensor<3xi32>) -> tensor<?x3x4xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %ones = "stablehlo.broadcast_in_dim"(%one) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1x8xf32>
  %n = "stablehlo.reduce_window"(%ones, %c) <{padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<1x1x4xf32>
  %d = "stablehlo.dynamic_broadcast_in_dim"(%n, %s) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xf32>, tensor<3xi32>) -> tensor<?x3x4xf32>
  %w = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<?x3x8xf32>, tensor<f32>) -> tensor<?x3x4xf32>
  %0 = "stablehlo.divide"(%w, %d) : (tensor<?x3x4xf32>, tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  return %0 : tensor<?x3x4xf32>
}

// CHECK-LABEL: func @mean(
// CHECK-NEXT:    %[[Y:.+]] = pool.avg_pool %{{.+}} kernel [8, 6] layout channels_last : tensor<?x8x6x3xf32> -> tensor<?x1x1x3xf32>
// CHECK-NEXT:    %[[Z:.+]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2, 3]] : tensor<?x1x1x3xf32> into tensor<?x3xf32>
// CHECK-NEXT:    return %[[Z]]
func.func @mean(%x: tensor<?x8x6x3xf32>, %e: tensor<2xi32>) -> tensor<?x3xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.constant"() <{value = dense<48.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.dynamic_broadcast_in_dim"(%n, %e) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
  %s = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<?x8x6x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %0 = "stablehlo.divide"(%s, %d) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func @gradient(
// CHECK-SAME:      %[[G:[^:]+]]: tensor<?x3x4xf32>
// CHECK:         %[[N:.+]] = tensor.dim %[[G]], %{{.+}} : tensor<?x3x4xf32>
// CHECK:         pool.avg_pool_grad %[[G]] extents(%[[N]]) kernel [2] strides [2] : tensor<?x3x4xf32> -> tensor<?x3x8xf32>
func.func @gradient(%g: tensor<?x3x4xf32>, %s: tensor<3xi32>) -> tensor<?x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %two = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %d = "stablehlo.dynamic_broadcast_in_dim"(%two, %s) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x3x4xf32>
  %q = "stablehlo.divide"(%g, %d) : (tensor<?x3x4xf32>, tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %p = "stablehlo.pad"(%q, %c) <{edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 1>, interior_padding = array<i64: 0, 0, 1>}> : (tensor<?x3x4xf32>, tensor<f32>) -> tensor<?x3x9xf32>
  %0 = "stablehlo.reduce_window"(%p, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<?x3x9xf32>, tensor<f32>) -> tensor<?x3x8xf32>
  return %0 : tensor<?x3x8xf32>
}

// A pad of width 0 is removed. The slice with which JAX undoes the pad stays.

// CHECK-LABEL: func @extremum(
// CHECK-SAME:      %[[X:[^:]+]]: tensor<?x3x8xf32>
// CHECK-NOT:     "stablehlo.pad"
// CHECK:         pool.max_pool_grad %[[X]], %{{.+}} kernel [2] strides [2]
// CHECK:         "stablehlo.real_dynamic_slice"
func.func @extremum(%x: tensor<?x3x8xf32>, %g: tensor<?x3x4xf32>, %b: tensor<3xi32>, %e: tensor<3xi32>, %s: tensor<3xi32>) -> tensor<?x3x8xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %i = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.pad"(%x, %i) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<?x3x8xf32>, tensor<f32>) -> tensor<?x3x8xf32>
  %d = "stablehlo.select_and_scatter"(%p, %g, %c) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %o = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%o) : (tensor<i1>) -> ()
  }, {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %o = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%o) : (tensor<f32>) -> ()
  }) : (tensor<?x3x8xf32>, tensor<?x3x4xf32>, tensor<f32>) -> tensor<?x3x8xf32>
  %0 = "stablehlo.real_dynamic_slice"(%d, %b, %e, %s) : (tensor<?x3x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x3x8xf32>
  return %0 : tensor<?x3x8xf32>
}

// REMARK: Reason="it dilates its input, and the extent of dimension 2 is unknown"
// CHECK-LABEL: func @unknown_windows(
// CHECK:         "stablehlo.reduce_window"
func.func @unknown_windows(%g: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%g, %c) <{base_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<?x3x?xf32>
  return %0 : tensor<?x3x?xf32>
}
