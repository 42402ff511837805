// convert-stablehlo-to-pool turns stablehlo.reduce_window of a maximum or
// minimum into pooling, with windows in any dimensions. The operations are
// unregistered and in generic form, as JAX prints them.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-stablehlo-to-pool \
// RUN:   | FileCheck %s

// The initial infinity is a broadcast scalar, which the conversion must find.

// CHECK-LABEL: func @max(
// CHECK-NEXT:    %[[Y:.+]] = pool.max_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] layout channels_last nan_mode propagate : tensor<2x8x8x3xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @max(%x: tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32> {
  %i = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %c = "stablehlo.broadcast_in_dim"(%i) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
  return %0 : tensor<2x4x4x3xf32>
}

// Attributes instead of properties, with dense lists, as in older texts.

// CHECK-LABEL: func @min_of_integers(
// CHECK:         pool.min_pool %{{.+}} kernel [3] dilations [2] pads_begin [1] : tensor<2x3x8xi8> -> tensor<2x3x5xi8>
func.func @min_of_integers(%x: tensor<2x3x8xi8>) -> tensor<2x3x5xi8> {
  %c = "stablehlo.constant"() <{value = dense<127> : tensor<i8>}> : () -> tensor<i8>
  %0 = "stablehlo.reduce_window"(%x, %c) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = "stablehlo.minimum"(%b, %a) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%r) : (tensor<i8>) -> ()
  }) {padding = dense<[[0, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dilations = dense<[1, 1, 2]> : tensor<3xi64>, window_dimensions = dense<[1, 1, 3]> : tensor<3xi64>, window_strides = dense<1> : tensor<3xi64>} : (tensor<2x3x8xi8>, tensor<i8>) -> tensor<2x3x5xi8>
  return %0 : tensor<2x3x5xi8>
}

// Unsigned elements are compared as unsigned, and start from zero.

// CHECK-LABEL: func @max_of_unsigned(
// CHECK-NOT:     stablehlo
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<2x3x8xui8> -> tensor<2x3x7xui8>
func.func @max_of_unsigned(%x: tensor<2x3x8xui8>) -> tensor<2x3x7xui8> {
  %c = "stablehlo.constant"() <{value = dense<0> : tensor<ui8>}> : () -> tensor<ui8>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
    "stablehlo.return"(%r) : (tensor<ui8>) -> ()
  }) : (tensor<2x3x8xui8>, tensor<ui8>) -> tensor<2x3x7xui8>
  return %0 : tensor<2x3x7xui8>
}

// A plane without batch and channels, a window in rows only, windows in the
// batch, and a dimension without window between two dimensions with windows.

// CHECK-LABEL: func @plane(
// CHECK:         %[[X:.+]] = tensor.expand_shape %{{.+}} {{\[\[}}0, 1, 2], [3]] output_shape [1, 1, 8, 6]
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [2, 2] nan_mode propagate : tensor<1x1x8x6xf32> -> tensor<1x1x7x5xf32>
// CHECK:         tensor.collapse_shape %[[Y]] {{\[\[}}0, 1, 2], [3]] : tensor<1x1x7x5xf32> into tensor<7x5xf32>
func.func @plane(%x: tensor<8x6xf32>) -> tensor<7x5xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<7x5xf32>
  return %0 : tensor<7x5xf32>
}

// CHECK-LABEL: func @channels_of_a_line(
// CHECK:         pool.max_pool %{{.+}} kernel [2] layout channels_last nan_mode propagate : tensor<1x8x6xf32> -> tensor<1x7x6xf32>
func.func @channels_of_a_line(%x: tensor<8x6xf32>) -> tensor<7x6xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

// CHECK-LABEL: func @around_a_dimension(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 1, 2] layout channels_last nan_mode propagate : tensor<1x9x3x7x5xf32> -> tensor<1x8x3x6x5xf32>
func.func @around_a_dimension(%x: tensor<9x3x7x5xf32>) -> tensor<8x3x6x5xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2, 1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<9x3x7x5xf32>, tensor<f32>) -> tensor<8x3x6x5xf32>
  return %0 : tensor<8x3x6x5xf32>
}

// Unknown extents

// CHECK-LABEL: func @dynamic(
// CHECK:         pool.max_pool %{{.+}} kernel [3, 2] nan_mode propagate : tensor<?x3x?x8xf32> -> tensor<?x3x?x7xf32>
func.func @dynamic(%x: tensor<?x3x?x8xf32>) -> tensor<?x3x?x7xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1, 3, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<?x3x?x8xf32>, tensor<f32>) -> tensor<?x3x?x7xf32>
  return %0 : tensor<?x3x?x7xf32>
}

// If the initial value is no infinity, an elementwise maximum with it follows
// the pooling.

// CHECK-LABEL: func @from_zero(
// CHECK:         %[[C:.+]] = "stablehlo.constant"
// CHECK:         %[[Y:.+]] = pool.max_pool %{{.+}} kernel [3] pads_begin [1] nan_mode propagate
// CHECK:         %[[B:.+]] = "stablehlo.broadcast_in_dim"(%[[C]]) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x7xf32>
// CHECK:         "stablehlo.maximum"(%[[Y]], %[[B]])
func.func @from_zero(%x: tensor<1x3x8xf32>) -> tensor<1x3x7xf32> {
  %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x7xf32>
  return %0 : tensor<1x3x7xf32>
}

// Negative padding becomes a slice that cuts off elements.

// CHECK-LABEL: func @negative_padding(
// CHECK:         %[[X:.+]] = tensor.extract_slice %{{.+}}[0, 0, 2] [1, 3, 6] [1, 1, 1]
// CHECK:         pool.max_pool %[[X]] kernel [3] pads_end [1] nan_mode propagate
func.func @negative_padding(%x: tensor<1x3x8xf32>) -> tensor<1x3x5xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [0, 0], [-2, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x5xf32>
  return %0 : tensor<1x3x5xf32>
}

// A pad precedes the window. It has zeros, a value that is never chosen, or a
// value that may be chosen.

// CHECK-LABEL: func @padded_with_zeros(
// CHECK-NOT:     stablehlo
// CHECK:         pool.max_pool %{{.+}} kernel [2] pads_begin [1] pads_end [1] pad_value zero nan_mode propagate
func.func @padded_with_zeros(%x: tensor<1x3x8xf32>) -> tensor<1x3x9xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 1>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x10xf32>
  %0 = "stablehlo.reduce_window"(%p, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}

// CHECK-LABEL: func @padded_with_infinity(
// CHECK-NOT:     stablehlo
// CHECK:         pool.max_pool %{{.+}} kernel [2] pads_begin [1] pads_end [1] nan_mode propagate
func.func @padded_with_infinity(%x: tensor<1x3x8xf32>) -> tensor<1x3x9xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %z = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 1>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x10xf32>
  %0 = "stablehlo.reduce_window"(%p, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}

// CHECK-LABEL: func @padded_with_ones(
// CHECK:         %[[P:.+]] = "stablehlo.pad"
// CHECK:         pool.max_pool %[[P]] kernel [2] nan_mode propagate
func.func @padded_with_ones(%x: tensor<1x3x8xf32>) -> tensor<1x3x9xf32> {
  %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %z = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 1>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x3x8xf32>, tensor<f32>) -> tensor<1x3x10xf32>
  %0 = "stablehlo.reduce_window"(%p, %c) <{window_dimensions = array<i64: 1, 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}
