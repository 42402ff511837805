// The strategy "planes" of convert-pool-to-vector. Channels-first planes become
// straight-line vector code in loops over groups of rows. Rows that two groups
// share must be carried in registers, and the input must not be copied for
// padding.

// RUN: pool-opt %s --convert-pool-to-vector --canonicalize --cse --split-input-file | FileCheck %s --enable-var-scope
// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=256 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=WHOLE
// RUN: not pool-opt %s --convert-pool-to-vector=vector-bits=96 --split-input-file 2>&1 | FileCheck %s --check-prefix=BITS

// BITS: error: vector-bits must be a power of two from 64 to 65536, but is 96

// The example of the pass's documentation

// CHECK-LABEL: func.func @example(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x40x16xi32>
// CHECK:         %[[INIT:.+]] = tensor.empty() : tensor<1x3x20x16xi32>
// CHECK:         %[[RESULT:.+]] = pool.on_buffers ins(%[[X]] : {{.+}}) outs(%[[INIT]] : {{.+}}) {
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: memref<1x3x40x16xi32>, %[[OUT:.+]]: memref<1x3x20x16xi32>):
// CHECK:         scf.parallel (%[[C:.+]], %[[O:.+]]) =
// CHECK:           %[[R:.+]] = arith.muli %[[O]], %{{.+}}
// CHECK:           %[[A:.+]] = vector.load %[[IN]][%{{.+}}, %[[C]], %[[R]], %{{.+}}] : memref<1x3x40x16xi32>, vector<16xi32>
// CHECK:           %[[R1:.+]] = arith.addi %[[R]], %{{.+}}
// CHECK:           %[[B:.+]] = vector.load %[[IN]][%{{.+}}, %[[C]], %[[R1]], %{{.+}}]
// CHECK:           %[[MAX:.+]] = arith.maxsi %[[A]], %[[B]] : vector<16xi32>
// CHECK:           vector.store %[[MAX]], %[[OUT]][%{{.+}}, %[[C]], %[[O]], %{{.+}}]
// CHECK:         return %[[RESULT]]
// NARROW-LABEL: func.func @example(
// NARROW-COUNT-8: vector.load {{.*}} vector<4xi32>
func.func @example(%x: tensor<1x3x40x16xi32>) -> tensor<1x3x20x16xi32> {
  %0 = pool.max_pool %x kernel [2, 1] strides [2, 1]
     : tensor<1x3x40x16xi32> -> tensor<1x3x20x16xi32>
  return %0 : tensor<1x3x20x16xi32>
}

// -----

// The code reduces columns, then rows. Two output rows share an input row,
// which is carried, so a group of two output rows loads four input rows. The
// input is not copied for padding, and no border is tested: instead of a row in
// padding, the code reads the nearest row.

// CHECK-LABEL: func.func @stem(
// CHECK-COUNT-1: tensor.empty
// CHECK:         scf.parallel
// CHECK-NOT:       scf.if
// CHECK:           %[[SHARED:.+]] = vector.load
// CHECK:           scf.for {{.+}} iter_args(%{{.+}} = %[[SHARED]])
// CHECK:             %[[MIDDLE:.+]] = vector.load
// CHECK:             arith.cmpf ogt, %[[MIDDLE]]
// CHECK-COUNT-2:     vector.load
// CHECK:             %[[LAST:.+]] = vector.load
// CHECK-NOT:         vector.load
// CHECK-COUNT-2:     vector.store
// CHECK:             scf.yield %[[LAST]]
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
// CHECK:         return
func.func @stem(%x: tensor<1x4x40x16xf32>) -> tensor<1x4x20x16xf32> {
  %0 = pool.max_pool %x kernel [3, 1] strides [2, 1] pads_begin [1, 0] pads_end [1, 0]
     : tensor<1x4x40x16xf32> -> tensor<1x4x20x16xf32>
  return %0 : tensor<1x4x20x16xf32>
}

// -----

// Data beyond the caches is prefetched, and stored non-temporally. If the code
// reads several rows at once, it prefetches to the second-level cache.

