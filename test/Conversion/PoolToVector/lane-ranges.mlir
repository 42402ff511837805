// Tests loadLanes() and storeLanes() of convert-pool-to-vector, which access
// only a range of a vector's lanes. They must become masked accesses, or
// accesses to parts of the vector on machines without masks. No access may
// leave the buffer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-test-opt %s --allow-unregistered-dialect --test-pool-lane-ranges=vector-bits=128 | FileCheck %s
// RUN: pool-test-opt %s --allow-unregistered-dialect --test-pool-lane-ranges=vector-bits=256 | FileCheck %s --check-prefix=AVX2
// RUN: pool-test-opt %s --allow-unregistered-dialect --test-pool-lane-ranges=vector-bits=512 | FileCheck %s --check-prefix=NONE --implicit-check-not=vector.store --implicit-check-not=vector.load

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
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %v = "test.load_lanes"(%m, %i, %c1, %c6, %others)
      : (memref<?xf32>, index, index, index, vector<8xf32>) -> vector<8xf32>
  "test.store_lanes"(%v, %m, %i, %c0, %c6)
      : (vector<8xf32>, memref<?xf32>, index, index, index) -> ()
  return
}

// Loads the whole vector if the buffer has enough elements; otherwise loads
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
// CHECK:   %[[ALL:.*]] = vector.load %[[M]][%[[I]]] : memref<?xi8>, vector<4xi8>
// CHECK:   %[[WITHIN:.*]] = arith.cmpi sgt, %{{.*}} : vector<4xi8>
// CHECK:   arith.select %[[WITHIN]], %[[ALL]], %[[NINES]]
// CHECK: } else {
// CHECK:   scf.for %[[LANE:.*]] = %c0{{.*}} to %{{.*}} iter_args(%[[LANES:.*]] = %[[NINES]])
// CHECK:     %[[X:.*]] = memref.load
// CHECK:     vector.insert %[[X]], %[[LANES]] [%[[LANE]]]
// CHECK: scf.if %{{.*}} {
// CHECK:   vector.store %[[V]], {{.*}} vector<4xi8>
// CHECK: } else {
// CHECK:   %[[FIRST:.*]] = vector.shuffle %[[V]], %[[V]] [0, 1]
// CHECK:   %[[REST:.*]] = scf.if %{{.*}} -> (vector<2xi8>) {
// CHECK:     vector.store %[[FIRST]], {{.*}} vector<2xi8>
// CHECK:     vector.shuffle %[[V]], %[[V]] [2, 3]
// CHECK:   } else {
// CHECK:     scf.yield %[[FIRST]]
// CHECK:   vector.shuffle %[[REST]], %[[REST]] [0]
// CHECK:   scf.if
// CHECK:     vector.store {{.*}} vector<1xi8>
func.func @unknown(%m: memref<?xi8>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %nines = arith.constant dense<9> : vector<4xi8>
  %v = "test.load_lanes"(%m, %i, %c0, %n, %nines)
      : (memref<?xi8>, index, index, index, vector<4xi8>) -> vector<4xi8>
  "test.store_lanes"(%v, %m, %i, %c0, %n)
      : (vector<4xi8>, memref<?xi8>, index, index, index) -> ()
  return
}

// CHECK-LABEL: @begins_later(
// CHECK: %[[BEFORE:.*]] = arith.cmpi sgt, %{{.*}} : vector<4xi8>
// CHECK: %[[FROM:.*]] = arith.cmpi sle, %{{.*}} : vector<4xi8>
// CHECK: arith.andi %[[BEFORE]], %[[FROM]] : vector<4xi1>
func.func @begins_later(%m: memref<?xi8>, %i: index, %b: index, %e: index) -> vector<4xi8> {
  %nines = arith.constant dense<9> : vector<4xi8>
  %v = "test.load_lanes"(%m, %i, %b, %e, %nines)
      : (memref<?xi8>, index, index, index, vector<4xi8>) -> vector<4xi8>
  return %v : vector<4xi8>
}

