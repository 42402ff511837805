// pool-map-to-gpu turns parallel loops into kernels with a thread for each
// iteration. Threads without an iteration must do nothing, and a grid must not
// exceed the limits of GPUs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-map-to-gpu=block=128 --canonicalize --cse | FileCheck %s --implicit-check-not=scf.parallel
// RUN: pool-opt %s --pool-map-to-gpu="flatten=true" --canonicalize --cse | FileCheck %s --check-prefix=FLAT

// The last block has threads without an element. Constants are inside.
// CHECK-LABEL: func.func @static(
// CHECK-SAME: %[[X:.*]]: memref<4x100xi8>, %[[Y:.*]]: memref<4x100xi8>
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C100:.*]] = arith.constant 100 : index
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG: %[[C400:.*]] = arith.constant 400 : index
// CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[C4]], %{{.*}} = %[[C1]], %{{.*}} = %[[C1]]) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[C128]],
// CHECK: %[[FIRST:.*]] = arith.muli %[[BX]], %[[C128]]
// CHECK: %[[ID:.*]] = arith.addi %[[FIRST]], %[[TX]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ID]], %[[C400]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK: %[[J:.*]] = arith.remui %[[ID]], %[[C100]]
// CHECK: %[[I:.*]] = arith.divui %[[ID]], %[[C100]]
// CHECK: memref.load %[[X]][%[[I]], %[[J]]]
func.func @static(%x: memref<4x100xui8>, %y: memref<4x100xui8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c100) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : memref<4x100xui8>
    memref.store %v, %y[%i, %j] : memref<4x100xui8>
  }
  return
}

// A grid is never empty, and continues in y and z after 65,535 blocks.
// CHECK-LABEL: func.func @dynamic(
// CHECK-DAG: %[[C127:.*]] = arith.constant 127 : index
// CHECK-DAG: %[[MOST:.*]] = arith.constant 65535 : index
// CHECK: %[[N:.*]] = memref.dim
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[C127]]
// CHECK: %[[BLOCKS:.*]] = arith.divui %[[SUM]], %{{.*}}
// CHECK: %[[SOME:.*]] = arith.maxsi %[[BLOCKS]], %{{.*}}
// CHECK: %[[COLUMNS:.*]] = arith.minsi %[[SOME]], %[[MOST]]
// CHECK: %[[ROWS:.*]] = arith.minsi %{{.*}}, %[[MOST]]
// CHECK: %[[PLANES:.*]] = arith.minsi %{{.*}}, %[[MOST]]
// CHECK: gpu.launch blocks(%[[BX:.*]], %[[BY:.*]], %[[BZ:.*]]) in (%{{.*}} = %[[COLUMNS]], %{{.*}} = %[[ROWS]], %{{.*}} = %[[PLANES]])
// CHECK: %[[BEFORE:.*]] = arith.muli %[[BZ]], %{{.*}}
// CHECK: %[[ROW:.*]] = arith.addi %[[BEFORE]], %[[BY]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %{{.*}}
// CHECK: arith.addi %[[FIRST]], %[[BX]]
// FLAT-LABEL: func.func @dynamic(
// FLAT-SAME: %[[X:.*]]: memref<?x8xf32>, %[[Y:.*]]: memref<?x8xf32>
// FLAT-DAG: %[[FLAT_X:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]] : memref<?x8xf32> into memref<?xf32>
// FLAT-DAG: %[[FLAT_Y:.*]] = memref.collapse_shape %[[Y]]
// FLAT: gpu.launch
// FLAT: memref.load %[[FLAT_X]][%[[P:.*]]] : memref<?xf32>
// FLAT: memref.store %{{.*}}, %[[FLAT_Y]][%[[P]]] : memref<?xf32>
func.func @dynamic(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c8) step (%c1, %c1) {
    %v = memref.load %x[%i, %j] : memref<?x8xf32>
    memref.store %v, %y[%i, %j] : memref<?x8xf32>
  }
  return
}

// Bounds and steps that are not 0 and 1.
// CHECK-LABEL: func.func @steps(
// CHECK: %[[Q:.*]] = arith.muli %{{.*}}, %c3
// CHECK: %[[P:.*]] = arith.addi %[[Q]], %c2
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[P]]]
func.func @steps(%y: memref<100xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i) = (%c2) to (%c100) step (%c3) {
    memref.store %v, %y[%i] : memref<100xf32>
  }
  return
}

