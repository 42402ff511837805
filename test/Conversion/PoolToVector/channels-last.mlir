// convert-pool-to-vector on pool.window_reduce with channels-last buffers,
// where lanes are channels. Tests which vectors are loaded, shared, masked,
// prefetched and stored.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=128" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// The plan computes two columns at once, so taps that both windows share are
// loaded and added once. Six channels need two vectors; the second one moves
// back to end with the last channel.

// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[X:.+]]: memref<2x8x6xf32>, %[[Y:.+]]: memref<2x6x6xf32>)
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK-DAG:     %[[SIX:.+]] = arith.constant 6 : index
// CHECK:         scf.parallel (%[[N:.+]]) = (%[[ZERO]]) to (%[[TWO]])
// CHECK:           scf.for %[[O:.+]] = %[[ZERO]] to %[[SIX]] step %[[TWO]]
// CHECK:             %[[O1:.+]] = arith.addi %[[O]], %[[ONE]]
// CHECK:             %[[O2:.+]] = arith.addi %[[O]], %[[TWO]]
// CHECK:             %[[O3:.+]] = arith.addi %[[O]], %{{.+}}
// CHECK:             scf.for %[[VECTOR:.+]] = %[[ZERO]] to %[[SIX]] step %[[FOUR]]
// CHECK:               %[[C:.+]] = arith.minsi %[[VECTOR]], %[[TWO]]
// CHECK:               %[[X1:.+]] = vector.load %[[X]][%[[N]], %[[O1]], %[[C]]]
// CHECK:               %[[X2:.+]] = vector.load %[[X]][%[[N]], %[[O2]], %[[C]]]
// CHECK:               %[[BOTH:.+]] = arith.addf %[[X1]], %[[X2]] : vector<4xf32>
// CHECK:               %[[X3:.+]] = vector.load %[[X]][%[[N]], %[[O3]], %[[C]]]
// CHECK:               %[[Y1:.+]] = arith.addf %[[BOTH]], %[[X3]]
// CHECK:               %[[X0:.+]] = vector.load %[[X]][%[[N]], %[[O]], %[[C]]]
// CHECK:               %[[Y0:.+]] = arith.addf %[[X0]], %[[BOTH]]
// CHECK:               vector.store %[[Y0]], %[[Y]][%[[N]], %[[O]], %[[C]]]
// CHECK:               vector.store %[[Y1]], %[[Y]][%[[N]], %[[O1]], %[[C]]]
func.func @shared(%x: memref<2x8x6xf32>, %y: memref<2x6x6xf32>) {
  pool.window_reduce <sum> ins(%x : memref<2x8x6xf32>)
    outs(%y : memref<2x6x6xf32>) kernel [3] strides [1] dilations [1]
    pads_begin [0] pads_end [0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 2, vectors = 1>}
  return
}

// -----

// Each vector of channels is prefetched four kilobytes before it is read.
// Stores are non-temporal if the output is aligned.