// CHECK-LABEL: func.func @streamed(
// CHECK-DAG:     %[[LINE:.+]] = arith.constant 16 : index
// CHECK:         %[[FLAT:.+]] = memref.collapse_shape
// CHECK:         memref.prefetch %[[FLAT]][%[[FIRST:.+]]], read, locality<2>, data
// CHECK:         %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[LINE]]
// CHECK:         memref.prefetch %[[FLAT]][%[[SECOND]]], read, locality<2>, data
// CHECK:         vector.store {{.+}}nontemporal = true
func.func @streamed(%x: tensor<1x64x256x256xf32>) -> tensor<1x64x128x128xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<1x64x256x256xf32> -> tensor<1x64x128x128xf32>
  return %0 : tensor<1x64x128x128xf32>
}

// -----

// From 32 MB on, data comes from memory, so each line is prefetched twice.

// CHECK-LABEL: func.func @streamed_from_memory(
// CHECK-DAG:     %[[HALF:.+]] = arith.constant 8 : index
// CHECK:         memref.prefetch %[[FLAT:.+]][%[[FIRST:.+]]], read, locality<2>, data
// CHECK:         %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[HALF]]
// CHECK:         memref.prefetch %[[FLAT]][%[[SECOND]]], read, locality<2>, data
func.func @streamed_from_memory(%x: tensor<2x64x256x256xf32>) -> tensor<2x64x128x128xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<2x64x256x256xf32> -> tensor<2x64x128x128xf32>
  return %0 : tensor<2x64x128x128xf32>
}

// -----

// If the code reads one row after the other, it prefetches to the first-level
// cache.

// CHECK-LABEL: func.func @row_by_row(
// CHECK:         memref.prefetch %{{.+}}[%{{.+}}], read, locality<3>, data
// CHECK-NOT:     locality<2>
// CHECK:         return
func.func @row_by_row(%x: tensor<16x64x64x64xf32>) -> tensor<16x64x64x64xf32> {
  %0 = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
         {pool.plan = #pool.plan<"planes", carry = true, columns = 64, cut = "row", first_column = 0, part_rows = 64, prefetch = true, rows = 1>}
     : tensor<16x64x64x64xf32> -> tensor<16x64x64x64xf32>
  return %0 : tensor<16x64x64x64xf32>
}

// -----

// Extents are unknown, so strips of rows test two conditions at run time: the
// data has at least 16 MB, and rows begin at cache lines.

// CHECK-LABEL: func.func @streamed_dynamic(
// CHECK-DAG:     %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG:     %[[LIMIT:.+]] = arith.constant 16000000 : index
// CHECK-NOT:     nontemporal
// CHECK:         memref.extract_aligned_pointer_as_index
// CHECK:         arith.remui %{{.+}}, %[[C64]]
// CHECK:         %[[LARGE:.+]] = arith.cmpi sge, %{{.+}}, %[[LIMIT]]
// CHECK:         %[[STREAMS:.+]] = arith.andi %{{.+}}, %[[LARGE]]
// CHECK:         scf.if %[[STREAMS]]
// CHECK:           memref.prefetch
// CHECK:           nontemporal
// CHECK:         return
func.func @streamed_dynamic(%x: tensor<1x64x?x?xi32>) -> tensor<1x64x?x?xi32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<1x64x?x?xi32> -> tensor<1x64x?x?xi32>
  return %0 : tensor<1x64x?x?xi32>
}

// -----

// If masks are slow, narrow rows are loaded as whole vectors. This requires
// that the excess lanes lie in the buffer. For planes whose excess lanes lie
// outside, the code uses masks, row by row.

