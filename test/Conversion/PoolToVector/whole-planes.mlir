// The strategy "global" of convert-pool-to-vector, for windows that are whole
// planes. It reduces several planes at once, one for each lane of a vector of
// results, so that no lane is wasted.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=128" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// Six elements are one vector, and two lanes of a second one, which this machine
// masks fast. The vectors of four planes are merged in two steps.

// CHECK-LABEL: func.func @short(
// CHECK-SAME:    %[[X:.+]]: memref<1x4x2x3xf32>, %[[Y:.+]]: memref<1x4x1x1xf32>)
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK-DAG:     %[[SIX:.+]] = arith.constant 6 : index
// CHECK-DAG:     %[[NOTHING:.+]] = arith.constant dense<0.000000e+00>
// CHECK-DAG:     %[[MASK:.+]] = arith.constant dense<[true, true, false, false]>
// CHECK-DAG:     %[[PLANES:.+]] = memref.collapse_shape %[[X]] {{\[}}[0], [1, 2, 3]]
// CHECK-DAG:     %[[RESULTS:.+]] = memref.collapse_shape %[[Y]] {{\[}}[0], [1, 2, 3]]
// CHECK:         %[[BEGIN:.+]] = vector.load %[[PLANES]][%[[ZERO]], %[[ZERO]]]
// CHECK:         %[[REST:.+]] = vector.maskedload %[[PLANES]][%[[ZERO]], %[[FOUR]]], %[[MASK]], %[[NOTHING]]
// CHECK:         %[[A:.+]] = arith.addf %[[BEGIN]], %[[REST]]
// CHECK:         vector.load %[[PLANES]][%[[ZERO]], %[[SIX]]]
// CHECK:         %[[B:.+]] = arith.addf
// CHECK:         %[[AB0:.+]] = vector.shuffle %[[A]], %[[B]] [0, 4, 2, 6]
// CHECK:         %[[AB1:.+]] = vector.shuffle %[[A]], %[[B]] [1, 5, 3, 7]
// CHECK:         %[[AB:.+]] = arith.addf %[[AB0]], %[[AB1]]
// CHECK:         %[[ALL0:.+]] = vector.shuffle %[[AB]], %[[CD:.+]] [0, 1, 4, 5]
// CHECK:         %[[ALL1:.+]] = vector.shuffle %[[AB]], %[[CD]] [2, 3, 6, 7]
// CHECK:         %[[ALL:.+]] = arith.addf %[[ALL0]], %[[ALL1]]
// CHECK:         vector.store %[[ALL]], %[[RESULTS]]
func.func @short(%x: memref<1x4x2x3xf32>, %y: memref<1x4x1x1xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x4x2x3xf32>)
    outs(%y : memref<1x4x1x1xf32>) kernel [2, 3] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
  return
}

// -----

// A maximum may read elements twice. So the second vector of planes moves back,
// and only one of its planes is new.

// CHECK-LABEL: func.func @overlapping(
// CHECK-SAME:    %[[X:.+]]: memref<1x5x6xi32>,
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[SIX:.+]] = arith.constant 6 : index
// CHECK-DAG:     %[[PLANES:.+]] = memref.collapse_shape %[[X]] {{\[}}[0], [1, 2]]
// CHECK:         scf.parallel
// CHECK:           %[[C:.+]] = arith.minsi %{{.+}}, %[[ONE]]
// CHECK:           %[[FIRST:.+]] = arith.muli %[[C]], %[[SIX]]
// CHECK:           vector.load %[[PLANES]][%[[ZERO]], %[[FIRST]]]
// CHECK:           %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[TWO]]
// CHECK:           vector.load %[[PLANES]][%[[ZERO]], %[[SECOND]]]
// CHECK-NOT:       arith.select
// CHECK-NOT:       vector.maskedload
// CHECK:         return
func.func @overlapping(%x: memref<1x5x6xi32>, %y: memref<1x5x1xi32>) {
  pool.window_reduce <max> ins(%x : memref<1x5x6xi32>)
    outs(%y : memref<1x5x1xi32>) kernel [6] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
  return
}

// -----

// Long planes are reduced one by one, with several accumulators. Then the lanes
// of a plane merge into one result.

// CHECK-LABEL: func.func @long(
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK:         scf.parallel (%{{.+}}) = (%{{.+}}) to (%[[FOUR]]) step
// CHECK:           scf.for {{.+}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
// CHECK-COUNT-8:     vector.load
// CHECK:           vector.shuffle
// CHECK:           %[[RESULT:.+]] = vector.extract %{{.+}}[0]
// CHECK:           memref.store %[[RESULT]]
func.func @long(%x: memref<1x4x5000xf32>, %y: memref<1x4x1xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x4x5000xf32>)
    outs(%y : memref<1x4x1xf32>) kernel [5000] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
  return
}

// -----

// Whether the window is the whole plane is known only at run time, so the code
// tests it.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:.+]]: memref<1x4x?xf32>, %[[Y:.+]]: memref<1x4x?xf32>)
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[KERNEL:.+]] = arith.constant 20 : index
// CHECK-DAG:     %[[INPUT:.+]] = memref.dim %[[X]], %[[TWO]]
// CHECK-DAG:     %[[OUTPUT:.+]] = memref.dim %[[Y]], %[[TWO]]
// CHECK-DAG:     %[[FITS:.+]] = arith.cmpi eq, %[[INPUT]], %[[KERNEL]]
// CHECK-DAG:     %[[IS_ONE:.+]] = arith.cmpi eq, %[[OUTPUT]], %[[ONE]]
// CHECK:         %[[IS_WHOLE:.+]] = arith.andi %[[FITS]], %[[IS_ONE]]
// CHECK:         scf.if %[[IS_WHOLE]]
// CHECK:           vector.shuffle
// CHECK:         else
func.func @dynamic(%x: memref<1x4x?xf32>, %y: memref<1x4x?xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x4x?xf32>)
    outs(%y : memref<1x4x?xf32>) kernel [20] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
  return
}

// -----

// The plane has 20 vectors. Additions to a single sum would have to wait for
// each other, so there are four sums.

// CHECK-LABEL: func.func @several(
// CHECK-COUNT-4: vector.load
// CHECK:         %[[FIFTH:.+]] = vector.load
// CHECK-NEXT:    arith.addf %{{.+}}, %[[FIFTH]]
// CHECK-NOT:     scf.for
func.func @several(%x: memref<1x4x5x16xf32>, %y: memref<1x4x1x1xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x4x5x16xf32>)
    outs(%y : memref<1x4x1x1xf32>) kernel [5, 16] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
  return
}
