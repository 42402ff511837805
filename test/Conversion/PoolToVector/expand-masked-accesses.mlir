// pool-expand-masked-accesses replaces loads and stores of ranges of lanes on
// machines without masks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-expand-masked-accesses=vector-bits=128 | FileCheck %s
// RUN: pool-opt %s --pool-expand-masked-accesses=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// RUN: pool-opt %s --pool-expand-masked-accesses=vector-bits=512 | FileCheck %s --check-prefix=NONE --implicit-check-not=vector.store --implicit-check-not=vector.load
// RUN: not pool-opt %s --pool-expand-masked-accesses=vector-bits=100 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: vector-bits must be a power of two from 64 to 65536, but is 100

// The run with 256 bits is for AVX2, which has masked loads of elements of 32
// bits and more, but no fast masked stores.
// AVX2-LABEL: @known
// AVX2:         vector.maskedload
// AVX2-COUNT-2: vector.store {{.*}} vector<4xf32>
// NONE-LABEL: @known
// NONE: vector.maskedload
// NONE: vector.maskedstore

// Lanes 1 to 5 are split into two parts of four.
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

// Loads the whole vector if the buffer has as many elements; otherwise loads
// element by element. A store has a part for each bit of the number of lanes,
// the longest part first.
// AVX2-LABEL: @unknown
// AVX2-NOT: vector.masked
// AVX2-LABEL: @begins_later
// CHECK-LABEL: @unknown(
// CHECK-SAME: %[[M:.*]]: memref<?xi8>, %[[I:.*]]: index, %[[N:.*]]: index
// CHECK: %[[NINES:.*]] = arith.constant dense<9>
// CHECK: %[[SIZE:.*]] = memref.dim %[[M]]
// CHECK: %[[BEGINS:.*]] = arith.cmpi sge, %[[I]], %c0
// CHECK: %[[MOST:.*]] = arith.subi %[[SIZE]], %c4
// CHECK: %[[ENDS:.*]] = arith.cmpi sge, %[[MOST]], %[[I]]
// CHECK: %[[FITS:.*]] = arith.andi %[[BEGINS]], %[[ENDS]]
// CHECK: %[[V:.*]] = scf.if %[[FITS]] -> (vector<4xi8>) {
// CHECK:   %[[FLAT:.*]] = memref.reinterpret_cast %[[M]] to offset: [0], sizes: [%[[SIZE]]], strides: [1]
// CHECK:   %[[ALL:.*]] = vector.load %[[FLAT]][%[[I]]] : memref<?xi8>, vector<4xi8>
// CHECK:   %[[WITHIN:.*]] = arith.cmpi slt, %{{.*}} : vector<4xi8>
// CHECK:   arith.select %[[WITHIN]], %[[ALL]], %[[NINES]]
// CHECK: } else {
// CHECK:   scf.for %[[LANE:.*]] = %c0{{.*}} to %{{.*}} iter_args(%[[LANES:.*]] = %[[NINES]])
// CHECK:     %[[X:.*]] = memref.load
// CHECK:     vector.insert %[[X]], %[[LANES]] [%[[LANE]]]
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

// CHECK-LABEL: @begins_later(
// CHECK: %[[BEFORE:.*]] = arith.cmpi slt, %{{.*}} : vector<4xi8>
// CHECK: %[[FROM:.*]] = arith.cmpi sge, %{{.*}} : vector<4xi8>
// CHECK: arith.andi %[[BEFORE]], %[[FROM]] : vector<4xi1>
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