// WHOLE-LABEL: func.func @whole_vectors(
// WHOLE-DAG:     %[[WIDTH:.+]] = arith.constant 31 : index
// WHOLE:         ^bb0(%[[IN:.+]]: memref<{{.+}}>, %{{.+}}: memref<{{.+}}>):
// WHOLE:         scf.parallel
// WHOLE:           %[[BEFORE:.+]] = arith.cmpi sge
// WHOLE-NEXT:      %[[AFTER:.+]] = arith.cmpi sge
// WHOLE-NEXT:      %[[FITS:.+]] = arith.andi %[[BEFORE]], %[[AFTER]]
// WHOLE-NEXT:      scf.if %[[FITS]] {
// WHOLE-NOT:         vector.maskedload
// WHOLE:             %[[ALL:.+]] = memref.collapse_shape %[[IN]]
// WHOLE:             %[[LANES:.+]] = vector.load %[[ALL]]
// WHOLE-NEXT:        arith.select %{{.+}}, %[[LANES]], %{{.+}} : vector<8xi1>, vector<8xi32>
// WHOLE-COUNT-2:     scf.for {{.+}} iter_args
// WHOLE-NOT:         scf.for
// WHOLE:           } else {
// WHOLE-NOT:         vector.load
// WHOLE:             vector.maskedload %[[IN]]
// WHOLE-COUNT-1:     scf.for {{.+}} iter_args
// WHOLE-NOT:         scf.for {{.+}} iter_args
// WHOLE:         scf.parallel
//
// Strips of wider rows that reach beyond an end of the row are treated alike.
// There are three branches: whole strips, strips loaded as whole vectors, and
// strips with masks.
//
// WHOLE:         scf.for %{{.+}} = %{{.+}} to %{{.+}} step %[[WIDTH]] {
// WHOLE:           scf.if %{{.+}} {
// WHOLE-NOT:         maskedload
// WHOLE:           } else {
// WHOLE-NEXT:        scf.if %{{.+}} {
// WHOLE-NOT:           maskedload
// WHOLE:               vector.load %{{.+}}[%{{.+}}] : memref<?xi32>
// WHOLE:             } else {
// WHOLE-NOT:           vector.load
// WHOLE:               vector.maskedload %[[IN]]
// WHOLE:         return
func.func @whole_vectors(%x: tensor<?x64x?x?xi32>) -> tensor<?x64x?x?xi32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<?x64x?x?xi32> -> tensor<?x64x?x?xi32>
  return %0 : tensor<?x64x?x?xi32>
}

// -----

// Sums always use masks, so that all planes add in the same order.

// WHOLE-LABEL: func.func @masked_sums(
// WHOLE-NOT:     memref.collapse_shape
// WHOLE:         vector.maskedload
// WHOLE-NOT:     memref.collapse_shape
// WHOLE:         return
func.func @masked_sums(%x: tensor<?x64x?x?xf32>) -> tensor<?x64x?x?xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<?x64x?x?xf32> -> tensor<?x64x?x?xf32>
  return %0 : tensor<?x64x?x?xf32>
}

// -----

// An average, its division and the following operations are one loop nest. The
// counts of the columns are known, and all rows of the interior have the same
// counts, so the reciprocals of their divisors are constants.

// CHECK-LABEL: func.func @average_relu(
// CHECK-DAG:     %[[ONE_BY:.+]] = arith.constant dense<[0.166666672, 0.111111112, 0.111111112, {{.*}}, 0.111111112, 0.166666672]>
// CHECK-COUNT-1: pool.on_buffers
// CHECK-NOT:     arith.divf
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK:             %[[AVERAGE:.+]] = arith.mulf %{{.+}}, %[[ONE_BY]] : vector<16xf32>
// CHECK:             %[[RELU:.+]] = arith.maximumf %[[AVERAGE]], %{{.+}}
// CHECK:             vector.store %[[RELU]]
// CHECK-NOT:     linalg.generic
func.func @average_relu(%x: tensor<1x4x20x16xf32>) -> tensor<1x4x20x16xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x4x20x16xf32> -> tensor<1x4x20x16xf32>
  %init = tensor.empty() : tensor<1x4x20x16xf32>
  %zero = arith.constant 0.0 : f32
  %1 = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x4x20x16xf32>) outs(%init : tensor<1x4x20x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %max = arith.maximumf %a, %zero : f32
    linalg.yield %max : f32
  } -> tensor<1x4x20x16xf32>
  return %1 : tensor<1x4x20x16xf32>
}

// -----

// The width is unknown. A row of up to 15, 31, 47 or 63 outputs is one piece of
// masked vectors, and reads two to eight vectors; wider rows have strips of 63
// outputs. Each piece or strip goes down the rows and carries input rows. For
// empty inputs and outputs, no loop runs.
//
// Under floor, a window does not lie in padding alone. So for each tap in
// padding, the code reads another position of the same window.