// Loops of the same extents become one kernel, although an allocation lies
// between them. The buffer between them disappears.
// CHECK-LABEL: func.func @fused(
// CHECK: memref.alloc() : memref<64xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch
// CHECK: %[[V:.*]] = memref.load
// CHECK-NEXT: %[[W:.*]] = arith.negf %[[V]]
// CHECK-NEXT: memref.store %[[W]]
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @fused(%x: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %t[%i] : memref<64xf32>
  }
  %y = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %t[%i] : memref<64xf32>
    %w = arith.negf %v : f32
    memref.store %w, %y[%i] : memref<64xf32>
  }
  return %y : memref<64xf32>
}

// The second loop reads other elements than the first wrote in the same
// iteration, so it is a kernel of its own.
// CHECK-LABEL: func.func @reversed(
// CHECK-COUNT-2: gpu.launch
func.func @reversed(%x: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %t[%i] : memref<64xf32>
  }
  %y = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %r = arith.subi %c63, %i : index
    %v = memref.load %t[%r] : memref<64xf32>
    memref.store %v, %y[%i] : memref<64xf32>
  }
  return %y : memref<64xf32>
}

// Copies are kernels, too. A loop in a thread is serial.
// CHECK-LABEL: func.func @copy_and_inner_loop(
// CHECK: gpu.launch
// CHECK: gpu.launch
// CHECK: scf.for
func.func @copy_and_inner_loop(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
      %v = memref.load %x[%j] : memref<8xf32>
      memref.store %v, %z[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// A copy in a loop becomes serial loops. SPIR-V takes slices as positions in
// the whole buffer.
// CHECK-LABEL: func.func @copy_rows(
// CHECK-SAME: %[[X:.*]]: memref<4x?xf32>, %[[Y:.*]]: memref<4x8xf32>
// CHECK: gpu.launch
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast %[[X]]
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[V:.*]] = memref.load %[[ROW]][%[[I]]]
// CHECK: memref.store %[[V]], %{{.*}}[%[[I]]]
// FLAT-LABEL: func.func @copy_rows(
// FLAT-SAME: %[[X:.*]]: memref<4x?xf32>, %[[Y:.*]]: memref<4x8xf32>, %[[N:.*]]: index
// FLAT-DAG: %[[FLAT_X:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]] : memref<4x?xf32> into memref<?xf32>
// FLAT-DAG: %[[FLAT_Y:.*]] = memref.collapse_shape %[[Y]] {{\[\[}}0, 1]] : memref<4x8xf32> into memref<32xf32>
// FLAT: gpu.launch
// FLAT-DAG: %[[FROM:.*]] = arith.muli %[[ROW:.*]], %[[N]]
// FLAT-DAG: %[[TO:.*]] = arith.muli %[[ROW]], %{{.*}}
// FLAT: scf.for %[[I:.*]] =
// FLAT: %[[TWICE:.*]] = arith.muli %[[I]], %c2
// FLAT: %[[P:.*]] = arith.addi %[[FROM]], %[[TWICE]]
// FLAT: %[[V:.*]] = memref.load %[[FLAT_X]][%[[P]]] : memref<?xf32>
// FLAT: %[[Q:.*]] = arith.addi %[[TO]], %[[I]]
// FLAT: memref.store %[[V]], %[[FLAT_Y]][%[[Q]]] : memref<32xf32>
func.func @copy_rows(%x: memref<4x?xf32>, %y: memref<4x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %from = arith.muli %i, %n : index
    %to = arith.muli %i, %c8 : index
    %s = memref.reinterpret_cast %x to offset: [%from], sizes: [4], strides: [2] : memref<4x?xf32> to memref<4xf32, strided<[2], offset: ?>>
    %t = memref.reinterpret_cast %y to offset: [%to], sizes: [4], strides: [1] : memref<4x8xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<4xf32, strided<[2], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  }
  return
}