// CHECK-LABEL: func.func @ahead(
// CHECK-SAME:    %[[X:.+]]: memref<1x4x512x8xf32>, %[[Y:.+]]: memref<1x2x256x8xf32>)
// CHECK-DAG:     %[[LAST:.+]] = arith.constant 12272 : index
// CHECK-DAG:     %[[AHEAD:.+]] = arith.constant 1024 : index
// CHECK-DAG:     %[[COLUMN:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[ROW:.+]] = arith.constant 4096 : index
// CHECK:         %[[BEGIN:.+]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         %[[REST:.+]] = arith.remui %[[BEGIN]]
// CHECK:         %[[IS_ALIGNED:.+]] = arith.cmpi eq, %[[REST]]
// CHECK:         scf.if %[[IS_ALIGNED]] {
// CHECK:           %[[LATER:.+]] = arith.addi %{{.+}}, %[[AHEAD]]
// CHECK:           %[[FIRST:.+]] = arith.minsi %[[LATER]], %[[LAST]]
// CHECK:           %[[ALL:.+]] = memref.collapse_shape %[[X]] {{\[}}[0, 1, 2, 3]]
// CHECK:           memref.prefetch %[[ALL]][%[[FIRST]]], read, locality<2>, data
// CHECK:           %[[NEXT:.+]] = arith.addi %[[FIRST]], %[[COLUMN]]
// CHECK:           memref.prefetch %[[ALL]][%[[NEXT]]], read, locality<2>, data
// CHECK:           %[[BELOW:.+]] = arith.addi %[[FIRST]], %[[ROW]]
// CHECK:           memref.prefetch %[[ALL]][%[[BELOW]]], read, locality<2>, data
// CHECK:           memref.prefetch %[[ALL]]
// CHECK-NOT:       memref.prefetch
// CHECK:           vector.store %{{.+}}, %[[Y]]{{.*}} {alignment = 16 : i64, nontemporal = true}
// CHECK:         } else {
// CHECK:           memref.prefetch
// CHECK-NOT:       nontemporal
// CHECK:           vector.store
// CHECK:         return
func.func @ahead(%x: memref<1x4x512x8xf32>, %y: memref<1x2x256x8xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x4x512x8xf32>)
    outs(%y : memref<1x2x256x8xf32>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", prefetch = true, rows = 1, columns = 1, stream = true, vectors = 1>}
  return
}

// -----

// If windows overlap, only rows that the group above has not read are
// prefetched. Here this is the last of three rows, 1,024 elements ahead of its
// load. A row has 512 x 8 elements.

// CHECK-LABEL: func.func @ahead_of_overlap(
// CHECK-DAG:     %[[LAST:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[AHEAD:.+]] = arith.constant 1024 : index
// CHECK:         %[[ROW:.+]] = arith.addi %{{.+}}, %[[LAST]]
// CHECK:         %[[LATER:.+]] = arith.addi %{{.+}}, %[[AHEAD]]
// CHECK:         %[[FIRST:.+]] = arith.minsi %[[LATER]]
// CHECK:         memref.prefetch %{{.+}}[%[[FIRST]]], read, locality<2>, data
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @ahead_of_overlap(%x: memref<1x6x512x8xf32>, %y: memref<1x4x510x8xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x6x512x8xf32>)
    outs(%y : memref<1x4x510x8xf32>) kernel [3, 3] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", prefetch = true, rows = 1, columns = 1, vectors = 1>}
  return
}

// -----

// A group of one column has 1,024 elements, which are four kilobytes. Vectors
// are prefetched two groups ahead.

// CHECK-LABEL: func.func @two_groups_ahead(
// CHECK-DAG:     %[[AHEAD:.+]] = arith.constant 2048 : index
// CHECK:         %[[LATER:.+]] = arith.addi %{{.+}}, %[[AHEAD]]
// CHECK:         %[[FIRST:.+]] = arith.minsi %[[LATER]]
// CHECK:         memref.prefetch %{{.+}}[%[[FIRST]]], read, locality<2>, data
// CHECK:         return
func.func @two_groups_ahead(%x: memref<1x6x64x1024xf32>, %y: memref<1x4x62x1024xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x6x64x1024xf32>)
    outs(%y : memref<1x4x62x1024xf32>) kernel [3, 3] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", prefetch = true, rows = 1, columns = 1, vectors = 1>}
  return
}

// -----

// A group of one column has 24 elements. Vectors are prefetched 43 whole groups
// ahead, the least of four kilobytes or more.

// CHECK-LABEL: func.func @whole_groups_ahead(
// CHECK-DAG:     %[[AHEAD:.+]] = arith.constant 1032 : index
// CHECK:         %[[LATER:.+]] = arith.addi %{{.+}}, %[[AHEAD]]
// CHECK:         arith.minsi %[[LATER]]
// CHECK:         memref.prefetch
// CHECK:         return
func.func @whole_groups_ahead(%x: memref<1x6x512x24xf32>, %y: memref<1x4x510x24xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x6x512x24xf32>)
    outs(%y : memref<1x4x510x24xf32>) kernel [3, 3] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", prefetch = true, rows = 1, columns = 1, vectors = 1>}
  return
}

