// Copies that upstream would leave to its run-time library become loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-expand-strided-copies | FileCheck %s

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: memref<4x4xf32>, %[[Y:.*]]: memref<4x4xf32, strided<[8, 1]>>)
// CHECK: linalg.generic {{.*}} ins(%[[X]] : memref<4x4xf32>) outs(%[[Y]] : memref<4x4xf32, strided<[8, 1]>>)
// CHECK-NOT: memref.copy
func.func @strided(%x: memref<4x4xf32>, %y: memref<4x4xf32, strided<[8, 1]>>) {
  memref.copy %x, %y : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  return
}

// CHECK-LABEL: func.func @contiguous(
// CHECK-COUNT-2: memref.copy
func.func @contiguous(%x: memref<?x4xf32>, %y: memref<?x4xf32>,
                      %a: memref<4xf32>, %b: memref<4xf32, strided<[1], offset: ?>>) {
  memref.copy %x, %y : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
