// pool-expand-strided-copies must turn copies of buffers with gaps into loops.
// Upstream would leave them to its run-time library (memrefCopy), which
// compiled code does not link.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-expand-strided-copies | FileCheck %s
// RUN: pool-opt %s --pool-expand-strided-copies=parallel | FileCheck %s --check-prefix=PARALLEL

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: memref<?x4xf32>, %[[Y:.*]]: memref<?x4xf32, strided<[8, 1]>>)
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c4
// CHECK: %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK: memref.store %[[V]], %[[Y]][%[[I]], %[[J]]]
// CHECK-NOT: memref.copy
// PARALLEL: scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %c4)
func.func @strided(%x: memref<?x4xf32>, %y: memref<?x4xf32, strided<[8, 1]>>) {
  memref.copy %x, %y : memref<?x4xf32> to memref<?x4xf32, strided<[8, 1]>>
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

// CHECK-LABEL: func.func @empty(
// CHECK-NOT: memref.copy
func.func @empty(%a: memref<0x4xf32, strided<[4, 1], offset: 2>>, %b: memref<0x4xf32>) {
  memref.copy %a, %b : memref<0x4xf32, strided<[4, 1], offset: 2>> to memref<0x4xf32>
  return
}