// -----

// A cache line holds four vectors, but is prefetched only once. Six vectors of
// channels lie in two lines, at two positions in two rows.

// CHECK-LABEL: func.func @lines_ahead(
// CHECK-DAG:     %[[LINE:.+]] = arith.constant 16 : index
// CHECK:         memref.prefetch %{{.+}}[%[[FIRST:.+]]], read
// CHECK:         %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[LINE]]
// CHECK:         memref.prefetch %{{.+}}[%[[SECOND]]], read
// CHECK-COUNT-6: memref.prefetch
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @lines_ahead(%x: memref<1x4x512x24xf32>, %y: memref<1x2x256x24xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x4x512x24xf32>)
    outs(%y : memref<1x2x256x24xf32>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "all", prefetch = true, rows = 1, columns = 1, vectors = 6>}
  return
}

// -----

// The input has 25.6 million bytes, and the output a quarter of that. They come
// from memory, so each line is prefetched twice.

// CHECK-LABEL:    func.func @lines_of_memory(
// CHECK-DAG:      %[[HALF:.+]] = arith.constant 8 : index
// CHECK:          memref.prefetch %{{.+}}[%[[FIRST:.+]]], read
// CHECK:          %[[SECOND:.+]] = arith.addi %[[FIRST]], %[[HALF]]
// CHECK:          memref.prefetch %{{.+}}[%[[SECOND]]], read
// CHECK-COUNT-14: memref.prefetch
// CHECK-NOT:      memref.prefetch
// CHECK:          return
func.func @lines_of_memory(%x: memref<1x400x500x32xf32>, %y: memref<1x200x250x32xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x400x500x32xf32>)
    outs(%y : memref<1x200x250x32xf32>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "all", prefetch = true, rows = 1, columns = 1, vectors = 8>}
  return
}

// -----

// The code loads only positions that have a tap, however far apart these are.

// CHECK-LABEL: func.func @far_taps(
// CHECK-NOT:     arith.constant 15999 : index
// CHECK-COUNT-4: vector.load
// CHECK-NOT:     vector.load
// CHECK:         return
func.func @far_taps(%x: memref<1x16002x1001x4xf32>, %y: memref<1x2x1x4xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x16002x1001x4xf32>)
    outs(%y : memref<1x2x1x4xf32>) kernel [2, 2] strides [1, 1]
    dilations [16000, 1000] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
  return
}

// -----

// There are fewer channels than lanes.

// CHECK-LABEL: func.func @few_channels(
// CHECK-SAME:    %[[X:.+]]: memref<1x2x3xi32>, %[[Y:.+]]: memref<1x1x3xi32>)
// CHECK:         %[[MASK:.+]] = arith.constant dense<[true, true, true, false]>
// CHECK:         vector.maskedload %[[X]][%{{.+}}, %{{.+}}, %{{.+}}], %[[MASK]]
// CHECK:         vector.maskedstore %[[Y]][%{{.+}}, %{{.+}}, %{{.+}}], %[[MASK]]
func.func @few_channels(%x: memref<1x2x3xi32>, %y: memref<1x1x3xi32>) {
  pool.window_reduce <max> ins(%x : memref<1x2x3xi32>)
    outs(%y : memref<1x1x3xi32>) kernel [2] strides [2] dilations [1]
    pads_begin [0] pads_end [0] layout channels_last
  return
}

// -----

// There is a single channel, so each column is a vector of one lane, which is
// stored as a scalar.

