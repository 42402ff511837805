// pool-map-to-gpu joins loops into one kernel. It must keep the order of loads
// and stores that the loops on the host have: where threads could change this
// order, loops must stay separate kernels, or serial.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-map-to-gpu --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// Two loops that store to one buffer, each in another order, stay two kernels.

// CHECK-LABEL: func @stores_in_two_orders(
// CHECK-COUNT-2: gpu.launch
func.func @stores_in_two_orders(%y: memref<8xf32>, %a: f32, %b: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %r = arith.subi %c7, %i : index
    memref.store %a, %y[%r] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %b, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// Two arguments may be one buffer.

// CHECK-LABEL: func @may_overlap(
// CHECK-COUNT-2: gpu.launch
func.func @may_overlap(%x: memref<8xf32>, %y: memref<8xf32>, %a: f32, %b: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %a, %x[%i] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %b, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// An average's division stores to the element that the same iteration has
// summed. Both loops become one kernel, also where a unit dimension has the
// constant index 0.

// CHECK-LABEL: func @same_element(
// CHECK:         gpu.launch
// CHECK:           arith.divf
// CHECK-NOT:     gpu.launch
func.func @same_element(%x: memref<1x8xf32>, %nine: f32) -> memref<1x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %y = memref.alloc() : memref<1x8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %x[%c0, %i] : memref<1x8xf32>
    memref.store %v, %y[%c0, %i] : memref<1x8xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %y[%c0, %i] : memref<1x8xf32>
    %w = arith.divf %v, %nine : f32
    memref.store %w, %y[%c0, %i] : memref<1x8xf32>
  }
  return %y : memref<1x8xf32>
}

// -----

// In each row, one iteration of the first loop and another iteration of the
// second loop store to the same element. In one kernel, these stores would have
// no order.

// CHECK-LABEL: func @element_of_a_row(
// CHECK-COUNT-2: gpu.launch
func.func @element_of_a_row(%y: memref<8xf32>, %a: f32, %b: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    %first = arith.cmpi eq, %j, %c0 : index
    scf.if %first {
      memref.store %a, %y[%i] : memref<8xf32>
    }
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    %second = arith.cmpi eq, %j, %c1 : index
    scf.if %second {
      memref.store %b, %y[%i] : memref<8xf32>
    }
  }
  return
}

// -----

// Upstream's fusion does not look at vector.store, so nothing is fused.

// CHECK-LABEL: func @other_access(
// CHECK-COUNT-2: gpu.launch
func.func @other_access(%x: memref<9xf32>, %y: memref<8xf32>, %v: vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    vector.store %v, %x[%i] : memref<9xf32>, vector<2xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %r = arith.subi %c7, %i : index
    %e = memref.load %x[%r] : memref<9xf32>
    memref.store %e, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// Arguments of an inner block may be one buffer, as here. Then each iteration
// needs the one before it.

// CHECK-LABEL: func @one_buffer_twice(
// CHECK:         gpu.launch
// CHECK:           scf.for
func.func @one_buffer_twice(%x: memref<9xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  cf.br ^bb1(%x, %x : memref<9xf32>, memref<9xf32>)
^bb1(%a: memref<9xf32>, %b: memref<9xf32>):
  // expected-warning@+1 {{these loops run in one thread}}
  scf.for %i = %c1 to %c8 step %c1 {
    %p = arith.subi %i, %c1 : index
    %v = memref.load %a[%p] : memref<9xf32>
    memref.store %v, %b[%i] : memref<9xf32>
  }
  return
}

// -----

// The effects of an operation with a region count, so this loop stays serial.

// CHECK-LABEL: func @atomic_update(
// CHECK:         gpu.launch
// CHECK:           scf.for
func.func @atomic_update(%h: memref<1xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2.0 : f32
  // expected-warning@+1 {{these loops run in one thread}}
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %x[%i] : memref<8xf32>
    %o = memref.generic_atomic_rmw %h[%c0] : memref<1xf32> {
    ^bb0(%current: f32):
      %d = arith.mulf %current, %two : f32
      %s = arith.addf %d, %v : f32
      memref.atomic_yield %s : f32
    }
    memref.store %o, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// The second result of an operation that moves into the kernel.

// CHECK-LABEL: func @second_result(
// CHECK:         gpu.launch
// CHECK:           %{{.+}}, %[[HIGH:.+]] = arith.mului_extended
// CHECK:           memref.store %[[HIGH]]
func.func @second_result(%y: memref<8xi32>, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %low, %high = arith.mului_extended %a, %b : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %high, %y[%i] : memref<8xi32>
  }
  return
}

// -----

// A loop from 0 to -2 has no iterations, so the launch has one block, whose
// threads do nothing.

// CHECK-LABEL: func @no_iterations(
// CHECK:         %[[ZERO:.+]] = arith.constant 0 : index
// CHECK:         arith.cmpi ult, %{{.+}}, %[[ZERO]] : index
func.func @no_iterations(%y: memref<?x?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant -2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%end, %end) step (%c1, %c1) {
    memref.store %v, %y[%i, %j] : memref<?x?xf32>
  }
  return
}

// -----

// Canonicalisation removes parallel loops of one iteration. These operations
// become a kernel of one thread.

// CHECK-LABEL: func @one_element(
// CHECK:         gpu.launch
// CHECK:           scf.for
// CHECK:           memref.store
// CHECK:           gpu.terminator
func.func @one_element(%x: memref<4xf32>, %y: memref<1xf32>, %lowest: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %max = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %lowest) -> f32 {
    %v = memref.load %x[%i] : memref<4xf32>
    %n = arith.maximumf %m, %v : f32
    scf.yield %n : f32
  }
  memref.store %max, %y[%c0] : memref<1xf32>
  return
}

// -----

// Constants lose their sign as types do.

// CHECK:       memref.global "private" constant @numbers : memref<2xi8> = dense<[1, -1]>
// CHECK-LABEL: func @unsigned_constant(
memref.global "private" constant @numbers : memref<2xui8> = dense<[1, 255]>
func.func @unsigned_constant(%y: memref<2xui8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.get_global @numbers : memref<2xui8>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %v = memref.load %x[%i] : memref<2xui8>
    memref.store %v, %y[%i] : memref<2xui8>
  }
  return
}
