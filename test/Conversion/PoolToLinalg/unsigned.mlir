// convert-pool-to-linalg on integers with a sign in their type (ui8, si8).
// arith requires signless integers. So the body casts each element, and must
// then compare or extend it as its type demands.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// The smallest unsigned value is 0, so the maximum starts from 0, and padding
// is 0.

// CHECK-LABEL: func @max_ui8(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xui8>)
// CHECK:         %[[PADDING:.+]] = arith.constant 0 : i8
// CHECK:         %[[UNSIGNED:.+]] = builtin.unrealized_conversion_cast %[[PADDING]] : i8 to ui8
// CHECK:         %[[PADDED:.+]] = tensor.pad %[[X]] low[0, 0, 0] high[0, 0, 1]
// CHECK:           tensor.yield %[[UNSIGNED]] : ui8
// CHECK:         %[[LOWEST:.+]] = arith.constant 0 : i8
// CHECK:         %[[IDENTITY:.+]] = builtin.unrealized_conversion_cast %[[LOWEST]] : i8 to ui8
// CHECK:         linalg.fill ins(%[[IDENTITY]] : ui8)
// CHECK:         linalg.generic {{.+}} ins(%[[PADDED]],
// CHECK:         ^bb0(%[[ELEMENT:.+]]: ui8, %{{.+}}, %[[ACC:.+]]: ui8):
// CHECK-DAG:       %[[E:.+]] = builtin.unrealized_conversion_cast %[[ELEMENT]] : ui8 to i8
// CHECK-DAG:       %[[A:.+]] = builtin.unrealized_conversion_cast %[[ACC]] : ui8 to i8
// CHECK:           %[[MAX:.+]] = arith.maxui %[[A]], %[[E]] : i8
// CHECK:           %[[RESULT:.+]] = builtin.unrealized_conversion_cast %[[MAX]] : i8 to ui8
// CHECK:           linalg.yield %[[RESULT]] : ui8
func.func @max_ui8(%x: tensor<1x2x8xui8>) -> tensor<1x2x8xui8> {
  %0 = pool.max_pool %x kernel [2] pads_end [1]
     : tensor<1x2x8xui8> -> tensor<1x2x8xui8>
  return %0 : tensor<1x2x8xui8>
}

// -----

// CHECK-LABEL: func @max_si16(
// CHECK:         %[[LOWEST:.+]] = arith.constant -32768 : i16
// CHECK:         builtin.unrealized_conversion_cast %[[LOWEST]] : i16 to si16
// CHECK:         linalg.generic
// CHECK:           arith.maxsi
func.func @max_si16(%x: tensor<1x2x8xsi16>) -> tensor<1x2x7xsi16> {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x8xsi16> -> tensor<1x2x7xsi16>
  return %0 : tensor<1x2x7xsi16>
}

// -----

// CHECK-LABEL: func @indices_ui32(
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ugt, %{{.+}} : i32
// CHECK:           linalg.yield %{{.+}}, %{{.+}} : ui32, i64
// CHECK-LABEL: func @indices_si32(
// CHECK:         linalg.generic
// CHECK:           arith.cmpi sgt, %{{.+}} : i32
// CHECK:           linalg.yield %{{.+}}, %{{.+}} : si32, i64
func.func @indices_ui32(%x: tensor<1x2x8xui32>)
    -> (tensor<1x2x7xui32>, tensor<1x2x7xi64>) {
  %0, %1 = pool.max_pool %x kernel [2]
         : tensor<1x2x8xui32> -> tensor<1x2x7xui32>, tensor<1x2x7xi64>
  return %0, %1 : tensor<1x2x7xui32>, tensor<1x2x7xi64>
}
func.func @indices_si32(%x: tensor<1x2x8xsi32>)
    -> (tensor<1x2x7xsi32>, tensor<1x2x7xi64>) {
  %0, %1 = pool.max_pool %x kernel [2]
         : tensor<1x2x8xsi32> -> tensor<1x2x7xsi32>, tensor<1x2x7xi64>
  return %0, %1 : tensor<1x2x7xsi32>, tensor<1x2x7xi64>
}