// CHECK-LABEL: func.func @dynamic(
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[W1:.+]] = arith.constant 15 : index
// CHECK-DAG:     %[[W2:.+]] = arith.constant 31 : index
// CHECK-DAG:     %[[W4:.+]] = arith.constant 63 : index
// CHECK-NOT:     arith.select {{.*}}, {{.*}}, {{.*}} : vector<16xi1>, vector<16xi32>
// CHECK:         arith.cmpi sle, %{{.+}}, %[[W1]]
// CHECK:         scf.if
// CHECK-COUNT-4:   arith.cmpi sge, %{{.+}}, %[[C1]]
// CHECK-NEXT:      %[[ANY:.+]] = arith.andi
// CHECK-NEXT:      %[[NUM:.+]] = arith.select %[[ANY]], %{{.+}}, %[[C0]]
// CHECK:           scf.parallel {{.+}} to (%[[NUM]],
// CHECK-COUNT-1:   scf.for {{.+}} iter_args
// CHECK:         arith.cmpi sle, %{{.+}}, %[[W2]]
// CHECK:           scf.parallel
// CHECK-COUNT-1:   scf.for {{.+}} iter_args
// CHECK:         arith.cmpi sle, %{{.+}}, %[[W4]]
// CHECK:           scf.parallel
// CHECK-COUNT-1:   scf.for {{.+}} iter_args
// CHECK:           scf.parallel
// CHECK-COUNT-2:   scf.for {{.+}} iter_args
// CHECK-NOT:     scf.for {{.+}} iter_args
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
// CHECK:         return
func.func @dynamic(%x: tensor<1x4x?x?xi32>) -> tensor<1x4x?x?xi32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x4x?x?xi32> -> tensor<1x4x?x?xi32>
  return %0 : tensor<1x4x?x?xi32>
}

// -----

// A remainder is not fused: in lanes beyond the row, its divisor may be zero.

// CHECK-LABEL: func.func @remainder(
// CHECK-NOT:     arith.remsi {{.+}} : vector
// CHECK:         linalg.generic
func.func @remainder(%x: tensor<1x1x6x6xi32>, %d: tensor<1x1x5x5xi32>) -> tensor<1x1x5x5xi32> {
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x1x6x6xi32> -> tensor<1x1x5x5xi32>
  %init = tensor.empty() : tensor<1x1x5x5xi32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %d : tensor<1x1x5x5xi32>, tensor<1x1x5x5xi32>)
      outs(%init : tensor<1x1x5x5xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %rem = arith.remsi %a, %b : i32
    linalg.yield %rem : i32
  } -> tensor<1x1x5x5xi32>
  return %1 : tensor<1x1x5x5xi32>
}

// -----

// The distance between rows of a group would exceed 64 bits, so another kernel
// must be used.

// CHECK-LABEL: func.func @far_apart(
// CHECK-NOT:     vector.load
// CHECK:         return
func.func @far_apart(%x: tensor<1x1x?x8xf32>) -> tensor<1x1x?x6xf32> {
  %0 = pool.avg_pool %x kernel [1, 3] strides [4611686018427388004, 1]
     : tensor<1x1x?x8xf32> -> tensor<1x1x?x6xf32>
  return %0 : tensor<1x1x?x6xf32>
}

// -----

// Windows on buffers. The input's rows, planes and images have unknown strides.

// CHECK-LABEL: func.func @buffers(
// CHECK-NOT:     memref.alloc
// CHECK:         vector.load {{.*}} memref<1x3x?x?xf16, strided<[?, ?, ?, 1], offset: ?>>
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @buffers(%x: memref<1x3x?x?xf16, strided<[?, ?, ?, 1], offset: ?>>, %y: memref<1x3x?x?xf16>) {
  pool.window_reduce <max> ins(%x : memref<1x3x?x?xf16, strided<[?, ?, ?, 1], offset: ?>>)
    outs(%y : memref<1x3x?x?xf16>) kernel [2, 2] strides [2, 2] dilations [1, 1]
    pads_begin [0, 0] pads_end [0, 0]
  return
}

// -----

// An operation that fits no kernel is left to other lowerings. Here, multiples
// of the stride might overflow 64 bits.