// CHECK-LABEL: func.func @one_channel(
// CHECK-SAME:    %[[X:.+]]: memref<1x2x1xi8>, %[[Y:.+]]: memref<1x1x1xi8>)
// CHECK:         vector.maskedload %[[X]]
// CHECK:         %[[LANE:.+]] = vector.extract %{{.+}}[0] : i8 from vector<16xi8>
// CHECK:         memref.store %[[LANE]], %[[Y]]
func.func @one_channel(%x: memref<1x2x1xi8>, %y: memref<1x1x1xi8>) {
  pool.window_reduce <max> ins(%x : memref<1x2x1xi8>)
    outs(%y : memref<1x1x1xi8>) kernel [2] strides [2] dilations [1]
    pads_begin [0] pads_end [0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
  return
}

// -----

// Whether there are enough channels for a vector is known only at run time.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:.+]]: memref<1x8x?xi32>, %[[Y:.+]]: memref<1x4x?xi32>)
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK:         %[[CHANNELS:.+]] = memref.dim %[[Y]]
// CHECK:         %[[FITS:.+]] = arith.cmpi sge, %[[CHANNELS]], %[[FOUR]]
// CHECK:         scf.if %[[FITS]]
// CHECK:           scf.for %[[VECTOR:.+]] = %{{.+}} to %[[CHANNELS]] step %[[FOUR]]
// CHECK:             %[[LAST:.+]] = arith.subi %[[CHANNELS]], %[[FOUR]]
// CHECK:             %[[C:.+]] = arith.minsi %[[VECTOR]], %[[LAST]]
// CHECK:             vector.load %[[X]][%{{.+}}, %{{.+}}, %[[C]]]
// CHECK:         else
// CHECK:             %[[MASK:.+]] = vector.create_mask
// CHECK:             vector.maskedload %[[X]][%{{.+}}], %[[MASK]]
func.func @dynamic(%x: memref<1x8x?xi32>, %y: memref<1x4x?xi32>) {
  pool.window_reduce <max> ins(%x : memref<1x8x?xi32>)
    outs(%y : memref<1x4x?xi32>) kernel [2] strides [2] dilations [1]
    pads_begin [0] pads_end [0] layout channels_last
  return
}

// -----

// For a tap in padding, a maximum reads another position of its window: the
// position is clamped. Windows in the interior need no clamping.

// CHECK-LABEL: func.func @padded_maximum(
// CHECK-SAME:    %[[X:.+]]: memref<1x8x4xi32>,
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK-NOT:         arith.maxsi %{{.+}} : index
// CHECK:             vector.load %[[X]]
// CHECK:           else
// CHECK:             arith.maxsi %{{.+}}, %[[ZERO]] : index
// CHECK:             vector.load %[[X]]
// CHECK-NOT:         arith.select
// CHECK:         return
func.func @padded_maximum(%x: memref<1x8x4xi32>, %y: memref<1x8x4xi32>) {
  pool.window_reduce <max> ins(%x : memref<1x8x4xi32>)
    outs(%y : memref<1x8x4xi32>) kernel [3] strides [1] dilations [1]
    pads_begin [1] pads_end [1] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 2, vectors = 1>}
  return
}

// -----

// For a tap in padding, a sum adds zeros.

// CHECK-LABEL: func.func @padded_sum(
// CHECK-SAME:    %[[X:.+]]: memref<1x8x4xf32>,
// CHECK-DAG:     %[[FILL:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK-NOT:         arith.select
// CHECK:             vector.load %[[X]]
// CHECK:           else
// CHECK:             %[[ELEMENT:.+]] = vector.load %[[X]]
// CHECK:             arith.select %{{.+}}, %[[ELEMENT]], %[[FILL]] : vector<4xf32>
func.func @padded_sum(%x: memref<1x8x4xf32>, %y: memref<1x8x4xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x8x4xf32>)
    outs(%y : memref<1x8x4xf32>) kernel [3] strides [1] dilations [1]
    pads_begin [1] pads_end [1] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 2, vectors = 1>}
  return
}

// -----

// The window is too large for straight code, so a loop goes over its taps.

