// RUN: standalone-opt %s --separate-windows | FileCheck %s
// RUN: standalone-opt %s --separate-windows --convert-pool-to-linalg \
// RUN:   | FileCheck %s --check-prefix=LINALG

// Rows first: the second pooling reads the 112 x 56 results of the first.
// CHECK-LABEL: func.func @stem(
// CHECK-SAME: %[[X:.*]]: tensor<1x64x112x112xf32>
// CHECK: %[[ROWS:.*]] = pool.max_pool %[[X]] kernel [1, 3] strides [1, 2] pads_begin [0, 1] pads_end [0, 1] : tensor<1x64x112x112xf32> -> tensor<1x64x112x56xf32>
// CHECK: %[[Y:.*]] = pool.max_pool %[[ROWS]] kernel [3, 1] strides [2, 1] pads_begin [1, 0] pads_end [1, 0] : tensor<1x64x112x56xf32> -> tensor<1x64x56x56xf32>
// CHECK: return %[[Y]]
// LINALG-LABEL: func.func @stem(
// LINALG-NOT: pool.
// LINALG-LABEL: func.func @positions(
func.func @stem(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %y = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}

// A pooling with positions stays: a position depends on the whole window.
// CHECK-LABEL: func.func @positions(
// CHECK: pool.max_pool %{{.*}} kernel [2, 2] :
func.func @positions(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>) {
  %y, %i = pool.max_pool %x kernel [2, 2]
      : tensor<1x1x4x4xf32> -> tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>
  return %y, %i : tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>
}