// CHECK-LABEL: func.func @left_alone(
// CHECK:         pool.max_pool
func.func @left_alone(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x7x1xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [1, 1048577] : tensor<1x4x8x8xf32> -> tensor<1x4x7x1xf32>
  return %0 : tensor<1x4x7x1xf32>
}

// -----

// Roots other than square roots are computed by scalar code for each existing
// lane, here two.

// CHECK-LABEL: func.func @root(
// CHECK-COUNT-2: math.powf {{.*}} : f32
// CHECK-NOT:     math.powf
func.func @root(%x: tensor<1x1x1x3xf32>) -> tensor<1x1x1x2xf32> {
  %0 = pool.lp_pool %x kernel [1, 2] p 3 : tensor<1x1x1x3xf32> -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// -----

// With a dilation of four, the rows form four grids. Within a grid, windows
// carry two rows as if there were no dilation. A group of two outputs computes
// its shared part once.

// CHECK-LABEL: func.func @interleaved(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x12x16xf32>
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C4:.+]] = arith.constant 4 : index
// CHECK-DAG:     %[[C8:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[NONE:.+]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK:         scf.parallel
// CHECK:           scf.for %[[GRID:.+]] = %{{.+}} to %[[C4]] step %[[C1]]
// CHECK:             scf.for %[[ROW:.+]] = %[[GRID]] to %{{.+}} step %[[C8]] iter_args(%[[A:.+]] = %{{.+}}, %[[B:.+]] = %{{.+}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK:               %[[NEXT:.+]] = arith.addi %[[ROW]], %[[C4]]
// CHECK:               %[[C:.+]] = vector.load
// CHECK:               %[[IS_B:.+]] = arith.cmpf ogt, %[[B]], %[[NONE]]
// CHECK:               %[[BEGUN:.+]] = arith.select %[[IS_B]], %[[B]], %[[NONE]]
// CHECK:               %[[IS_C:.+]] = arith.cmpf ogt, %[[C]], %[[BEGUN]]
// CHECK:               %[[CORE:.+]] = arith.select %[[IS_C]], %[[C]], %[[BEGUN]]
// CHECK:               %[[D:.+]] = vector.load
// CHECK:               %[[IS_D:.+]] = arith.cmpf ogt, %[[D]], %[[CORE]]
// CHECK:               %[[SECOND:.+]] = arith.select %[[IS_D]], %[[D]], %[[CORE]]
// CHECK:               %[[IS_A:.+]] = arith.cmpf ogt, %[[A]], %[[CORE]]
// CHECK:               %[[FIRST:.+]] = arith.select %[[IS_A]], %[[A]], %[[CORE]]
// CHECK:               vector.store %[[FIRST]], %{{.+}}[%{{.+}}, %{{.+}}, %[[ROW]], %{{.+}}]
// CHECK:               vector.store %[[SECOND]], %{{.+}}[%{{.+}}, %{{.+}}, %[[NEXT]], %{{.+}}]
// CHECK:               scf.yield %[[C]], %[[D]]
func.func @interleaved(%x: tensor<1x2x12x16xf32>) -> tensor<1x2x12x16xf32> {
  %0 = pool.max_pool %x kernel [3, 1] dilations [4, 1] pads_begin [4, 0] pads_end [4, 0]
         {pool.plan = #pool.plan<"planes", carry = true, columns = 16, cut = "row", first_column = 0, interleave = true, part_rows = 12, rows = 2>}
     : tensor<1x2x12x16xf32> -> tensor<1x2x12x16xf32>
  return %0 : tensor<1x2x12x16xf32>
}

// -----

// A row of only padding is neither loaded nor carried.

// CHECK-LABEL: func.func @only_padding(
// CHECK:         scf.parallel
// CHECK-NOT:       load
// CHECK:           store
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @only_padding(%x: tensor<1x2x8x1xf32>) -> tensor<1x2x6x2xf32> {
  %0 = pool.max_pool %x kernel [3, 1] strides [1, 50] pads_begin [0, 40] pads_end [0, 40]
     : tensor<1x2x8x1xf32> -> tensor<1x2x6x2xf32>
  return %0 : tensor<1x2x6x2xf32>
}
