// What is certainly no other buffer is deallocated on its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-split-deallocations))' | FileCheck %s

// CHECK-LABEL: func.func @allocated(
// CHECK-SAME:    %[[C:[^:]*]]: i1
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:         bufferization.dealloc (%[[A]] : memref<f32>) if (%[[C]])
// CHECK-NEXT:    bufferization.dealloc (%[[B]] : memref<2xf32>) if (%{{.*}})
// CHECK-NEXT:    return
func.func @allocated(%c: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<2xf32>
  bufferization.dealloc (%a, %b : memref<f32>, memref<2xf32>) if (%c, %true)
  return
}

// What is retained stays together with what it may be.
// CHECK-LABEL: func.func @retained(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>
// CHECK:         %[[A:.*]] = memref.alloc(
// CHECK:         %[[B:.*]] = memref.alloc(
// CHECK:         bufferization.dealloc (%[[A]] : memref<?xf32>) if (%{{.*}})
// CHECK-NEXT:    %[[OWNED:.*]] = bufferization.dealloc (%[[B]], %[[X]] : {{.*}} retain (%[[B]] :
// CHECK-NEXT:    return %[[B]], %[[OWNED]]
func.func @retained(%x: memref<?xf32>, %n: index, %c: i1)
    -> (memref<?xf32>, i1) {
  %true = arith.constant true
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %owned = bufferization.dealloc
      (%a, %b, %x : memref<?xf32>, memref<?xf32>, memref<?xf32>)
      if (%true, %true, %c) retain (%b : memref<?xf32>)
  return %b, %owned : memref<?xf32>, i1
}

// What may be one of the others keeps all together, and so does a second mention.
// CHECK-LABEL: func.func @unknown(
// CHECK:         bufferization.dealloc (%{{.*}}, %{{.*}} : memref<f32>, memref<f32>)
// CHECK-NEXT:    bufferization.dealloc (%{{.*}}, %{{.*}} : memref<f32>, memref<f32>)
func.func @unknown(%c: i1, %d: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  %either = arith.select %c, %a, %b : memref<f32>
  bufferization.dealloc (%a, %either : memref<f32>, memref<f32>) if (%c, %d)
  bufferization.dealloc (%b, %b : memref<f32>, memref<f32>) if (%c, %d)
  return
}
