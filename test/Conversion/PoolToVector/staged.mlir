// The strategy "staged": large windows, one dimension after the other. All
// windows of a block contain the last row of its first window. One loop reduces
// backwards from the row before it, and another forwards from it.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=256" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// Rows are reduced for all 88 elements of a row (eleven columns of eight channels),
// in strips of two vectors. The last strip moves back to the row's end. Then
// columns are reduced for the eight channels.

// CHECK-LABEL: func.func @columns_after_rows(
// CHECK-SAME:      %[[X:.+]]: tensor<1x10x11x8xf32>)
// CHECK-DAG:     %[[IN:.+]] = memref.collapse_shape %{{.+}} {{\[\[}}0], [1, 2, 3]] : memref<1x10x11x8xf32> into memref<1x880xf32>
// CHECK:         scf.parallel (%[[BLOCK:.+]]) = (%c0) to (%c2)
// CHECK-DAG:       %[[ROW_SUFFIXES:.+]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xf32>
// CHECK-DAG:       %[[RESULTS:.+]] = memref.alloc() {alignment = 64 : i64} : memref<4x104xf32>
// CHECK-DAG:       %[[COLUMN_SUFFIXES:.+]] = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK:           %[[FIRST:.+]] = arith.muli %[[BLOCK]], %c4
// CHECK:           %[[LEFT:.+]] = arith.subi %c7, %[[FIRST]]
// CHECK:           %[[COUNT:.+]] = arith.minsi %[[LEFT]], %c4
// CHECK:           scf.for %[[STRIP:.+]] = %c0 to %c88 step %c16
// CHECK:             %[[ELEMENT:.+]] = arith.minsi %[[STRIP]], %c72
// Backwards, from the last row but one of the first window.
// CHECK:             scf.for {{.+}} -> (vector<8xf32>, vector<8xf32>)
// CHECK:               vector.load %[[IN]]
// CHECK:               vector.load %[[IN]]
// CHECK:               arith.maximumf
// CHECK:               arith.maximumf
// CHECK:             vector.store %{{.+}}, %[[ROW_SUFFIXES]]
// CHECK:             scf.for {{.+}} -> (vector<8xf32>, vector<8xf32>)
// CHECK:               vector.store %{{.+}}, %[[ROW_SUFFIXES]]
// Forwards, from the last row of the first window.
// CHECK:             scf.for {{.+}} -> (vector<8xf32>, vector<8xf32>)
// CHECK:               vector.load %[[IN]]
// CHECK:               vector.load %[[ROW_SUFFIXES]]
// CHECK:               vector.store %{{.+}}, %[[RESULTS]]
// CHECK:           scf.for %{{.+}} = %c0 to %[[COUNT]]
// CHECK:             scf.for %{{.+}} = %c0 to %c2
// CHECK:               vector.load %[[RESULTS]]{{.+}} vector<8xf32>
// CHECK:               vector.store %{{.+}}, %[[COLUMN_SUFFIXES]]
// CHECK:               vector.load %[[COLUMN_SUFFIXES]]
// CHECK:               vector.store %{{.+}} : memref<1x7x8x8xf32>, vector<8xf32>
func.func @columns_after_rows(%x: tensor<1x10x11x8xf32>) -> tensor<1x7x8x8xf32> {
  %0 = pool.max_pool %x kernel [4, 4] nan_mode propagate layout channels_last
     {pool.plan = #pool.plan<"staged", block = 4, vectors = 2>}
     : tensor<1x10x11x8xf32> -> tensor<1x7x8x8xf32>
  return %0 : tensor<1x7x8x8xf32>
}

// -----

// Comparisons of values also choose positions. Each stage adds its positions to
// those of the stage before, unless nothing was chosen. Positions have 32 bits
// until they are stored. Three channels take three of four lanes.

// CHECK-LABEL: func.func @indices(
// CHECK-DAG:     %[[NONE:.+]] = arith.constant dense<-1> : vector<4xi32>
// CHECK-DAG:     %[[THREE:.+]] = arith.constant dense<[true, true, true, false]> : vector<4xi1>
// CHECK:         scf.parallel
// CHECK-DAG:       memref.alloc() {alignment = 64 : i64} : memref<3x{{[0-9]+}}xf32>
// CHECK-DAG:       memref.alloc() {alignment = 64 : i64} : memref<3x{{[0-9]+}}xi32>
// CHECK:           %[[BEFORE:.+]] = vector.load %{{.+}} : memref<3x{{[0-9]+}}xi32>, vector<4xi32>
// CHECK:           %[[IS_NONE:.+]] = arith.cmpi eq, %[[BEFORE]], %[[NONE]]
// CHECK:           %[[SUM:.+]] = arith.addi %[[BEFORE]],
// CHECK:           arith.select %[[IS_NONE]], %[[NONE]], %[[SUM]]
// CHECK:           arith.extsi %{{.+}} : vector<4xi32> to vector<4xi64>
// CHECK:           vector.maskedstore %{{.+}}, %[[THREE]], %{{.+}} : memref<1x7x7x3xf32>
func.func @indices(%x: tensor<1x9x9x3xf32>) -> (tensor<1x7x7x3xf32>, tensor<1x7x7x3xi64>) {
  %0, %1 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x9x9x3xf32> -> tensor<1x7x7x3xf32>, tensor<1x7x7x3xi64>
  return %0, %1 : tensor<1x7x7x3xf32>, tensor<1x7x7x3xi64>
}

// -----

// For padding, a sum reads other elements and replaces them by zero. From one
// window of a block to the next, one stride of rows is added. Small blocks of
// the only dimension share their buffer.

// CHECK-LABEL: func.func @padded_sum(
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<3x8xf32>
// CHECK:         scf.for {{.+}} = %c0 to %c3
// CHECK:           %[[INSIDE:.+]] = arith.andi
// CHECK:           arith.select %[[INSIDE]], %{{.+}}, %[[ZERO]] : vector<8xf32>
// CHECK:           arith.addf
// CHECK:           %[[INSIDE:.+]] = arith.andi
// CHECK:           arith.select %[[INSIDE]], %{{.+}}, %[[ZERO]] : vector<8xf32>
// CHECK:           arith.addf
// CHECK:           arith.mulf
func.func @padded_sum(%x: tensor<1x20x8xf32>) -> tensor<1x9x8xf32> {
  %0 = pool.avg_pool %x kernel [6] strides [2] pads_begin [1] pads_end [1] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x20x8xf32> -> tensor<1x9x8xf32>
  return %0 : tensor<1x9x8xf32>
}

// -----

// Windows three apart begin a dilation apart. So a block has every third of nine
// windows. Of 14 windows, blocks 0 to 2 have three each, and blocks 3 to 5 have
// the rest. The fill replaces positions in padding.

// CHECK-LABEL: func.func @dilated(
// CHECK-DAG:     %[[FILL:.+]] = arith.constant dense<0xFF800000> : vector<8xf32>
// CHECK:         scf.for %[[BLOCK:.+]] = %c0 to %c6
// CHECK:           %[[NINTH:.+]] = arith.divui %[[BLOCK]], %c3
// CHECK:           %[[WINDOWS:.+]] = arith.muli %[[NINTH]], %c9
// CHECK:           %[[THIRD:.+]] = arith.remui %[[BLOCK]], %c3
// CHECK:           %[[FIRST:.+]] = arith.addi %[[WINDOWS]], %[[THIRD]]
// CHECK:           %[[LEFT:.+]] = arith.divui %{{.+}}, %c3
// CHECK:           %[[COUNT:.+]] = arith.minsi %[[LEFT]], %c3
// CHECK:           %[[START:.+]] = arith.subi %[[FIRST]], %c2
// CHECK:           scf.for %[[TAP:.+]] = %{{.+}} to %c4
// CHECK:             %[[DISTANCE:.+]] = arith.muli %[[TAP]], %c3
// CHECK:             %[[POSITION:.+]] = arith.addi %[[START]], %[[DISTANCE]]
// CHECK:             arith.maxsi %[[POSITION]], %c0
// CHECK:             arith.select %{{.+}}, %{{.+}}, %[[FILL]] : vector<8xf32>
// CHECK:           scf.for %[[WINDOW:.+]] = %c0 to %[[COUNT]] step %c1 iter_args
// CHECK:             %[[DISTANCE:.+]] = arith.muli %[[WINDOW]], %c3
// CHECK:             %[[OUTPUT:.+]] = arith.addi %[[FIRST]], %[[DISTANCE]]
// CHECK:             vector.store %{{.+}}, %{{.+}}[%{{.+}}, %[[OUTPUT]], %{{.+}}] : memref<1x14x8xf32>
func.func @dilated(%x: tensor<1x24x8xf32>) -> tensor<1x14x8xf32> {
  %0 = pool.max_pool %x kernel [5] dilations [3] pads_begin [2] nan_mode propagate layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x24x8xf32> -> tensor<1x14x8xf32>
  return %0 : tensor<1x14x8xf32>
}

// -----

// With channels first, windows of the last dimension lie along the lanes. Rows
// of the last buffer have padding at both ends, which is stored once for all
// blocks of a plane. The first passes compute runs
// of four elements. The last pass combines two runs to a window of five. All
// rows of a block are processed as one row.

// CHECK-LABEL: func.func @along_lanes(
// CHECK-DAG:     %[[FILL:.+]] = arith.constant dense<0xFF800000> : vector<8xf32>
// CHECK:         scf.parallel
// CHECK:           %[[BLOCK:.+]] = memref.alloc() {{.+}} : memref<4x[[WIDTH:[0-9]+]]xf32>
// CHECK:           %[[ROWS:.+]] = memref.collapse_shape %[[BLOCK]]
// CHECK:           %[[RUNS:.+]] = memref.collapse_shape %{{.+}} : memref<4x[[WIDTH]]xf32>
// CHECK:           scf.for %[[ROW:.+]] = %c0 to %c3
// CHECK:             vector.store %[[FILL]], %[[BLOCK]][%[[ROW]], %c0]
// CHECK:           scf.for %[[ROW:.+]] = %c0 to %c3
// CHECK:             vector.store %[[FILL]], %[[BLOCK]][%[[ROW]], %c28]
// CHECK:           scf.for %{{.+}} = %c0 to %c6
// CHECK:             vector.store %{{.+}}, %[[BLOCK]]
// CHECK:             %[[A:.+]] = vector.load %[[ROWS]]
// CHECK:             %[[B:.+]] = vector.load %[[ROWS]]
// CHECK:             arith.maximumf %[[A]], %[[B]]
// CHECK:             vector.load %[[ROWS]]
// CHECK:             vector.load %[[ROWS]]
// CHECK:             vector.store %{{.+}}, %[[RUNS]]
// CHECK:             scf.for
// CHECK:               %[[A:.+]] = vector.load %[[RUNS]]
// CHECK:               %[[B:.+]] = vector.load %[[RUNS]]
// CHECK:               %[[MAX:.+]] = arith.maximumf %[[A]], %[[B]]
// CHECK:               vector.store %[[MAX]], %{{.+}} : memref<1x2x18x20xf32>
func.func @along_lanes(%x: tensor<1x2x20x20xf32>) -> tensor<1x2x18x20xf32> {
  %0 = pool.max_pool %x kernel [3, 5] pads_begin [0, 2] pads_end [0, 2] nan_mode propagate
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 2>}
     : tensor<1x2x20x20xf32> -> tensor<1x2x18x20xf32>
  return %0 : tensor<1x2x18x20xf32>
}