// CHECK-LABEL: func.func @large(
// CHECK-SAME:    %[[X:.+]]: memref<1x1000x4xf32>, %[[Y:.+]]: memref<1x3x4xf32>)
// CHECK-DAG:     %[[INIT:.+]] = arith.constant dense<0.000000e+00>
// CHECK-DAG:     %[[KERNEL:.+]] = arith.constant 998 : index
// CHECK:         scf.for %[[O:.+]] =
// CHECK:           %[[SUM:.+]] = scf.for %[[T:.+]] = %{{.+}} to %[[KERNEL]] step %{{.+}} iter_args(%[[ACC:.+]] = %[[INIT]])
// CHECK:             %[[I:.+]] = arith.addi %[[O]], %[[T]]
// CHECK:             %[[ELEMENT:.+]] = vector.load %[[X]][%{{.+}}, %[[I]], %{{.+}}]
// CHECK:             arith.addf %[[ACC]], %[[ELEMENT]]
// CHECK:           vector.store %[[SUM]], %[[Y]][%{{.+}}, %[[O]], %{{.+}}]
func.func @large(%x: memref<1x1000x4xf32>, %y: memref<1x3x4xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x1000x4xf32>)
    outs(%y : memref<1x3x4xf32>) kernel [998] strides [1] dilations [1]
    pads_begin [0] pads_end [0] layout channels_last
    {pool.plan = #pool.plan<"channels", columns = 1, loops = "all", rows = 1, vectors = 1>}
  return
}

// -----

// The plan loops over all taps. Each iteration handles all vectors of channels,
// so that it reads consecutive memory.

// CHECK-LABEL: func.func @global(
// CHECK-SAME:    %[[X:.+]]: memref<1x7x7x8xf32>,
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           scf.for %[[J:[a-z0-9]+]] =
// CHECK-DAG:         vector.load %[[X]][%[[ZERO]], %[[I]], %[[J]], %[[ZERO]]]
// CHECK-DAG:         vector.load %[[X]][%[[ZERO]], %[[I]], %[[J]], %[[FOUR]]]
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @global(%x: memref<1x7x7x8xf32>, %y: memref<1x1x1x8xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x7x7x8xf32>)
    outs(%y : memref<1x1x1x8xf32>) kernel [7, 7] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "all", rows = 1, columns = 1, vectors = 2>}
  return
}

// -----

// The code tracks the number of the chosen tap. If a window has only -inf or
// NaN, its outputs are computed again one by one.

// CHECK-LABEL: func.func @positions(
// CHECK-SAME:    %{{.+}}: memref<1x4x4xf32>, %[[Y:.+]]: memref<1x2x4xf32>, %[[I:.+]]: memref<1x2x4xi64>)
// CHECK-DAG:     %[[LOWEST:.+]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK:         vector.load
// CHECK:         vector.load
// CHECK:         %[[CHOSEN:.+]] = arith.cmpf ogt, %[[X1:.+]], %[[X0:.+]] : vector<4xf32>
// CHECK:         %[[VALUE:.+]] = arith.select %[[CHOSEN]], %[[X1]], %[[X0]]
// CHECK:         arith.select %[[CHOSEN]], %{{.+}} : vector<4xi1>, vector<4xi32>
// CHECK:         %[[DOUBT:.+]] = arith.cmpf oeq, %[[VALUE]], %[[LOWEST]]
// CHECK:         vector.store %[[VALUE]], %[[Y]]
// CHECK:         vector.store %{{.+}}, %[[I]]{{.*}} vector<4xi64>
// CHECK:         %[[DOUBTS:.+]] = arith.ori %[[DOUBT]], %{{.+}} : vector<4xi1>
// CHECK:         %[[ANY:.+]] = vector.reduction <or>, %[[DOUBTS]]
// CHECK:         scf.if %[[ANY]]
// CHECK:           memref.store %{{.+}}, %[[Y]]
// CHECK:           memref.store %{{.+}}, %[[I]]
func.func @positions(%x: memref<1x4x4xf32>, %y: memref<1x2x4xf32>,
                     %i: memref<1x2x4xi64>) {
  pool.window_reduce <max> ins(%x : memref<1x4x4xf32>)
    outs(%y, %i : memref<1x2x4xf32>, memref<1x2x4xi64>) kernel [2] strides [2]
    dilations [1] pads_begin [0] pads_end [0] positions [0, 1]
    layout channels_last
    {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 2, vectors = 1>}
  return
}
