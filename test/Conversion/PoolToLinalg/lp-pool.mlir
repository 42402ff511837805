// convert-pool-to-linalg on pool.lp_pool: the sum of powers of each window,
// then an elementwise root. Powers must be made of products, with as few
// operations as `p` permits.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// p = 2: squares and a square root. Padding adds nothing to the sum. f16
// accumulates in f32.

// CHECK-LABEL: func @euclidean(
// CHECK:         %[[PADDING:.+]] = arith.constant 0.000000e+00 : f16
// CHECK:         tensor.pad %{{.+}} low[0, 0, 0] high[0, 0, 1]
// CHECK:           tensor.yield %[[PADDING]]
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[ELEMENT:.+]]: f16, %{{.+}}: f16, %[[ACC:.+]]: f32):
// CHECK:           %[[WIDE:.+]] = arith.extf %[[ELEMENT]] : f16 to f32
// CHECK-NEXT:      %[[SQUARE:.+]] = arith.mulf %[[WIDE]], %[[WIDE]]
// CHECK-NEXT:      %[[SUM:.+]] = arith.addf %[[ACC]], %[[SQUARE]]
// CHECK-NEXT:      linalg.yield %[[SUM]]
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[TOTAL:.+]]: f32,
// CHECK-NEXT:      %[[ROOT:.+]] = math.sqrt %[[TOTAL]] : f32
// CHECK-NEXT:      %[[ROUNDED:.+]] = arith.truncf %[[ROOT]] : f32 to f16
// CHECK-NEXT:      linalg.yield %[[ROUNDED]]
func.func @euclidean(%x: tensor<1x2x8xf16>) -> tensor<1x2x8xf16> {
  %0 = pool.lp_pool %x kernel [2] pads_end [1]
     : tensor<1x2x8xf16> -> tensor<1x2x8xf16>
  return %0 : tensor<1x2x8xf16>
}

// -----

// p = 1: a sum of absolute values; for f32, no other operation is needed.

// CHECK-LABEL: func @absolute(
// CHECK:         %[[SUM:.+]] = linalg.generic
// CHECK:         ^bb0(%[[ELEMENT:.+]]: f32, %{{.+}}: f32, %[[ACC:.+]]: f32):
// CHECK-NEXT:      %[[ABS:.+]] = math.absf %[[ELEMENT]]
// CHECK-NEXT:      arith.addf %[[ACC]], %[[ABS]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[SUM]]
func.func @absolute(%x: tensor<1x2x8xf32>) -> tensor<1x2x7xf32> {
  %0 = pool.lp_pool %x kernel [2] p 1 : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %0 : tensor<1x2x7xf32>
}

// -----

// Other powers are products of squares. For an odd p, the absolute value is
// taken first.

// CHECK-LABEL: func @fifth_power(
// CHECK:         linalg.generic
// CHECK:           %[[ABS:.+]] = math.absf
// CHECK-NEXT:      %[[P2:.+]] = arith.mulf %[[ABS]], %[[ABS]]
// CHECK-NEXT:      %[[P4:.+]] = arith.mulf %[[P2]], %[[P2]]
// CHECK-NEXT:      %[[P5:.+]] = arith.mulf %[[ABS]], %[[P4]]
// CHECK-NEXT:      arith.addf %{{.+}}, %[[P5]]
// CHECK:         linalg.generic
// CHECK:           %[[EXPONENT:.+]] = arith.constant 2.000000e-01 : f32
// CHECK-NEXT:      math.powf %{{.+}}, %[[EXPONENT]]
func.func @fifth_power(%x: tensor<1x2x8xf32>) -> tensor<1x2x7xf32> {
  %0 = pool.lp_pool %x kernel [2] p 5 : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %0 : tensor<1x2x7xf32>
}

// -----

// CHECK-LABEL: func @fourth_power(
// CHECK-NOT:       math.absf
// CHECK:           %[[P2:.+]] = arith.mulf %[[ELEMENT:.+]], %[[ELEMENT]]
// CHECK-NEXT:      %[[P4:.+]] = arith.mulf %[[P2]], %[[P2]]
// CHECK-NEXT:      arith.addf %{{.+}}, %[[P4]]
func.func @fourth_power(%x: tensor<1x2x8xf32>) -> tensor<1x2x7xf32> {
  %0 = pool.lp_pool %x kernel [2] p 4 : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %0 : tensor<1x2x7xf32>
}
