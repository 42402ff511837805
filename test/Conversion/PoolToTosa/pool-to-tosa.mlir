// convert-pool-to-tosa writes pooling as TOSA. Where TOSA's rules differ
// (layout, windows that must cover the input exactly, NaN, padding that
// counts), other TOSA operations must make up for the difference.

// RUN: pool-opt %s --convert-pool-to-tosa --split-input-file | FileCheck %s

// CHECK-LABEL: func @max(
// CHECK-SAME:    %[[X:.+]]: tensor<1x32x32x8xf32>, %[[I:.+]]: tensor<1x32x32x8xi8>
// CHECK:         tosa.max_pool2d %[[X]] {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x32x32x8xf32>) -> tensor<1x16x16x8xf32>
// CHECK:         %[[NAN:.+]] = tosa.max_pool2d %[[X]] {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32>
// CHECK:         %[[INF:.+]] = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}>
// CHECK:         tosa.maximum %[[NAN]], %[[INF]] {nan_mode = IGNORE} : (tensor<1x32x32x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x32x32x8xf32>
// CHECK:         tosa.max_pool2d %[[I]] {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x8xi8>) -> tensor<1x32x32x8xi8>
// CHECK-NOT:     pool.
func.func @max(%x: tensor<1x32x32x8xf32>, %i: tensor<1x32x32x8xi8>)
    -> (tensor<1x16x16x8xf32>, tensor<1x32x32x8xf32>, tensor<1x32x32x8xi8>) {
  // Padding that no window covers is left out. Under `ignore`, a window of only
  // NaN must give -inf.
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] layout channels_last nan_mode propagate
      : tensor<1x32x32x8xf32> -> tensor<1x16x16x8xf32>
  %1 = pool.max_pool %x kernel [3, 3] auto_pad same_upper layout channels_last
      : tensor<1x32x32x8xf32> -> tensor<1x32x32x8xf32>
  %2 = pool.max_pool %i kernel [3, 3] auto_pad same_lower layout channels_last
      : tensor<1x32x32x8xi8> -> tensor<1x32x32x8xi8>
  return %0, %1, %2 : tensor<1x16x16x8xf32>, tensor<1x32x32x8xf32>, tensor<1x32x32x8xi8>
}

// -----

// Channels first: transposes surround the TOSA operation. Overhang becomes
// padding.

// CHECK-LABEL: func @channels_first(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3x8x9xf16>
// CHECK:         %[[LAST:.+]] = tosa.transpose %[[X]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x3x8x9xf16>) -> tensor<2x8x9x3xf16>
// CHECK:         %[[Y:.+]] = tosa.max_pool2d %[[LAST]] {kernel = array<i64: 3, 3>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 2, 2>} : (tensor<2x8x9x3xf16>) -> tensor<2x4x4x3xf16>
// CHECK:         %[[FIRST:.+]] = tosa.transpose %[[Y]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x4x4x3xf16>) -> tensor<2x3x4x4xf16>
// CHECK:         return %[[FIRST]]
func.func @channels_first(%x: tensor<2x3x8x9xf16>) -> tensor<2x3x4x4xf16> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] rounding_type ceil nan_mode propagate
      : tensor<2x3x8x9xf16> -> tensor<2x3x4x4xf16>
  return %0 : tensor<2x3x4x4xf16>
}

// -----

// TOSA requires that windows cover the input exactly. So a slice cuts off the
// elements that no window reads. The batch may be unknown.

// CHECK-LABEL: func @unread(
// CHECK-SAME:    %[[X:.+]]: tensor<?x5x4x8xf32>
// CHECK-DAG:     %[[START:.+]] = tosa.const_shape {values = dense<0> : tensor<4xindex>}
// CHECK-DAG:     %[[SIZE:.+]] = tosa.const_shape {values = dense<[-1, 4, 4, 8]> : tensor<4xindex>}
// CHECK:         %[[READ:.+]] = tosa.slice %[[X]], %[[START]], %[[SIZE]] : ({{.+}}) -> tensor<?x4x4x8xf32>
// CHECK:         tosa.max_pool2d %[[READ]] {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x4x4x8xf32>) -> tensor<?x2x2x8xf32>
func.func @unread(%x: tensor<?x5x4x8xf32>) -> tensor<?x2x2x8xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] layout channels_last nan_mode propagate
      : tensor<?x5x4x8xf32> -> tensor<?x2x2x8xf32>
  return %0 : tensor<?x2x2x8xf32>
}