// A number of lanes above the vector's length means all lanes.
// NONE-LABEL: @too_many(
// NONE: vector.store {{.*}} vector<4xi8>
// CHECK-LABEL: @too_many(
// CHECK: vector.store {{.*}} vector<4xi8>
// CHECK-NOT: vector.store
func.func @too_many(%m: memref<?xi8>, %i: index, %v: vector<4xi8>) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  "test.store_lanes"(%v, %m, %i, %c0, %c9)
      : (vector<4xi8>, memref<?xi8>, index, index, index) -> ()
  return
}

// CHECK-LABEL: @nothing(
// CHECK-SAME: %{{.*}}, %[[OTHERS:.*]]: vector<4xi8>
// CHECK-NOT: {{vector|memref}}.{{load|store}}
// CHECK: return %[[OTHERS]]
func.func @nothing(%m: memref<?xi8>, %i: index, %others: vector<4xi8>) -> vector<4xi8> {
  %c2 = arith.constant 2 : index
  %v = "test.load_lanes"(%m, %i, %c2, %c2, %others)
      : (memref<?xi8>, index, index, index, vector<4xi8>) -> vector<4xi8>
  "test.store_lanes"(%v, %m, %i, %c2, %c2)
      : (vector<4xi8>, memref<?xi8>, index, index, index) -> ()
  return %v : vector<4xi8>
}

// In a packed buffer, a load may read beyond the end of its row, up to the
// buffer's end. In a buffer with gaps between rows, it must read nothing
// outside the row.
// CHECK-LABEL: @rows(
// CHECK-SAME: %[[M:[^,]*]]: memref<3x?xi8>, %[[G:[^,]*]]: memref<3x?xi8, strided<[?, 1]>>, %[[I:[^,]*]]: index, %[[J:[^,]*]]: index
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[M]]
// CHECK: %[[WIDTH:.*]] = memref.dim %[[M]]
// CHECK: %[[START:.*]] = arith.muli %[[I]], %[[WIDTH]]
// CHECK: %[[POSITION:.*]] = arith.addi %[[START]], %[[J]]
// CHECK: %[[SIZE:.*]] = arith.muli %[[WIDTH]], %c3
// CHECK: arith.subi %[[SIZE]], %c4
// CHECK: vector.load %[[FLAT]][%[[POSITION]]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load %[[G]]
func.func @rows(%m: memref<3x?xi8>, %g: memref<3x?xi8, strided<[?, 1]>>, %i: index, %j: index,
                %n: index) -> (vector<4xi8>, vector<4xi8>) {
  %c0 = arith.constant 0 : index
  %nines = arith.constant dense<9> : vector<4xi8>
  %v = "test.load_lanes"(%m, %i, %j, %c0, %n, %nines)
      : (memref<3x?xi8>, index, index, index, index, vector<4xi8>) -> vector<4xi8>
  %w = "test.load_lanes"(%g, %i, %j, %c0, %n, %nines)
      : (memref<3x?xi8, strided<[?, 1]>>, index, index, index, index, vector<4xi8>) -> vector<4xi8>
  return %v, %w : vector<4xi8>, vector<4xi8>
}

// The number of lanes may be 128, which does not fit a signed byte. So lanes
// are loaded one by one.
// CHECK-LABEL: @long(
// CHECK-NOT: vector.load
// CHECK: scf.for
// CHECK: return
func.func @long(%m: memref<?xi8>, %i: index, %n: index, %others: vector<128xi8>)
    -> vector<128xi8> {
  %c0 = arith.constant 0 : index
  %v = "test.load_lanes"(%m, %i, %c0, %n, %others)
      : (memref<?xi8>, index, index, index, vector<128xi8>) -> vector<128xi8>
  return %v : vector<128xi8>
}

// A store of an unknown range that does not begin at lane 0 stays masked.
// CHECK-LABEL: @masked(
// CHECK: vector.maskedstore
func.func @masked(%m: memref<?xi8>, %i: index, %b: index, %e: index, %v: vector<4xi8>) {
  "test.store_lanes"(%v, %m, %i, %b, %e)
      : (vector<4xi8>, memref<?xi8>, index, index, index) -> ()
  return
}