// -----

// The accumulator is signless. It has one bit more than the unsigned sum needs,
// for the sign.

// CHECK-LABEL: func @average_ui8(
// CHECK:         %[[SUM:.+]] = linalg.generic
// CHECK:         ^bb0(%[[ELEMENT:.+]]: ui8, %{{.+}}, %[[ACC:.+]]: i32):
// CHECK:           %[[E:.+]] = builtin.unrealized_conversion_cast %[[ELEMENT]] : ui8 to i8
// CHECK:           %[[WIDE:.+]] = arith.extui %[[E]] : i8 to i32
// CHECK:           arith.addi %[[ACC]], %[[WIDE]] : i32
// CHECK:         linalg.generic {{.+}} ins(%[[SUM]] :
// CHECK:           %[[BYTE:.+]] = arith.trunci %{{.+}} : i32 to i8
// CHECK:           %[[RESULT:.+]] = builtin.unrealized_conversion_cast %[[BYTE]] : i8 to ui8
// CHECK:           linalg.yield %[[RESULT]] : ui8
func.func @average_ui8(%x: tensor<1x2x8xui8>) -> tensor<1x2x7xui8> {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x8xui8> -> tensor<1x2x7xui8>
  return %0 : tensor<1x2x7xui8>
}

// -----

// CHECK-LABEL: func @average_si64(
// CHECK:         linalg.generic
// CHECK:           arith.extsi %{{.+}} : i64 to i128
// CHECK:         linalg.generic
// CHECK:           arith.trunci %{{.+}} : i128 to i64
// CHECK-LABEL: func @average_ui64(
// CHECK:         linalg.generic
// CHECK:           arith.extui %{{.+}} : i64 to i128
func.func @average_si64(%x: tensor<1x2x8xsi64>) -> tensor<1x2x7xsi64> {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x8xsi64> -> tensor<1x2x7xsi64>
  return %0 : tensor<1x2x7xsi64>
}
func.func @average_ui64(%x: tensor<1x2x8xui64>) -> tensor<1x2x7xui64> {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x8xui64> -> tensor<1x2x7xui64>
  return %0 : tensor<1x2x7xui64>
}

// -----

// An unsigned result saturates at 0 and 255.

// CHECK-LABEL: func @saturation_ui8(
// CHECK:         %[[OUT_ZP:.+]] = arith.constant 255 : i32
// CHECK-NEXT:    %[[SHIFTED:.+]] = arith.addi %{{.+}}, %[[OUT_ZP]]
// CHECK-NEXT:    %[[MIN:.+]] = arith.constant 0 : i32
// CHECK-NEXT:    %[[ABOVE:.+]] = arith.maxsi %[[SHIFTED]], %[[MIN]]
// CHECK-NEXT:    %[[MAX:.+]] = arith.constant 255 : i32
// CHECK-NEXT:    arith.minsi %[[ABOVE]], %[[MAX]]
func.func @saturation_ui8(%x: tensor<1x2x8xui8>) -> tensor<1x2x7xui8> {
  %0 = pool.avg_pool %x kernel [2] input_zp 200 output_zp 255
     : tensor<1x2x8xui8> -> tensor<1x2x7xui8>
  return %0 : tensor<1x2x7xui8>
}

// -----

// Casts of sign stand in regions and convert scalars. Casts of tensors would
// not bufferise.

// CHECK-LABEL: func @casts_are_scalar(
// CHECK-NOT:     unrealized_conversion_cast {{.+}} : tensor
// CHECK:         return
func.func @casts_are_scalar(%x: tensor<1x2x8xui8>) -> tensor<1x2x9xui8> {
  %0 = pool.avg_pool %x kernel [2] pads_begin [1] pads_end [1] input_zp 3
     : tensor<1x2x8xui8> -> tensor<1x2x9xui8>
  return %0 : tensor<1x2x9xui8>
}