// A number of lanes above the vector's length means all lanes.
// CHECK-LABEL: @too_many(
// CHECK: vector.store {{.*}} vector<4xi8>
// CHECK-NOT: vector.store
func.func @too_many(%m: memref<?xi8>, %i: index, %v: vector<4xi8>) {
  %c9 = arith.constant 9 : index
  %mask = vector.create_mask %c9 : vector<4xi1>
  vector.maskedstore %m[%i], %mask, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  return
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

// In a packed buffer, a load may read beyond the end of its row, up to the
// buffer's end. In a buffer with gaps between rows, it must read nothing
// outside the row.
// CHECK-LABEL: @rows(
// CHECK-SAME: %[[M:[^,]*]]: memref<3x?xi8>, %[[G:[^,]*]]: memref<3x?xi8, strided<[?, 1]>>, %[[I:[^,]*]]: index, %[[J:[^,]*]]: index
// CHECK: %[[WIDTH:.*]] = memref.dim %[[M]]
// CHECK: %[[START:.*]] = arith.muli %[[I]], %[[WIDTH]]
// CHECK: %[[POSITION:.*]] = arith.addi %[[J]], %[[START]]
// CHECK: %[[SIZE:.*]] = arith.muli %[[WIDTH]], %c3
// CHECK: memref.reinterpret_cast %[[M]] to offset: [0], sizes: [%[[SIZE]]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load %[[G]]
func.func @rows(%m: memref<3x?xi8>, %g: memref<3x?xi8, strided<[?, 1]>>, %i: index, %j: index,
                %n: index) -> (vector<4xi8>, vector<4xi8>) {
  %nines = arith.constant dense<9> : vector<4xi8>
  %first = vector.create_mask %n : vector<4xi1>
  %v = vector.maskedload %m[%i, %j], %first, %nines
      : memref<3x?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  %w = vector.maskedload %g[%i, %j], %first, %nines
      : memref<3x?xi8, strided<[?, 1]>>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  return %v, %w : vector<4xi8>, vector<4xi8>
}

// The mask has another use, so it stays. The operands of the complement may
// come in either order.
// CHECK-LABEL: @shared(
// CHECK: %[[MASK:.*]] = arith.xori
// CHECK-NOT: vector.maskedload
// CHECK: return %{{.*}}, %[[MASK]]
func.func @shared(%m: memref<?xi8, 3>, %i: index, %n: index, %others: vector<1xi8>)
    -> (vector<1xi8>, vector<1xi1>) {
  %true = arith.constant dense<true> : vector<1xi1>
  %first = vector.create_mask %n : vector<1xi1>
  %rest = arith.xori %true, %first : vector<1xi1>
  %v = vector.maskedload %m[%i], %rest, %others
      : memref<?xi8, 3>, vector<1xi1>, vector<1xi8> into vector<1xi8>
  return %v, %rest : vector<1xi8>, vector<1xi1>
}

// The number of lanes may be 128, which does not fit a signed byte. So lanes
// are loaded one by one.
// CHECK-LABEL: @long(
// CHECK-NOT: reinterpret_cast
// CHECK: scf.for
// CHECK: return
func.func @long(%m: memref<?xi8>, %i: index, %n: index, %others: vector<128xi8>)
    -> vector<128xi8> {
  %first = vector.create_mask %n : vector<128xi1>
  %v = vector.maskedload %m[%i], %first, %others
      : memref<?xi8>, vector<128xi1>, vector<128xi8> into vector<128xi8>
  return %v : vector<128xi8>
}

// The pass leaves these alone: masks that are no ranges, and stores of unknown
// ranges that do not begin at lane 0. Also elements whose size in memory
// differs from that of their type, numbers of lanes that are no powers of two,
// and unaligned addresses.
// CHECK-LABEL: @left(
// CHECK-NOT: scf
// CHECK-NOT: vector.{{load|store}}
// CHECK-COUNT-2: vector.maskedload
// CHECK-COUNT-3: vector.maskedstore
// CHECK: vector.maskedload
// CHECK-NOT: scf
// CHECK-NOT: vector.{{load|store}}
// CHECK: return
func.func @left(%m: memref<?xi8>, %odd: memref<?xi24>, %f: memref<?xf32>, %i: index,
                %n: index, %any: vector<4xi1>, %x: vector<3xi8>, %y: vector<4xi24>) {
  %true = arith.constant dense<true> : vector<4xi1>
  %nines = arith.constant dense<9> : vector<4xi8>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %gap = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %two = vector.constant_mask [2] : vector<3xi1>
  %first = vector.create_mask %n : vector<4xi1>
  %rest = arith.xori %first, %true : vector<4xi1>
  %v = vector.maskedload %m[%i], %any, %nines
      : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  %w = vector.maskedload %odd[%i], %first, %y
      : memref<?xi24>, vector<4xi1>, vector<4xi24> into vector<4xi24>
  vector.maskedstore %m[%i], %rest, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  vector.maskedstore %m[%i], %gap, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  vector.maskedstore %m[%i], %two, %x : memref<?xi8>, vector<3xi1>, vector<3xi8>
  %z = vector.maskedload %f[%i], %first, %zeros {alignment = 1}
      : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}
