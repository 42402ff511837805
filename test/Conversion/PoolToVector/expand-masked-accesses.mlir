// Loads and stores of ranges of lanes, where the machine has no masks for them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-expand-masked-accesses=vector-bits=128 | FileCheck %s
// RUN: pool-opt %s --pool-expand-masked-accesses=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// RUN: pool-opt %s --pool-expand-masked-accesses=vector-bits=512 | FileCheck %s --check-prefix=NONE --implicit-check-not=vector.store --implicit-check-not=vector.load
// RUN: not pool-opt %s --pool-expand-masked-accesses=vector-bits=100 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: vector-bits must be a power of two from 64 to 65536, but is 100

// AVX2 has loads of 32 bits and more, and no fast stores.
// AVX2-LABEL: @known
// AVX2:         vector.maskedload
// AVX2-COUNT-2: vector.store {{.*}} vector<4xf32>
// NONE-LABEL: @known
// NONE: vector.maskedload
// NONE: vector.maskedstore

// Lanes 1 to 5 are two parts of four.
// CHECK-LABEL: @known(
// CHECK-SAME: %[[M:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[OTHERS:.*]]: vector<8xf32>
// CHECK: %[[J:.*]] = arith.addi %[[I]], %c1
// CHECK: %[[A:.*]] = vector.load %[[M]][%[[J]]] : memref<?xf32>, vector<4xf32>
// CHECK: %[[K:.*]] = arith.addi %[[I]], %c2
// CHECK: %[[B:.*]] = vector.load %[[M]][%[[K]]] : memref<?xf32>, vector<4xf32>
// CHECK: %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [-1, 0, 1, 2, 3, 7, -1, -1]
// CHECK: %[[V:.*]] = vector.shuffle %[[AB]], %[[OTHERS]] [8, 1, 2, 3, 4, 5, 14, 15]
// CHECK: %[[C:.*]] = vector.shuffle %[[V]], %[[V]] [0, 1, 2, 3]
// CHECK: vector.store %[[C]], %[[M]][%{{.*}}] : memref<?xf32>, vector<4xf32>
// CHECK: %[[D:.*]] = vector.shuffle %[[V]], %[[V]] [2, 3, 4, 5]
// CHECK: vector.store %[[D]], %[[M]][%{{.*}}] : memref<?xf32>, vector<4xf32>
func.func @known(%m: memref<?xf32>, %i: index, %others: vector<8xf32>) {
  %middle = arith.constant dense<[0, 1, 1, 1, 1, 1, 0, 0]> : vector<8xi1>
  %v = vector.maskedload %m[%i], %middle, %others
      : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %first = vector.constant_mask [6] : vector<8xi1>
  vector.maskedstore %m[%i], %first, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// A full vector, or a part for each bit of the count: the longest comes first in
// memory.
// AVX2-LABEL: @unknown
// AVX2-NOT: vector.masked
// AVX2-LABEL: @begins_later
// CHECK-LABEL: @unknown(
// CHECK-SAME: %[[M:.*]]: memref<?xi8>, %[[I:.*]]: index, %[[N:.*]]: index
// CHECK: %[[V:.*]] = scf.if %{{.*}} -> (vector<4xi8>) {
// CHECK:   vector.load {{.*}} vector<4xi8>
// CHECK: } else {
// CHECK:   arith.constant dense<9> : vector<1xi8>
// CHECK:   %[[ONE:.*]] = scf.if %{{.*}} -> (vector<2xi8>) {
// CHECK:     %[[X:.*]] = vector.load {{.*}} vector<1xi8>
// CHECK:     vector.shuffle %[[X]], %{{.*}} [0, 1] : vector<1xi8>, vector<1xi8>
// CHECK:   %[[TWO:.*]] = scf.if %{{.*}} -> (vector<4xi8>) {
// CHECK:     %[[Y:.*]] = vector.load {{.*}} vector<2xi8>
// CHECK:     vector.shuffle %[[Y]], %[[ONE]] [0, 1, 2, 3]
// CHECK: scf.if %{{.*}} {
// CHECK:   vector.store %[[V]], {{.*}} vector<4xi8>
// CHECK: } else {
// CHECK:   %[[REST:.*]] = scf.if %{{.*}} -> (vector<2xi8>) {
// CHECK:     vector.store {{.*}} vector<2xi8>
// CHECK:     vector.shuffle %[[V]], %[[V]] [2, 3]
// CHECK:   } else {
// CHECK:     vector.shuffle %[[V]], %[[V]] [0, 1]
// CHECK:   scf.if
// CHECK:     vector.store {{.*}} vector<1xi8>
func.func @unknown(%m: memref<?xi8>, %i: index, %n: index) {
  %nines = arith.constant dense<9> : vector<4xi8>
  %first = vector.create_mask %n : vector<4xi1>
  %v = vector.maskedload %m[%i], %first, %nines
      : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.maskedstore %m[%i], %first, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  return
}

// From the first element on that is loaded, and then behind others.
// CHECK-LABEL: @begins_later(
// CHECK: vector.shuffle {{.*}} [0, 4, 5, 6]
// CHECK: vector.shuffle {{.*}} [0, 1, 4, 5]
func.func @begins_later(%m: memref<?xi8>, %i: index, %b: index, %e: index) -> vector<4xi8> {
  %nines = arith.constant dense<9> : vector<4xi8>
  %true = arith.constant dense<true> : vector<4xi1>
  %before = vector.create_mask %b : vector<4xi1>
  %from = arith.xori %before, %true : vector<4xi1>
  %until = vector.create_mask %e : vector<4xi1>
  %mask = arith.andi %until, %from : vector<4xi1>
  %v = vector.maskedload %m[%i], %mask, %nines
      : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  return %v : vector<4xi8>
}

// CHECK-LABEL: @nothing(
// CHECK-SAME: %{{.*}}, %[[OTHERS:.*]]: vector<4xi8>
// CHECK-NEXT: return %[[OTHERS]]
func.func @nothing(%m: memref<?xi8>, %i: index, %others: vector<4xi8>) -> vector<4xi8> {
  %none = arith.constant dense<false> : vector<4xi1>
  %v = vector.maskedload %m[%i], %none, %others
      : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.maskedstore %m[%i], %none, %others : memref<?xi8>, vector<4xi1>, vector<4xi8>
  return %v : vector<4xi8>
}

// Masks that are no ranges, lanes that differ, and stores that begin later.
// CHECK-LABEL: @left(
// CHECK-COUNT-2: vector.maskedload
// CHECK-COUNT-2: vector.maskedstore
// CHECK: return
func.func @left(%m: memref<?xi8>, %i: index, %n: index, %any: vector<4xi1>,
                %others: vector<4xi8>) {
  %true = arith.constant dense<true> : vector<4xi1>
  %nines = arith.constant dense<9> : vector<4xi8>
  %gap = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %first = vector.create_mask %n : vector<4xi1>
  %rest = arith.xori %first, %true : vector<4xi1>
  %v = vector.maskedload %m[%i], %any, %nines
      : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  %w = vector.maskedload %m[%i], %first, %others
      : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.maskedstore %m[%i], %rest, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  vector.maskedstore %m[%i], %gap, %w : memref<?xi8>, vector<4xi1>, vector<4xi8>
  return
}