// -----

// A sum must add each element once. So a window of seven is a run of four and
// three single elements.

// CHECK-LABEL: func.func @sum_along_lanes(
// CHECK:         scf.parallel
// CHECK-DAG:       %[[ROWS:.+]] = memref.collapse_shape %{{.+}} : memref<3x[[WIDTH:[0-9]+]]xi32>
// CHECK-DAG:       %[[RUNS:.+]] = memref.collapse_shape %{{.+}} : memref<3x[[WIDTH]]xi32>
// CHECK:           vector.store %{{.+}}, %[[RUNS]]
// CHECK:           vector.load %[[RUNS]]
// CHECK-COUNT-3:   vector.load %[[ROWS]]
// CHECK-NOT:       vector.load
func.func @sum_along_lanes(%x: memref<1x2x20x20xi32>, %y: memref<1x2x19x14xi32>) {
  pool.window_reduce <sum> ins(%x : memref<1x2x20x20xi32>) outs(%y : memref<1x2x19x14xi32>)
    kernel [2, 7] strides [1, 1] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
    layout <channels_first> {pool.plan = #pool.plan<"staged", block = 2, vectors = 1>}
  return
}

// -----

// With dilation, the passes along the lanes combine elements that are two apart,
// and runs that are eight apart.

// CHECK-LABEL: func.func @dilated_along_lanes(
// CHECK:         scf.parallel
// CHECK:           scf.for %[[ELEMENT:.+]] = %c0 to %{{.+}} step %c8 {
// CHECK:             vector.load %[[ROWS:.+]][%[[ELEMENT]]]
// CHECK:             %[[NEXT:.+]] = arith.addi %[[ELEMENT]], %c2
// CHECK:             vector.load %[[ROWS]][%[[NEXT]]]
// CHECK:             vector.store %{{.+}}, %[[RUNS:.+]][%[[ELEMENT]]]
// CHECK:           vector.load %[[RUNS]][%[[PLACE:.+]]]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[PLACE]], %c8
// CHECK:           vector.load %[[RUNS]][%[[NEXT]]]
func.func @dilated_along_lanes(%x: tensor<1x2x20x20xf32>) -> tensor<1x2x19x6xf32> {
  %0 = pool.max_pool %x kernel [2, 8] dilations [1, 2] nan_mode propagate
     {pool.plan = #pool.plan<"staged", block = 2, vectors = 1>}
     : tensor<1x2x20x20xf32> -> tensor<1x2x19x6xf32>
  return %0 : tensor<1x2x19x6xf32>
}

// -----

// Windows of seven columns at stride 3 are two strides and a column. Shuffles
// reduce each stride of the three rows to a lane, and take its first column
// apart. A window combines two strides and the column of the next one.

// CHECK-LABEL: func.func @strided_along_lanes(
// CHECK:         scf.parallel
// CHECK:           scf.for %[[STRIDE:[^ ]+]] = %c0 to %c48 step %c8 {
// CHECK:             %[[PLACE:.+]] = arith.muli %[[STRIDE]], %c3
// CHECK:             vector.load %{{.+}}[%[[PLACE]]]
// CHECK-COUNT-4:     vector.shuffle
// CHECK:             %[[SECOND:.+]] = arith.select
// CHECK:             %[[THIRD:.+]] = arith.select
// CHECK:             vector.store %[[THIRD]], %[[STRIDES:.+]][%[[STRIDE]]]
// CHECK:             vector.store %{{.+}}, %[[COLUMNS:.+]][%[[STRIDE]]]
// CHECK:           vector.load %[[STRIDES]][%[[WINDOW:.+]]]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[WINDOW]], %c1
// CHECK:           vector.load %[[STRIDES]][%[[NEXT]]]
// CHECK:           %[[AFTER:.+]] = arith.addi %[[WINDOW]], %c2
// CHECK:           vector.load %[[COLUMNS]][%[[AFTER]]]
func.func @strided_along_lanes(%x: tensor<1x2x20x40xf32>) -> tensor<1x2x18x12xf32> {
  %0 = pool.max_pool %x kernel [3, 7] strides [1, 3]
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x2x20x40xf32> -> tensor<1x2x18x12xf32>
  return %0 : tensor<1x2x18x12xf32>
}

// -----

// Columns with three channels become one dimension, whose taps lie three
// elements apart. A vector has whole columns: two of them, six lanes of eight.

// CHECK-LABEL: func.func @joined_channels(
// CHECK-DAG:     %[[SIX:.+]] = arith.constant dense<[true, true, true, true, true, true, false, false]>
// CHECK-DAG:     %[[IN:.+]] = memref.collapse_shape %{{.+}} {{\[\[}}0], [1, 2, 3]] : memref<1x20x40x3xf32>
// CHECK-DAG:     %[[OUT:.+]] = memref.collapse_shape %{{.+}} {{\[\[}}0], [1], [2, 3]] : memref<1x18x34x3xf32>
// CHECK:         scf.parallel
// CHECK:           vector.load %[[IN]]
// CHECK:           scf.for %[[ELEMENT:[^ ]+]] = %c0 to %c360 step %c8 {
// CHECK:             vector.load %[[ROW:.+]][%[[ELEMENT]]]
// CHECK:             %[[NEXT:.+]] = arith.addi %[[ELEMENT]], %c3
// CHECK:             vector.load %[[ROW]][%[[NEXT]]]
// CHECK:           scf.for %[[FIRST:[^ ]+]] = %c0 to %c102 step %c6 {
// CHECK:             vector.maskedstore %[[OUT]][%c0, %{{.+}}, %[[FIRST]]], %[[SIX]]
func.func @joined_channels(%x: tensor<1x20x40x3xf32>) -> tensor<1x18x34x3xf32> {
  %0 = pool.avg_pool %x kernel [3, 7] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x20x40x3xf32> -> tensor<1x18x34x3xf32>
  return %0 : tensor<1x18x34x3xf32>
}

// -----

// Joined channels are written with columns as one dimension. So the result is no
// slice of another buffer, and is copied to it.

// CHECK-LABEL: func.func @joined_into_slice(
// CHECK:         pool.on_buffers
// CHECK-NEXT:    ^bb0(%{{.+}}: memref<1x20x40x3xf32>, %{{.+}}: memref<1x18x34x3xf32>):
// CHECK:         tensor.insert_slice
func.func @joined_into_slice(%x: tensor<1x20x40x3xf32>, %whole: tensor<1x18x34x6xf32>)
    -> tensor<1x18x34x6xf32> {
  %0 = pool.avg_pool %x kernel [3, 7] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x20x40x3xf32> -> tensor<1x18x34x3xf32>
  %1 = tensor.insert_slice %0 into %whole[0, 0, 0, 3] [1, 18, 34, 3] [1, 1, 1, 1]
     : tensor<1x18x34x3xf32> into tensor<1x18x34x6xf32>
  return %1 : tensor<1x18x34x6xf32>
}

// -----

// Windows at stride 2 with a dilation are computed at every column, for two
// vectors. A shuffle chooses every second one.

// CHECK-LABEL: func.func @stride_and_dilation(
// CHECK:         scf.parallel
// CHECK:           scf.for %{{.+}} = %c0 to %c120 step %c8 {
// CHECK:             vector.store %{{.+}}, %[[RUNS:.+]][%{{.+}}]
// CHECK:           %[[FIRST:.+]] = arith.muli %{{.+}}, %c2
// CHECK:           vector.load %[[RUNS]]
// CHECK:           %[[END:.+]] = arith.addi %{{.+}}, %c6
// CHECK:           vector.load %[[RUNS]][%[[END]]]
// CHECK:           %[[A:.+]] = arith.maximumf
// CHECK-COUNT-2:   vector.load %[[RUNS]]
// CHECK-NOT:       vector.load
// CHECK:           %[[B:.+]] = arith.maximumf
// CHECK:           vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 8, 10, 12, 14]
func.func @stride_and_dilation(%x: tensor<1x2x20x40xf32>) -> tensor<1x2x18x14xf32> {
  %0 = pool.max_pool %x kernel [3, 7] strides [1, 2] dilations [1, 2] nan_mode propagate
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x2x20x40xf32> -> tensor<1x2x18x14xf32>
  return %0 : tensor<1x2x18x14xf32>
}

// -----

// Windows of fewer columns than two strides, too. They share no columns.

// CHECK-LABEL: func.func @less_than_a_stride(
// CHECK:         scf.parallel
// CHECK:           %[[ROWS:.+]] = memref.collapse_shape
// CHECK-COUNT-6:   vector.load %[[ROWS]]
// CHECK-NOT:       vector.load
// CHECK-COUNT-2:   vector.shuffle
// CHECK-NOT:       vector.shuffle
// CHECK:           vector.{{(masked)?}}store %{{.+}} : memref<1x2x18x13xf32>
func.func @less_than_a_stride(%x: tensor<1x2x20x40xf32>) -> tensor<1x2x18x13xf32> {
  %0 = pool.max_pool %x kernel [3, 2] strides [1, 3] nan_mode propagate
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x2x20x40xf32> -> tensor<1x2x18x13xf32>
  return %0 : tensor<1x2x18x13xf32>
}

// -----

// An average's divisor is a constant for vectors of windows inside the input.
// Other vectors divide by counts. Rows have no padding, so they are not tested.

// CHECK-LABEL: func.func @interior(
// CHECK-DAG:     %[[ONE_BY:.+]] = arith.constant dense<0.0666666701> : vector<8xf32>
// CHECK:         %[[ROWS:.+]] = memref.collapse_shape
// CHECK:         vector.load %[[ROWS]]
// CHECK:         scf.for %[[COLUMN:[^ ]+]] = %c0 to %c40 step %c8
// CHECK:           %[[BEGIN:.+]] = arith.subi %[[COLUMN]], %c2
// CHECK:           %[[IS_AFTER:.+]] = arith.cmpi sge, %[[BEGIN]], %c0
// CHECK:           %[[IS_BEFORE:.+]] = arith.cmpi sle, %[[BEGIN]], %c28
// CHECK:           %[[IS_INSIDE:.+]] = arith.andi %[[IS_AFTER]], %[[IS_BEFORE]]
// CHECK-NEXT:      scf.if %[[IS_INSIDE]] {
// CHECK:             arith.mulf %{{.+}}, %[[ONE_BY]]
// CHECK-NOT:         arith.divf
// CHECK:           } else {
// CHECK:             arith.divf
func.func @interior(%x: tensor<1x2x20x40xf32>) -> tensor<1x2x18x40xf32> {
  %0 = pool.avg_pool %x kernel [3, 5] pads_begin [0, 2] pads_end [0, 2]
     {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
     : tensor<1x2x20x40xf32> -> tensor<1x2x18x40xf32>
  return %0 : tensor<1x2x18x40xf32>
}

// -----

// A row of unknown length is reduced in parts. The padding of each is stored
// before the part is copied.

// CHECK-LABEL: func.func @parts(
// CHECK-DAG:     %[[FILL:.+]] = arith.constant dense<0xFF800000> : vector<8xf32>
// CHECK:         scf.parallel
// CHECK-NOT:       scf.for
// CHECK:           %[[ROW:.+]] = memref.alloc() {{.+}} : memref<2x{{[0-9]+}}xf32>
// CHECK-NOT:       scf.for
// CHECK:           scf.for %[[PART:.+]] = %c0 to %[[LENGTH:.+]] step %[[MOST:.+]] {
// CHECK:             %[[LEFT:.+]] = arith.subi %[[LENGTH]], %[[PART]]
// CHECK:             %[[COUNT:.+]] = arith.minsi %[[LEFT]], %[[MOST]]
// CHECK:             scf.for
// CHECK:               vector.store %[[FILL]], %[[ROW]]
// CHECK:             scf.for
// CHECK:               vector.store %[[FILL]], %[[ROW]]
// CHECK:             scf.if
// CHECK:               vector.load %{{.+}} : memref<1x4x?xf32>
// CHECK:               vector.store %{{.+}}, %[[ROW]]
// CHECK:             arith.cmpi sge, %[[COUNT]], %c8
// CHECK:             scf.for %[[WINDOW:.+]] = %c0 to %[[COUNT]] step %c8
// CHECK:               %[[OUTPUT:.+]] = arith.addi %[[PART]],
// CHECK:               vector.store %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}, %[[OUTPUT]]] : memref<1x4x?xf32>
func.func @parts(%x: tensor<1x4x?xf32>) -> tensor<1x4x?xf32> {
  %0 = pool.max_pool %x kernel [31] pads_begin [15] pads_end [15]
     {pool.plan = #pool.plan<"staged", block = 1, parts = true, vectors = 1>}
     : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
  return %0 : tensor<1x4x?xf32>
}

// -----

// If the only dimension is along the lanes, its padded row is copied first.

// CHECK-LABEL: func.func @one_row(
// CHECK:         scf.parallel
// CHECK:           %[[ROW:.+]] = memref.alloc() {{.+}} : memref<2x76xf32>
// CHECK:           vector.store %{{.+}}, %[[ROW]][%c0, %c0]
// CHECK:           vector.store %{{.+}}, %[[ROW]][%c0, %c72]
// CHECK:           scf.for
// CHECK:             vector.load %{{.+}} : memref<1x2x64xf32>
// CHECK-NOT:         vector.load
// CHECK:             vector.store %{{.+}}, %[[ROW]]
func.func @one_row(%x: tensor<1x2x64xf32>) -> (tensor<1x2x61xf32>, tensor<1x2x61xi64>) {
  %v, %i = pool.max_pool %x kernel [8] pads_begin [2] pads_end [2] axis 2
     {pool.plan = #pool.plan<"staged", block = 1, vectors = 1>}
     : tensor<1x2x64xf32> -> tensor<1x2x61xf32>, tensor<1x2x61xi64>
  return %v, %i : tensor<1x2x61xf32>, tensor<1x2x61xi64>
}

// -----

// If extents are unknown, a test selects strips of several vectors, of one
// vector, or of a part of one. A block has fewer windows if the buffer of its
// rows would be longer than a cache.

// CHECK-LABEL: func.func @unknown_extents(
// CHECK-DAG:     %[[BYTES:.+]] = arith.constant 2097152
// CHECK:         %[[ROW:.+]] = arith.muli %{{.+}}, %c8 : index
// CHECK:         %[[WIDTH:.+]] = arith.muli %{{.+}}, %c4
// CHECK:         %[[DIVISOR:.+]] = arith.maxsi %[[WIDTH]], %c1
// CHECK:         %[[FIT:.+]] = arith.divui %[[BYTES]], %[[DIVISOR]]
// CHECK:         %[[FEW:.+]] = arith.minsi %[[FIT]], %c4
// CHECK:         %[[WINDOWS:.+]] = arith.maxsi %[[FEW]], %c1
// CHECK:         scf.parallel
// CHECK-DAG:       memref.alloc() {alignment = 64 : i64} : memref<4x16xf32>
// CHECK-DAG:       %[[RESULTS:.+]] = memref.alloc(%[[WINDOWS]], %[[WIDTH]])
// CHECK:           arith.cmpi sge, %[[ROW]], %c16
// CHECK:           scf.if
// CHECK:             scf.for {{.+}} step %c16
// CHECK:           arith.cmpi sge, %[[ROW]], %c8
// CHECK:           scf.if
// CHECK:             scf.for {{.+}} step %c8
// CHECK:           %[[PART:.+]] = vector.create_mask
// CHECK:           vector.maskedload {{.+}}, %[[PART]]
// CHECK:           vector.load %[[RESULTS]]{{.+}} vector<8xf32>
func.func @unknown_extents(%x: tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32> {
  %0 = pool.max_pool %x kernel [4, 4] nan_mode propagate layout channels_last
     {pool.plan = #pool.plan<"staged", block = 4, vectors = 2>}
     : tensor<?x?x?x8xf32> -> tensor<?x?x?x8xf32>
  return %0 : tensor<?x?x?x8xf32>
}

// -----

// Rows exceed the second cache. Each vector of outputs asks for the elements
// that the next block reads last in its columns.

// CHECK-LABEL: func.func @fetched(
// CHECK:         ^bb0(%[[IN:.+]]: memref<1x2x128x512xf32>, %{{.+}}:
// CHECK:         scf.for %[[BLOCK:.+]] = %c0 to %c5
// CHECK-NOT:       memref.prefetch
// CHECK:           scf.for %{{.+}} = %c0 to %c40 step %c8
// CHECK:           scf.for %[[OUTPUT:.+]] = %c0 to %c512 step %c8
// CHECK:             %[[ROW:.+]] = arith.minsi %{{.+}}, %c127
// CHECK:             %[[COLUMN:.+]] = arith.minsi %[[OUTPUT]], %c511
// CHECK:             memref.prefetch %[[IN]][%c0, %{{.+}}, %[[ROW]], %[[COLUMN]]], read, locality<2>, data
func.func @fetched(%x: tensor<1x2x128x512xf32>) -> tensor<1x2x128x512xf32> {
  %0 = pool.max_pool %x kernel [31, 31] pads_begin [15, 15] pads_end [15, 15]
     : tensor<1x2x128x512xf32> -> tensor<1x2x128x512xf32>
  return %0 : tensor<1x2x128x512xf32>
}

// -----

// Passes read the strides of a lone row where the input stores them, unless
// they would read beyond it. Such a part is copied.

// CHECK-LABEL: func.func @row_in_place(
// CHECK:         ^bb0(%[[IN:.+]]: memref<1x2x16000xf32>, %{{.+}}:
// CHECK:         %[[COPY:.+]] = memref.alloc() {{.*}} : memref<2x1880xf32>
// CHECK:         scf.for %{{.+}} = %c0 to %c1590 step %c176
// CHECK:           %[[IS_INSIDE:.+]] = arith.andi
// CHECK:           scf.if %[[IS_INSIDE]]
// CHECK-NOT:         %[[COPY]]
// CHECK:             vector.load %[[IN]][%c0, %{{.+}}, %{{.+}}]
// CHECK:           } else {
// CHECK:             vector.store %{{.+}}, %[[COPY]]
func.func @row_in_place(%x: tensor<1x2x16000xf32>) -> tensor<1x2x1590xf32> {
  %0 = pool.max_pool %x kernel [101] strides [10] : tensor<1x2x16000xf32> -> tensor<1x2x1590xf32>
  return %0 : tensor<1x2x1590xf32>
}

// -----

// A window is two strides of four and an element after them. Shuffles halve
// the row twice. The even lanes of each halving are also the first elements of
// strides, so that these take a single shuffle more.

// CHECK-LABEL: func.func @beginnings(
// CHECK:         scf.for %{{.+}} = %c0 to %c1000 step %c8
// CHECK-COUNT-2:   vector.shuffle %{{.+}} [0, 2, 4,
// CHECK:           vector.shuffle %{{.+}} [1, 3, 5,
// CHECK:           vector.shuffle %{{.+}} [1, 3, 5,
// CHECK:           %[[FIRST:.+]] = vector.shuffle %{{.+}} [0, 2, 4,
// CHECK:           vector.shuffle %{{.+}} [0, 2, 4,
// CHECK:           vector.shuffle %{{.+}} [1, 3, 5,
// CHECK-NOT:       vector.shuffle
// CHECK:           vector.store
// CHECK-NEXT:      vector.store %[[FIRST]]
func.func @beginnings(%x: tensor<1x2x4000xf32>) -> tensor<1x2x998xf32> {
  %0 = pool.max_pool %x kernel [9] strides [4]
     {pool.plan = #pool.plan<"staged", block = 1, vectors = 1>}
     : tensor<1x2x4000xf32> -> tensor<1x2x998xf32>
  return %0 : tensor<1x2x998xf32>
}
