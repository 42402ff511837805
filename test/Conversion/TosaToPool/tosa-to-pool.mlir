// convert-tosa-to-pool turns TOSA's pooling, and averages over all positions,
// into pooling operations with the same pads, NaN mode and rounding.

// RUN: pool-opt %s --convert-tosa-to-pool --split-input-file | FileCheck %s

// The order of TOSA's pads is top, bottom, left, right.

// CHECK-LABEL: func @max(
// CHECK-SAME:    %[[F:.+]]: tensor<1x32x33x8xf32>, %[[I:.+]]: tensor<2x8x8x3xi8>
// CHECK:         pool.max_pool %[[F]] kernel [3, 4] strides [2, 1] pads_begin [1, 2] pads_end [0, 3] layout channels_last nan_mode propagate : tensor<1x32x33x8xf32> -> tensor<1x16x35x8xf32>
// CHECK:         pool.max_pool %[[F]] kernel [3, 4] strides [2, 1] pads_begin [1, 2] pads_end [0, 3] layout channels_last : tensor<1x32x33x8xf32> -> tensor<1x16x35x8xf32>
// CHECK:         pool.max_pool %[[I]] kernel [2, 2] strides [2, 2] layout channels_last : tensor<2x8x8x3xi8> -> tensor<2x4x4x3xi8>
// CHECK-NOT:     tosa
func.func @max(%f: tensor<1x32x33x8xf32>, %i: tensor<2x8x8x3xi8>)
    -> (tensor<1x16x35x8xf32>, tensor<1x16x35x8xf32>, tensor<2x4x4x3xi8>) {
  %0 = tosa.max_pool2d %f {kernel = array<i64: 3, 4>, pad = array<i64: 1, 0, 2, 3>, stride = array<i64: 2, 1>}
      : (tensor<1x32x33x8xf32>) -> tensor<1x16x35x8xf32>
  %1 = tosa.max_pool2d %f {kernel = array<i64: 3, 4>, nan_mode = IGNORE, pad = array<i64: 1, 0, 2, 3>, stride = array<i64: 2, 1>}
      : (tensor<1x32x33x8xf32>) -> tensor<1x16x35x8xf32>
  %2 = tosa.max_pool2d %i {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<2x8x8x3xi8>) -> tensor<2x4x4x3xi8>
  return %0, %1, %2 : tensor<1x16x35x8xf32>, tensor<1x16x35x8xf32>, tensor<2x4x4x3xi8>
}

// -----

// The input's type has fewer known extents than the result's type. So a cast
// restores the result's type.

// CHECK-LABEL: func @dynamic(
// CHECK:         %[[Y:.+]] = pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] layout channels_last nan_mode propagate : tensor<?x?x8x3xf16> -> tensor<?x?x4x3xf16>
// CHECK:         tensor.cast %[[Y]] : tensor<?x?x4x3xf16> to tensor<1x?x4x3xf16>
func.func @dynamic(%x: tensor<?x?x8x3xf16>) -> tensor<1x?x4x3xf16> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<?x?x8x3xf16>) -> tensor<1x?x4x3xf16>
  return %0 : tensor<1x?x4x3xf16>
}

// -----

// Floats accumulate in f32.