// -----

// With stride 1, windows cover even an unknown extent exactly.

// CHECK-LABEL: func @dynamic(
// CHECK:         tosa.max_pool2d %{{.+}} {kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
func.func @dynamic(%x: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %0 = pool.max_pool %x kernel [3, 2] auto_pad same_upper layout channels_last nan_mode propagate
      : tensor<1x?x?x8xf32> -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}

// -----

// tosa.pad adds padding that counts as zero in a maximum, and padding that an
// average counts.

// CHECK-LABEL: func @counted_padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x8x4xf32>
// CHECK:         %[[AMOUNTS:.+]] = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>}
// CHECK:         %[[P:.+]] = tosa.pad %[[X]], %[[AMOUNTS]], %{{.+}} : ({{.+}}) -> tensor<1x10x10x4xf32>
// CHECK:         tosa.max_pool2d %[[P]] {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
// CHECK:         %[[Q:.+]] = tosa.pad %[[X]]
// CHECK:         tosa.avg_pool2d %[[Q]], %{{.+}}, %{{.+}} {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
// CHECK:         %[[R:.+]] = tosa.pad %[[X]]
// CHECK:         tosa.avg_pool2d %[[R]]
// CHECK:         %[[S:.+]] = tosa.pad %[[X]]
// CHECK:         tosa.avg_pool2d %[[S]]
// CHECK-NOT:     pool.
func.func @counted_padding(%x: tensor<1x8x8x4xf32>)
    -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) {
  %0 = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last pad_value zero nan_mode propagate
      : tensor<1x8x8x4xf32> -> tensor<1x8x8x4xf32>
  %1 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last divisor kernel
      : tensor<1x8x8x4xf32> -> tensor<1x8x8x4xf32>
  %2 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last divisor padded
      : tensor<1x8x8x4xf32> -> tensor<1x8x8x4xf32>
  %3 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last divisor_override 9
      : tensor<1x8x8x4xf32> -> tensor<1x8x8x4xf32>
  return %0, %1, %2, %3 : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>
}

// -----

// CHECK-LABEL: func @averages(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x8x4xbf16>, %[[I:.+]]: tensor<1x8x8x4xi8>
// CHECK:         %[[ZERO:.+]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}>
// CHECK:         tosa.avg_pool2d %[[X]], %[[ZERO]], %{{.+}} {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
// CHECK-DAG:     %[[IN:.+]] = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}>
// CHECK-DAG:     %[[OUT:.+]] = "tosa.const"() <{values = dense<7> : tensor<1xi8>}>
// CHECK:         tosa.avg_pool2d %[[I]], %[[IN]], %[[OUT]] {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
// CHECK:         tosa.avg_pool2d %[[I]], {{.+}} {acc_type = i32, kernel = array<i64: 3, 1>
// CHECK:         %[[LOW:.+]] = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}>
// CHECK:         %[[P:.+]] = tosa.pad %[[I]], %{{.+}}, %[[LOW]]
// CHECK:         tosa.avg_pool2d %[[P]]
// CHECK-NOT:     pool.
func.func @averages(%x: tensor<1x8x8x4xbf16>, %i: tensor<1x8x8x4xi8>)
    -> (tensor<1x8x8x4xbf16>, tensor<1x4x4x4xi8>, tensor<1x6x8x4xi8>, tensor<1x8x8x4xi8>) {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last
      : tensor<1x8x8x4xbf16> -> tensor<1x8x8x4xbf16>
  // Because of the zero point, no sum is negative, so TOSA's rounding is the
  // same as half_up.
  %1 = pool.avg_pool %i kernel [2, 2] strides [2, 2] layout channels_last integer_rounding half_up input_zp -128 output_zp 7
      : tensor<1x8x8x4xi8> -> tensor<1x4x4x4xi8>
  // No quotient lies halfway between two integers, so all roundings give the
  // same result.
  %2 = pool.avg_pool %i kernel [3, 1] layout channels_last : tensor<1x8x8x4xi8> -> tensor<1x6x8x4xi8>
  // The padding is counted, so tosa.pad fills it with the zero point.
  %3 = pool.avg_pool %i kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last divisor kernel input_zp -5
      : tensor<1x8x8x4xi8> -> tensor<1x8x8x4xi8>
  return %0, %1, %2, %3 : tensor<1x8x8x4xbf16>, tensor<1x4x4x4xi8>, tensor<1x6x8x4xi8>, tensor<1x8x8x4xi8>
}
