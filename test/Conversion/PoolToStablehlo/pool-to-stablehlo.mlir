// convert-pool-to-stablehlo writes pooling as StableHLO. Then
// convert-stablehlo-to-pool must turn it back into the same operations.

// RUN: pool-opt %s --allow-unregistered-dialect --convert-pool-to-stablehlo \
// RUN:   | FileCheck %s
// RUN: pool-opt %s --allow-unregistered-dialect --convert-pool-to-stablehlo \
// RUN:   --convert-stablehlo-to-pool | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: func @max(
// CHECK:         %[[C:.+]] = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}>
// CHECK:         "stablehlo.reduce_window"(%{{.+}}, %[[C]]) <{base_dilations = array<i64: 1, 1, 1, 1>,
// CHECK-SAME:      padding = dense<{{\[\[}}0, 0], [1, 0], [1, 0], [0, 0]]> : tensor<4x2xi64>,
// CHECK-SAME:      window_dilations = array<i64: 1, 1, 2, 1>, window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}>
// CHECK:           "stablehlo.maximum"
// BACK-LABEL:  func @max(
// BACK-NEXT:     pool.max_pool %{{.+}} kernel [3, 2] strides [2, 2] dilations [1, 2] pads_begin [1, 1] layout channels_last nan_mode propagate
func.func @max(%x: tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32> {
  %0 = pool.max_pool %x kernel [3, 2] strides [2, 2] dilations [1, 2] pads_begin [1, 1] layout channels_last nan_mode propagate
      : tensor<2x8x8x3xf32> -> tensor<2x4x4x3xf32>
  return %0 : tensor<2x4x4x3xf32>
}

// Maxima and minima that ignore NaN, with overhang, which becomes padding, and
// with padding that counts as zero.

// CHECK-LABEL: func @ignore(
// CHECK:         "stablehlo.compare"{{.*}}comparison_direction NE
// CHECK:         "stablehlo.select"
// CHECK:         padding = dense<{{\[\[}}0, 0], [0, 0], [0, 1]]>
func.func @ignore(%x: tensor<1x3x8xf32>) -> tensor<1x3x4xf32> {
  %0 = pool.max_pool %x kernel [3] strides [2] rounding_type ceil : tensor<1x3x8xf32> -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// CHECK-LABEL: func @zeros(
// CHECK:         "stablehlo.pad"{{.*}}edge_padding_high = array<i64: 0, 0, 1>, edge_padding_low = array<i64: 0, 0, 2>
// CHECK:         dense<255> : tensor<ui8>
// BACK-LABEL:  func @zeros(
// BACK:          pool.min_pool %{{.+}} kernel [4] pads_begin [2] pads_end [1] pad_value zero
func.func @zeros(%x: tensor<1x3x8xui8>) -> tensor<1x3x8xui8> {
  %0 = pool.min_pool %x kernel [4] pads_begin [2] pads_end [1] pad_value zero : tensor<1x3x8xui8> -> tensor<1x3x8xui8>
  return %0 : tensor<1x3x8xui8>
}

// BACK-LABEL:  func @indices(
// BACK-NEXT:     pool.max_pool %{{.+}} kernel [2, 2] axis 2 nan_mode propagate
func.func @indices(%x: tensor<1x3x4x4xf32>) -> (tensor<1x3x3x3xf32>, tensor<1x3x3x3xi32>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] axis 2 nan_mode propagate : tensor<1x3x4x4xf32> -> tensor<1x3x3x3xf32>, tensor<1x3x3x3xi32>
  return %0, %1 : tensor<1x3x3x3xf32>, tensor<1x3x3x3xi32>
}

// Indices within a row: the reduction computes the position in the plane, from
// which the index in the row follows.

// CHECK-LABEL: func @columns(
// CHECK:         "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<16xi32>
// CHECK:         "stablehlo.remainder"
func.func @columns(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xi32> {
  %0, %1 = pool.max_pool %x kernel [2, 2] axis 3 nan_mode propagate : tensor<1x3x4x4xf32> -> tensor<1x3x3x3xf32>, tensor<1x3x3x3xi32>
  return %1 : tensor<1x3x3x3xi32>
}

// CHECK-LABEL: func @averages(
// CHECK-COUNT-2: "stablehlo.divide"
// CHECK:         "stablehlo.convert"(%{{.+}}) : (tensor<1x3x8xf16>) -> tensor<1x3x8xf32>
// BACK-LABEL:  func @averages(
// BACK-DAG:      pool.avg_pool %{{.+}} kernel [3] pads_begin [1] pads_end [1] : tensor<1x3x8xf32>
// BACK-DAG:      pool.avg_pool %{{.+}} kernel [3] pads_begin [1] pads_end [1] divisor kernel : tensor<1x3x8xf32>
func.func @averages(%x: tensor<1x3x8xf32>, %h: tensor<1x3x8xf16>) -> (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x7xf16>) {
  %0 = pool.avg_pool %x kernel [3] pads_begin [1] pads_end [1] : tensor<1x3x8xf32> -> tensor<1x3x8xf32>
  %1 = pool.avg_pool %x kernel [3] pads_begin [1] pads_end [1] divisor kernel : tensor<1x3x8xf32> -> tensor<1x3x8xf32>
  %2 = pool.avg_pool %h kernel [2] : tensor<1x3x8xf16> -> tensor<1x3x7xf16>
  return %0, %1, %2 : tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x7xf16>
}

// ceil_torch drops a window although the padding has room for it. Padding after
// the last window must not be counted.

// CHECK-LABEL: func @dropped(
// CHECK:         "stablehlo.reduce_window"
// CHECK:         padding = dense<0> : tensor<3x2xi64>, {{.*}} window_dimensions = array<i64: 1, 1, 3>
// CHECK:         (tensor<1x1x7xf32>, tensor<f32>) -> tensor<1x1x5xf32>
func.func @dropped(%x: tensor<1x2x3xf32>) -> tensor<1x2x5xf32> {
  %0 = pool.avg_pool %x kernel [3] pads_begin [1] pads_end [4] rounding_type ceil_torch divisor padded : tensor<1x2x3xf32> -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}

// BACK-LABEL:  func @gradients(
// BACK-DAG:      pool.max_pool_grad %{{.+}}, %{{.+}} kernel [3] strides [2] pads_begin [1] nan_mode propagate : tensor
// BACK-DAG:      pool.max_pool_grad %{{.+}}, %{{.+}} kernel [3] strides [2] pads_begin [1] : tensor
// BACK-DAG:      pool.avg_pool_grad %{{.+}} kernel [3] strides [2] pads_begin [1] : tensor
func.func @gradients(%x: tensor<1x3x8xf32>, %g: tensor<1x3x4xf32>) -> (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) {
  %0 = pool.max_pool_grad %x, %g kernel [3] strides [2] pads_begin [1] nan_mode propagate : tensor<1x3x8xf32>, tensor<1x3x4xf32> -> tensor<1x3x8xf32>
  %1 = pool.max_pool_grad %x, %g kernel [3] strides [2] pads_begin [1] : tensor<1x3x8xf32>, tensor<1x3x4xf32> -> tensor<1x3x8xf32>
  %2 = pool.avg_pool_grad %g kernel [3] strides [2] pads_begin [1] : tensor<1x3x4xf32> -> tensor<1x3x8xf32>
  return %0, %1, %2 : tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>
}

// CHECK-LABEL: func @norm(
// CHECK:         "stablehlo.multiply"
// CHECK:         "stablehlo.sqrt"
func.func @norm(%x: tensor<1x3x8xf32>) -> tensor<1x3x7xf32> {
  %0 = pool.lp_pool %x kernel [2] : tensor<1x3x8xf32> -> tensor<1x3x7xf32>
  return %0 : tensor<1x3x7xf32>
}
