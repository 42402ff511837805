// convert-tosa-to-pool on operations that it cannot raise with the same
// results. They must stay as they are, and a remark must say why.

// RUN: pool-opt %s --convert-tosa-to-pool --remarks-filter=convert-tosa-to-pool \
// RUN:   -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t

// CHECK-LABEL: func @types(
// CHECK-COUNT-5: tosa.{{max|avg}}_pool2d
// CHECK-NOT:     pool.
// CHECK:         return
func.func @types(%unranked: tensor<*xf32>, %f8: tensor<1x4x4x1xf8E4M3FN>, %i32: tensor<1x4x4x1xi32>,
                 %h: tensor<1x4x4x1xf16>, %i: tensor<1x4x4x1xi8>, %zp: tensor<1xi8>) {
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zh = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  // REMARK: [Missed] LeftAlone | Category:convert-tosa-to-pool | Reason="its input is unranked", Remark="tosa.max_pool2d left alone"
  %0 = tosa.max_pool2d %unranked {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<*xf32>) -> tensor<*xf32>
  // REMARK: Reason="pool operations do not take its element type"
  %1 = tosa.max_pool2d %f8 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x1xf8E4M3FN>) -> tensor<1x2x2x1xf8E4M3FN>
  // REMARK: Reason="TOSA averages no integers but those of 8 and 16 bits"
  %2 = tosa.avg_pool2d %i32, %z32, %z32 {acc_type = i32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x4x4x1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x1xi32>
  // REMARK: Reason="it accumulates in f16, pool.avg_pool in f32"
  %3 = tosa.avg_pool2d %h, %zh, %zh {acc_type = f16, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x2x2x1xf16>
  // REMARK: Reason="its zero points are not constants"
  %4 = tosa.avg_pool2d %i, %zp, %zp {acc_type = i32, kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi8>
  return
}

// The sum may be so large that TOSA's division is not exact, so the average is
// not raised.

// CHECK-LABEL: func @division(
// CHECK-NOT:     pool.
func.func @division(%large: tensor<1x128x128x1xi16>) -> tensor<1x1x1x1xi16> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  // REMARK: Reason="its sums may be too large for TOSA's division to be exact"
  %0 = tosa.avg_pool2d %large, %z, %z {acc_type = i32, kernel = array<i64: 128, 128>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x128x128x1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x1x1x1xi16>
  return %0 : tensor<1x1x1x1xi16>
}

// This maximum is raised, with a remark: for a window of only NaN it gives
// -inf, and TOSA gives NaN. There is no remark if the next operation is an
// elementwise maximum with -inf that ignores NaN, because it hides the
// difference.

// CHECK-LABEL: func @ignore(
// CHECK:         pool.max_pool
// CHECK:         pool.max_pool
// CHECK-NOT:     tosa.maximum
// CHECK:         %[[Y:.+]] = pool.max_pool
// CHECK:         tosa.maximum %[[Y]]
// CHECK:         tosa.maximum %[[Y]]
// CHECK-NOT:     tosa.maximum
func.func @ignore(%x: tensor<1x4x4x1xf32>)
    -> (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) {
  %inf = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  // REMARK: [Passed] Raised | Category:convert-tosa-to-pool | Reason="a window of NaN alone gives -inf, in TOSA NaN", Remark="tosa.max_pool2d raised to pool.max_pool"
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  // REMARK: [Passed] Raised | Category:convert-tosa-to-pool | Remark="tosa.max_pool2d raised to pool.max_pool"
  %hidden = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %1 = tosa.maximum %inf, %hidden {nan_mode = IGNORE} : (tensor<1x1x1x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  // REMARK: Reason="a window of NaN alone gives -inf, in TOSA NaN"
  %seen = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %2 = tosa.maximum %seen, %inf : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
  %3 = tosa.maximum %seen, %zero {nan_mode = IGNORE} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
  return %0, %1, %2, %3 : tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>
}