// CHECK-LABEL: func @float_averages(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last : tensor<1x8x8x3xf32> -> tensor<1x8x8x3xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last : tensor<1x8x8x3xf16> -> tensor<1x8x8x3xf16>
// CHECK-NOT:     tosa
func.func @float_averages(%f: tensor<1x8x8x3xf32>, %h: tensor<1x8x8x3xf16>) -> (tensor<1x8x8x3xf32>, tensor<1x8x8x3xf16>) {
  %zf = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zh = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.avg_pool2d %f, %zf, %zf {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x3xf32>
  %1 = tosa.avg_pool2d %h, %zh, %zh {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x8x8x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x8x8x3xf16>
  return %0, %1 : tensor<1x8x8x3xf32>, tensor<1x8x8x3xf16>
}

// -----

// Averages of integers. TOSA rounds halves away from zero. No quotient here is
// a negative half, because windows have odd numbers of elements or sums are not
// negative. So half_up gives the same results.

// CHECK-LABEL: func @integer_averages(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 1] layout channels_last integer_rounding half_up input_zp 5 output_zp -7 : tensor<1x8x8x3xi8> -> tensor<1x6x8x3xi8>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] strides [2, 2] layout channels_last integer_rounding half_up input_zp -128 output_zp 3 : tensor<1x8x8x3xi8> -> tensor<1x4x4x3xi8>
// CHECK:         pool.avg_pool %{{.+}} kernel [1, 3] layout channels_last integer_rounding half_up : tensor<1x8x8x3xi16> -> tensor<1x8x6x3xi16>
// CHECK-NOT:     tosa
func.func @integer_averages(%x: tensor<1x8x8x3xi8>, %y: tensor<1x8x8x3xi16>)
    -> (tensor<1x6x8x3xi8>, tensor<1x4x4x3xi8>, tensor<1x8x6x3xi16>) {
  %five = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %minus7 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %lowest = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %three = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %a = tosa.avg_pool2d %x, %five, %minus7 {acc_type = i32, kernel = array<i64: 3, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x8x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x8x3xi8>
  %b = tosa.avg_pool2d %x, %lowest, %three {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x8x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi8>
  %c = tosa.avg_pool2d %y, %zero, %zero {acc_type = i32, kernel = array<i64: 1, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x8x8x3xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x8x6x3xi16>
  return %a, %b, %c : tensor<1x6x8x3xi8>, tensor<1x4x4x3xi8>, tensor<1x8x6x3xi16>
}

// -----

// Averages of integers whose quotients may be negative halves, so they need
// half_away: windows of four elements, windows with four or six elements at the
// borders, and windows in an unknown dimension.

// CHECK-LABEL: func @negative_halves(
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] strides [2, 2] layout channels_last integer_rounding half_away input_zp -127 output_zp -127 :
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last integer_rounding half_away :
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 3] strides [3, 3] pads_begin [1, 1] layout channels_last integer_rounding half_away :
// CHECK-NOT:     tosa
func.func @negative_halves(%x: tensor<1x4x4x1xi8>, %d: tensor<1x?x?x1xi8>)
    -> (tensor<1x2x2x1xi8>, tensor<1x4x4x1xi8>, tensor<1x?x?x1xi8>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %low = "tosa.const"() <{values = dense<-127> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %low, %low {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  %1 = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi8>
  %2 = tosa.avg_pool2d %d, %z, %z {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 3, 3>}
      : (tensor<1x?x?x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x?x1xi8>
  return %0, %1, %2 : tensor<1x2x2x1xi8>, tensor<1x4x4x1xi8>, tensor<1x?x?x1xi8>
}

// -----

// An average over all positions: a sum times an exact reciprocal, in either
// layout, also with the factor as first operand. If the reciprocal is rounded,
// only the sum is raised.

// CHECK-LABEL: func @global(
// CHECK-SAME:    %[[X:.+]]: tensor<1x12x4x4xf32>, %[[Y:.+]]: tensor<1x2x4x12xf32>, %[[Z:.+]]: tensor<1x12x7x7xf32>
// CHECK:         %[[A:.+]] = pool.avg_pool %[[X]] kernel [4, 4] : tensor<1x12x4x4xf32> -> tensor<1x12x1x1xf32>
// CHECK:         %[[B:.+]] = pool.avg_pool %[[Y]] kernel [2, 4] layout channels_last : tensor<1x2x4x12xf32> -> tensor<1x1x1x12xf32>
// CHECK:         %[[SUM:.+]] = pool.avg_pool %[[Z]] kernel [7, 7] divisor_override 1 : tensor<1x12x7x7xf32> -> tensor<1x12x1x1xf32>
// CHECK:         %[[C:.+]] = tosa.mul %[[SUM]]
// CHECK-NOT:     reduce_sum
// CHECK:         return %[[A]], %[[B]], %[[C]]
func.func @global(%x: tensor<1x12x4x4xf32>, %y: tensor<1x2x4x12xf32>, %z: tensor<1x12x7x7xf32>)
    -> (tensor<1x12x1x1xf32>, tensor<1x1x1x12xf32>, tensor<1x12x1x1xf32>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %f16 = "tosa.const"() <{values = dense<0.0625> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %f8 = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %f49 = "tosa.const"() <{values = dense<0x3CA72F05> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %x3 = tosa.reduce_sum %x {axis = 3 : i32} : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x1xf32>
  %x2 = tosa.reduce_sum %x3 {axis = 2 : i32} : (tensor<1x12x4x1xf32>) -> tensor<1x12x1x1xf32>
  %a = tosa.mul %x2, %f16, %shift : (tensor<1x12x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x1x1xf32>
  %y1 = tosa.reduce_sum %y {axis = 1 : i32} : (tensor<1x2x4x12xf32>) -> tensor<1x1x4x12xf32>
  %y2 = tosa.reduce_sum %y1 {axis = 2 : i32} : (tensor<1x1x4x12xf32>) -> tensor<1x1x1x12xf32>
  %b = tosa.mul %f8, %y2, %shift : (tensor<1x1x1x1xf32>, tensor<1x1x1x12xf32>, tensor<1xi8>) -> tensor<1x1x1x12xf32>
  %z3 = tosa.reduce_sum %z {axis = 3 : i32} : (tensor<1x12x7x7xf32>) -> tensor<1x12x7x1xf32>
  %z2 = tosa.reduce_sum %z3 {axis = 2 : i32} : (tensor<1x12x7x1xf32>) -> tensor<1x12x1x1xf32>
  %c = tosa.mul %z2, %f49, %shift : (tensor<1x12x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x1x1xf32>
  return %a, %b, %c : tensor<1x12x1x1xf32>, tensor<1x1x1x12xf32>, tensor<1x12x1x1xf32>
}

// -----

// These are not averages: another factor, a sum over one dimension, and a sum
// with another use.

// CHECK-LABEL: func @no_average(
// CHECK-NOT:     pool.
func.func @no_average(%x: tensor<1x12x4x4xf32>)
    -> (tensor<1x12x1x1xf32>, tensor<1x12x4x1xf32>, tensor<1x12x1x1xf32>, tensor<1x12x4x1xf32>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %f16 = "tosa.const"() <{values = dense<0.0625> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %f4 = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %x3 = tosa.reduce_sum %x {axis = 3 : i32} : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x1xf32>
  %x2 = tosa.reduce_sum %x3 {axis = 2 : i32} : (tensor<1x12x4x1xf32>) -> tensor<1x12x1x1xf32>
  %a = tosa.mul %x2, %f4, %shift : (tensor<1x12x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x1x1xf32>
  %y3 = tosa.reduce_sum %x {axis = 3 : i32} : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x1xf32>
  %b = tosa.mul %y3, %f4, %shift : (tensor<1x12x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x4x1xf32>
  %z3 = tosa.reduce_sum %x {axis = 3 : i32} : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x1xf32>
  %z2 = tosa.reduce_sum %z3 {axis = 2 : i32} : (tensor<1x12x4x1xf32>) -> tensor<1x12x1x1xf32>
  %c = tosa.mul %z2, %f16, %shift : (tensor<1x12x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x12x1x1xf32>
  return %a, %b, %c, %z3 : tensor<1x12x1x1xf32>, tensor<1x12x4x1xf32>, tensor<1x12x1x1xf32>, tensor<1x12x4x1xf32>
}
