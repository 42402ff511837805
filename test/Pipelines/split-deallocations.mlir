// pool-split-deallocations: a buffer that certainly differs from all others is
// deallocated separately, without comparing addresses. A buffer that may equal
// another must stay with it, or it would be freed twice.
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

// Upstream lists the bases of buffers. An argument that the function does not
// own is removed from the list.
// CHECK-LABEL: func.func @bases(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK-NOT:     bufferization.dealloc (%{{.*}},
// CHECK:         bufferization.dealloc (%[[A]] : memref<2xf32>) if
// CHECK-NEXT:    bufferization.dealloc (%[[B]] : memref<2xf32>) if
// CHECK-NEXT:    return
func.func @bases(%x: memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %x0, %x1, %x2, %x3 = memref.extract_strided_metadata %x : memref<2xf32> -> memref<f32>, index, index, index
  %a0, %a1, %a2, %a3 = memref.extract_strided_metadata %a : memref<2xf32> -> memref<f32>, index, index, index
  %b0, %b1, %b2, %b3 = memref.extract_strided_metadata %b : memref<2xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%x0, %a0, %b0 : memref<f32>, memref<f32>, memref<f32>) if (%false, %true, %true)
  return
}

// A result is not freed, and belongs to the caller if this function owned it.
// An argument that is returned stays the caller's, so its flag is false.
// CHECK-LABEL: func.func @results(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>
// CHECK-SAME:    %[[C:[^:]*]]: i1
// CHECK:         %[[A:.*]] = memref.alloc(
// CHECK:         %[[B:.*]] = memref.alloc(
// CHECK:         bufferization.dealloc (%[[A]] : memref<?xf32>) if (%{{.*}})
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    return %[[B]], %[[X]], %[[C]], %[[FALSE]]
func.func @results(%x: memref<?xf32>, %n: index, %c: i1)
    -> (memref<?xf32>, memref<?xf32>, i1, i1) {
  %true = arith.constant true
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %owned:2 = bufferization.dealloc (%a, %b : memref<?xf32>, memref<?xf32>)
      if (%true, %c) retain (%b, %x : memref<?xf32>, memref<?xf32>)
  return %b, %x, %owned#0, %owned#1 : memref<?xf32>, memref<?xf32>, i1, i1
}

// If an argument may have to be freed, upstream compares it with the results.
// CHECK-LABEL: func.func @retained(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xf32>
// CHECK-SAME:    %[[C:[^:]*]]: i1
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    %[[B:.*]] = memref.alloc(
// CHECK-NEXT:    bufferization.dealloc (%[[X]] : memref<?xf32>) if (%[[C]])
// CHECK-NEXT:    return %[[B]], %[[TRUE]]
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

// A buffer that may equal another stays with it. If a buffer is listed twice, it
// is freed if one of its conditions is true.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:    %[[C:[^:]*]]: i1, %[[D:[^:]*]]: i1
// CHECK:         bufferization.dealloc (%{{.*}}, %{{.*}} : memref<f32>, memref<f32>)
// CHECK-NEXT:    %[[EITHER:.*]] = arith.ori %[[C]], %[[D]]
// CHECK-NEXT:    bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[EITHER]])
func.func @unknown(%c: i1, %d: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  %either = arith.select %c, %a, %b : memref<f32>
  bufferization.dealloc (%a, %either : memref<f32>, memref<f32>) if (%c, %d)
  bufferization.dealloc (%b, %b : memref<f32>, memref<f32>) if (%c, %d)
  return
}

// If buffers must still be compared, all casts are folded first. Otherwise
// upstream's simplification crashes, because values fold while it compares
// them.
// CHECK-LABEL: func.func @folded(
// CHECK:         %[[VIEW:.*]] = memref.subview
// CHECK-NEXT:    %[[CAST:.*]] = memref.cast %[[VIEW]] : {{.*}} to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    %[[R:.*]] = call @callee(%[[CAST]])
func.func private @callee(memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32>
func.func @folded(%x: memref<?xf32>, %n: index, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %view = memref.subview %a[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  %cast = memref.cast %view : memref<2xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: 1>>
  %again = memref.cast %cast : memref<?xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: ?>>
  %r = call @callee(%again) : (memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<?xf32> -> memref<f32>, index, index, index
  %owned = bufferization.dealloc (%base : memref<f32>) if (%c) retain (%r : memref<?xf32>)
  return %r : memref<?xf32>
}