// Each iteration gets a slice of a buffer. The last tile is smaller, and
// the slices are as large as the others.
// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: %{{.*}}: memref<10xf32>, %[[N:.*]]: index
// CHECK: %[[BOUND:.*]] = arith.maxsi %[[N]], %{{.*}}
// CHECK: %[[T:.*]] = memref.alloc(%[[BOUND]]) : memref<3x4x?xf32>
// CHECK: gpu.launch
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[T]][%[[I:.*]], %[[J:.*]], %{{.*}}]
// CHECK: memref.load %[[T]][%[[I]], %{{.*}}, %{{.*}}]
// FLAT-LABEL: func.func @tiles(
// FLAT: %[[T:.*]] = memref.alloc(%{{.*}}) : memref<3x4x?xf32>
// FLAT: memref.collapse_shape %[[T]]
func.func @tiles(%y: memref<10xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c4) {
    %rest = arith.subi %c10, %i : index
    %size = arith.minsi %rest, %c4 : index
    %t = memref.alloc(%size, %n) : memref<?x?xf32>
    scf.parallel (%j, %k) = (%c0, %c0) to (%size, %n) step (%c1, %c1) {
      memref.store %v, %t[%j, %k] : memref<?x?xf32>
    }
    scf.parallel (%j) = (%c0) to (%size) step (%c1) {
      %w = memref.load %t[%j, %c0] : memref<?x?xf32>
      %at = arith.addi %i, %j : index
      memref.store %w, %y[%at] : memref<10xf32>
    }
  }
  return
}

// The extents of tiles are bounded by numbers that are known at run time.
// CHECK-LABEL: func.func @tiles_of_unknown_extents(
// CHECK-SAME: %{{.*}}: memref<?xf32>, %[[N:.*]]: index, %[[STEP:.*]]: index
// CHECK: %[[REST:.*]] = arith.maxsi %[[N]], %{{.*}}
// CHECK: %[[LEAST:.*]] = arith.minsi %[[STEP]], %[[N]]
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[LEAST]], %{{.*}}
// CHECK: memref.alloc(%{{.*}}, %[[SIZE]], %[[REST]]) : memref<?x?x?xf32>
// CHECK: gpu.launch
func.func @tiles_of_unknown_extents(%y: memref<?xf32>, %n: index, %step: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%step) {
    %rest = arith.subi %n, %i : index
    %size = arith.minsi %step, %rest : index
    %t = memref.alloc(%size, %rest) : memref<?x?xf32>
    scf.parallel (%j) = (%c0) to (%size) step (%c1) {
      memref.store %v, %t[%j, %c0] : memref<?x?xf32>
    }
    %w = memref.load %t[%c0, %c1] : memref<?x?xf32>
    memref.store %w, %y[%i] : memref<?xf32>
  }
  return
}

// The smallest of several bounds counts, in any order. The maximum of a loaded
// number's type does not count as a bound.
// CHECK-LABEL: func.func @least_bound(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[STEP:[^:]*]]: index
// CHECK: %[[LEAST:.*]] = arith.minsi %[[N]], %[[STEP]]
// CHECK: %[[BOUND:.*]] = arith.maxsi %[[LEAST]], %{{.*}}
// CHECK: memref.alloc(%{{.*}}, %[[BOUND]], %[[BOUND]]) : memref<?x?x?xf32>
// CHECK: gpu.launch
func.func @least_bound(%n: index, %step: index, %y: memref<?xf32>, %sizes: memref<?xi32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%step) {
    %rest = arith.subi %n, %i : index
    %size = arith.minsi %rest, %step : index
    %loaded = memref.load %sizes[%i] : memref<?xi32>
    %given = arith.index_cast %loaded : i32 to index
    %least = arith.minsi %given, %size : index
    %t = memref.alloc(%size, %least) : memref<?x?xf32>
    memref.store %v, %t[%c0, %c0] : memref<?x?xf32>
    %w = memref.load %t[%c0, %c1] : memref<?x?xf32>
    memref.store %w, %y[%i] : memref<?xf32>
  }
  return
}

// The extent may be negative where the allocation does not run.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[BOUND:.*]] = arith.maxsi %[[N]], %{{.*}}
// CHECK: memref.alloc(%[[BOUND]]) : memref<8x?xf32>
func.func @guarded(%n: index, %y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.if %some {
      %t = memref.alloc(%n) : memref<?xf32>
      memref.store %v, %t[%c0] : memref<?xf32>
      %w = memref.load %t[%c0] : memref<?xf32>
      memref.store %w, %y[%i] : memref<8xf32>
    }
  }
  return
}
