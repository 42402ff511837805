// convert-linalg-to-pool on the output of upstream's tosa-to-linalg for TOSA's
// pooling. There, maxima start from the lowest finite float, and averages
// compute their divisors from tensor.dim. Both must be raised with equal
// results.

// RUN: pool-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg),convert-linalg-to-pool)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @max(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x8x4xf32>
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [3, 3] strides [2, 2] pads_begin [1, 1] layout channels_last nan_mode propagate
// CHECK:         linalg.generic {{.+}} ins(%[[Y]] :
// CHECK:           arith.maximumf
func.func @max(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func @average(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x8x4xbf16>
// CHECK:         %[[Y:.+]] = pool.avg_pool %[[X]] kernel [3, 2] strides [1, 2] pads_begin [2, 0] pads_end [1, 0] layout channels_last : tensor<1x8x8x4xbf16> -> tensor<1x9x4x4xbf16>
// CHECK:         return %[[Y]]
func.func @average(%x: tensor<1x8x8x4xbf16>) -> tensor<1x9x4x4xbf16> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.avg_pool2d %x, %zero, %zero {acc_type = f32, kernel = array<i64: 3, 2>, pad = array<i64: 2, 1, 0, 0>, stride = array<i64: 1, 2>}
      : (tensor<1x8x8x4xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x9x4x4xbf16>
  return %0 : tensor<1x9x4x4xbf16>
}
