// pool-select-parallel-loops decides which loops stay parallel for threads, and
// in how many dimensions. Loops with too little work must become serial,
// because threads would cost more than they save.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-select-parallel-loops=grain=1000 --canonicalize | FileCheck %s

// The cost of an iteration is 9: 4 bytes loaded, 4 bytes stored, and 1 for the
// iteration itself. With 100 iterations this is too little work.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.parallel
// CHECK: scf.for
func.func @small(%x: memref<100xf32>, %y: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    %v = memref.load %x[%i] : memref<100xf32>
    memref.store %v, %y[%i] : memref<100xf32>
  }
  return
}

// A vector counts with all its bytes: the cost is 9 for each of 112 iterations,
// which is enough work.
// CHECK-LABEL: func.func @large(
// CHECK: scf.parallel
// CHECK-NOT: scf.for
func.func @large(%y: memref<112xf32>, %v: vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c112 = arith.constant 112 : index
  scf.parallel (%i) = (%c0) to (%c112) step (%c1) {
    vector.store %v, %y[%i] : memref<112xf32>, vector<2xf32>
  }
  return
}

// The first two dimensions have enough iterations for threads. The third
// dimension and the nested loops become sequential loops. Their trip counts
// multiply the cost.
// CHECK-LABEL: func.func @nest(
// CHECK-NOT: llvm.freeze
// CHECK: scf.parallel (%[[N:.*]], %[[C:.*]]) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step
// CHECK-NEXT: scf.for %[[H:.*]] =
// CHECK-NEXT: scf.for %[[W:.*]] =
// CHECK-NEXT: scf.for %[[K:.*]] =
// CHECK-NOT: scf.parallel
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[N]], %[[C]], %[[H]], %[[W]]]
func.func @nest(%y: memref<4x16x8x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%n, %c, %h) = (%c0, %c0, %c0) to (%c4, %c16, %c8) step (%c1, %c1, %c1) {
    scf.parallel (%w) = (%c0) to (%c8) step (%c1) {
      scf.for %k = %c0 to %c2 step %c1 {
        memref.store %v, %y[%n, %c, %h, %w] : memref<4x16x8x8xf32>
      }
    }
  }
  return
}

// A row is divided among threads only if there is no other dimension, not to
// get more pieces.
// CHECK-LABEL: func.func @rows(
// CHECK: scf.parallel (%{{[a-z0-9]*}}) =
// CHECK-NEXT: scf.for
// CHECK: scf.parallel (%{{[a-z0-9]*}}, %{{[a-z0-9]*}}) =
// CHECK-NOT: scf.for
func.func @rows(%y: memref<8x1000xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c1000) step (%c1, %c1) {
    memref.store %v, %y[%i, %j] : memref<8x1000xf32>
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c1000) step (%c1, %c1) {
    memref.store %v, %y[%i, %j] : memref<8x1000xf32>
  }
  return
}

// With unknown extents, the code decides at run time. A loop whose bounds
// depend on the iteration is assumed to have 4 iterations, here of 5 bytes. The
// 2 iterations around it count 1 more byte each. So the cost is 42 times n.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[Y:[^,]*]]: memref<?x?xf32>, %[[N:[^,]*]]: index
// CHECK-DAG: %[[GRAIN:.*]] = arith.constant 1000 : index
// CHECK-DAG: %[[EACH:.*]] = arith.constant 42 : index
// CHECK: %[[WORK:.*]] = arith.muli %[[N]], %[[EACH]] : index
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %[[WORK]], %[[GRAIN]] : index
// CHECK: scf.if %[[ENOUGH]] {
// CHECK: scf.parallel (%{{[a-z0-9]*}}) =
// CHECK: } else {
// CHECK-NOT: scf.parallel
// CHECK: scf.for
// CHECK: return
func.func @dynamic(%y: memref<?x?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c8) step (%c1, %c4) {
    scf.for %k = %c0 to %i step %c1 {
      memref.store %v, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// There may be a single image, so rows are divided among threads, too. OpenMP
// computes the number of a row by a division. The freeze hides this division
// from LLVM, which would otherwise repeat it in inner loops.
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK: scf.if
// CHECK: scf.parallel (%{{[a-z0-9]*}}, %[[ROW:[a-z0-9]*]]) =
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[ROW]] : index to i64
// CHECK: %[[FROZEN:.*]] = llvm.freeze %[[NUMBER]] : i64
// CHECK: %[[SAME:.*]] = arith.index_cast %[[FROZEN]] : i64 to index
// CHECK: vector.load %{{.*}}[%{{.*}}, %[[SAME]], %{{.*}}]
// CHECK: } else {
// CHECK-NOT: scf.parallel
// CHECK-NOT: llvm.freeze
// CHECK: return
func.func @dynamic_rows(%x: memref<?x?x16xf32>, %y: memref<?x?x16xf32>,
                        %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    %v = vector.load %x[%i, %j, %c0] : memref<?x?x16xf32>, vector<16xf32>
    vector.store %v, %y[%i, %j, %c0] : memref<?x?x16xf32>, vector<16xf32>
  }
  return
}

// These loops stay sequential: errors must come from the calling thread, and a
// call may raise an error.
// CHECK-LABEL: func.func @fails(
// CHECK-NOT: scf.parallel
// CHECK: cf.assert
// CHECK-NOT: scf.parallel
// CHECK: call @work
func.func private @work()
func.func @fails(%ok: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9999 = arith.constant 9999 : index
  scf.parallel (%i) = (%c0) to (%c9999) step (%c1) {
    cf.assert %ok, "no"
  }
  scf.parallel (%i) = (%c0) to (%c9999) step (%c1) {
    func.call @work() : () -> ()
  }
  return
}

// A sum must keep its order, so its loop stays sequential.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: scf.parallel
// CHECK: %[[SUM:.*]]:2 = scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f32, i32) {
// CHECK: %[[NEXT:.*]] = arith.addf %[[A]], %{{.*}} : f32
// CHECK: %[[LARGEST:.*]] = arith.maxsi %[[B]], %{{.*}} : i32
// CHECK: scf.yield %[[NEXT]], %[[LARGEST]]
// CHECK: return %[[SUM]]#0, %[[SUM]]#1
func.func @sum(%x: memref<9999xf32>, %y: memref<9999xi32>) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9999 = arith.constant 9999 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %sum, %largest = scf.parallel (%i) = (%c0) to (%c9999) step (%c1)
      init (%zero, %none) -> (f32, i32) {
    %v = memref.load %x[%i] : memref<9999xf32>
    %w = memref.load %y[%i] : memref<9999xi32>
    scf.reduce(%v, %w : f32, i32) {
    ^bb0(%a: f32, %b: f32):
      %next = arith.addf %a, %b : f32
      scf.reduce.return %next : f32
    }, {
    ^bb0(%a: i32, %b: i32):
      %larger = arith.maxsi %a, %b : i32
      scf.reduce.return %larger : i32
    }
  }
  return %sum, %largest : f32, i32
}

// The loop runs inside a thread already, so it must not start more threads.
// CHECK-LABEL: func.func @inside(
// CHECK: omp.parallel
// CHECK-NOT: scf.parallel
// CHECK: scf.for
func.func @inside(%y: memref<9999xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9999 = arith.constant 9999 : index
  omp.parallel {
    scf.parallel (%i) = (%c0) to (%c9999) step (%c1) {
      memref.store %v, %y[%i] : memref<9999xf32>
    }
    omp.terminator
  }
  return
}
