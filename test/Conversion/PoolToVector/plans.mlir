// convert-pool-to-vector must use the pinned plan (`pool.plan`), also if the
// planner would not choose it. Each function pins such a plan, and the checks
// look for the code that only this plan gives.

// RUN: pool-opt %s --convert-pool-to-vector --canonicalize --cse --split-input-file | FileCheck %s

// A row is computed as a whole, without a loop over columns.

// CHECK-LABEL: func.func @row(
// CHECK:         scf.parallel
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @row(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 3, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// Strips of 8 columns. The last strip moves back to column 22, and loads fewer
// lanes there.

// CHECK-LABEL: func.func @strips(
// CHECK-DAG:     %[[STEP:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[LAST:.+]] = arith.constant 22 : index
// CHECK-DAG:     %[[END:.+]] = arith.constant 24 : index
// CHECK:         scf.parallel
// CHECK:           scf.for %[[COLUMN:.+]] = %{{.+}} to %[[END]] step %[[STEP]] {
// CHECK:             vector.load {{.*}}, %[[COLUMN]]]
// CHECK-NOT:         vector.maskedload
// CHECK:           }
// CHECK:           vector.maskedload {{.*}}, %[[LAST]]]
func.func @strips(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"planes", cut = "strips", columns = 8, rows = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// Both strips lie at the border, so each has separate code instead of a loop.

// CHECK-LABEL: func.func @padded_strips(
// CHECK-DAG:     %[[PADDED:.+]] = arith.constant -1 : index
// CHECK-DAG:     %[[FIRST:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[LAST:.+]] = arith.constant 4 : index
// CHECK:         scf.parallel
// CHECK-NOT:     scf.for
// CHECK-NOT:     scf.if
// CHECK:         vector.maskedload {{.*}}, %[[PADDED]]]
// CHECK:         vector.store {{.*}}, %[[FIRST]]]
// CHECK:         vector.store {{.*}}, %[[LAST]]]
// CHECK:         return
func.func @padded_strips(%x: tensor<1x4x32x20xf32>) -> tensor<1x4x32x20xf32> {
  %0 = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
     {pool.plan = #pool.plan<"planes", cut = "strips", columns = 16, rows = 1>}
     : tensor<1x4x32x20xf32> -> tensor<1x4x32x20xf32>
  return %0 : tensor<1x4x32x20xf32>
}

// More than two strips lie at the border. A loop goes over all strips, and
// tests which of them do.

// CHECK-LABEL: func.func @much_padding(
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK:               vector.load
// CHECK:             } else {
// CHECK:               vector.maskedload
func.func @much_padding(%x: tensor<1x4x32x20xf32>) -> tensor<1x4x30x26xf32> {
  %0 = pool.max_pool %x kernel [3, 9] pads_begin [0, 7] pads_end [0, 7]
     {pool.plan = #pool.plan<"planes", cut = "strips", columns = 4, rows = 1>}
     : tensor<1x4x32x20xf32> -> tensor<1x4x30x26xf32>
  return %0 : tensor<1x4x30x26xf32>
}

// Groups of two rows carry input rows within parts of 10 rows. So the loop over
// groups carries registers.

// CHECK-LABEL: func.func @carry(
// CHECK-DAG:     %[[PART:.+]] = arith.constant 10 : index
// CHECK-DAG:     %[[GROUP:.+]] = arith.constant 2 : index
// CHECK:         scf.parallel
// CHECK:           scf.for {{.*}} step %[[GROUP]] iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (vector<16xf32>,
func.func @carry(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 2, first_column = 0,
                             carry = true, part_rows = 10>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// The plan prefetches rows, and has non-temporal stores for results that are
// aligned.

// CHECK-LABEL: func.func @prefetch_and_stream(
// CHECK:         scf.if
// CHECK:           memref.prefetch
// CHECK:           vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         else
// CHECK-NOT:       nontemporal
// CHECK:         return
func.func @prefetch_and_stream(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x16x16xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     {pool.plan = #pool.plan<"planes", cut = "row", columns = 16, rows = 1, first_column = 0,
                             prefetch = true, stream = true>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x16x16xf32>
  return %0 : tensor<1x4x16x16xf32>
}

// Rows of up to 20 columns have straight code. Wider rows have loops over taps,
// the plan's `otherwise`.

// CHECK-LABEL: func.func @otherwise(
// CHECK:         %[[FITS:.+]] = arith.cmpi {{sge|sle}}, %{{.+}}, %{{.+}} : index
// CHECK:         scf.if %[[FITS]] {
// CHECK:           vector<16xf32>
// CHECK:         } else {
// CHECK:           vector<4xf32>
func.func @otherwise(%x: tensor<1x4x32x?xf32>) -> tensor<1x4x30x?xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"planes", cut = "narrow", columns = 20, rows = 1, fallback =
                  #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x32x?xf32> -> tensor<1x4x30x?xf32>
  return %0 : tensor<1x4x30x?xf32>
}

// Blocks of rows also work for small windows, for which the planner does not
// choose them. "van-herk" then reduces columns in registers. Before the loops it
// loads a vector in which no window ends. The first loop gives whole vectors of
// windows, and the second one the rest. Sums of two elements stay in registers,
// from the vector before. Single elements are loaded: the second ones of these
// sums, and the fifth ones of windows.

// CHECK-LABEL: func.func @van_herk(
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant dense<0.000000e+00>
// CHECK:         %[[BUFFER:.+]] = memref.alloc() {{.*}} : memref<4x{{.+}}xf32>
// CHECK:         %[[ROWS:.+]] = memref.collapse_shape %[[BUFFER]]
// CHECK-COUNT-2:   vector.load %[[ROWS]]
// CHECK-NEXT:      %[[FIRST:.+]] = arith.addf
// CHECK-NOT:       vector.shuffle
// CHECK:           %[[WHOLE:.+]] = scf.for %[[O:.+]] = %c0 to %[[END:.+]] step %c16 iter_args(%[[BEFORE:.+]] = %[[FIRST]])
// CHECK:             arith.addi %[[O]], %c16
// CHECK:             vector.load %[[ROWS]]
// CHECK:             arith.addi %[[O]], %c17
// CHECK:             vector.load %[[ROWS]]
// CHECK:             %[[RUNS:.+]] = arith.addf
// CHECK:             %[[LATER:.+]] = vector.shuffle %[[BEFORE]], %[[RUNS]] [2, 3,
// CHECK:             %[[FOUR:.+]] = arith.addf %[[BEFORE]], %[[LATER]]
// CHECK:             arith.addi %[[O]], %c4
// CHECK:             vector.load %[[ROWS]]
// CHECK:             arith.addf %[[FOUR]]
// CHECK-NOT:         vector.shuffle
// CHECK:             vector.store %{{.+}} : memref<1x4x30x40xf32>
// CHECK-NEXT:        scf.yield %[[RUNS]]
// CHECK:           scf.for %{{.+}} = %[[END]] to %{{.+}} step %c16 iter_args({{.+}} = %[[WHOLE]])
// CHECK:             vector.load %[[ROWS]]
// CHECK:             vector.maskedstore %{{.+}} : memref<1x4x30x40xf32>
func.func @van_herk(%x: tensor<1x4x32x44xf32>) -> tensor<1x4x30x40xf32> {
  %0 = pool.avg_pool %x kernel [3, 5] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32x44xf32> -> tensor<1x4x30x40xf32>
  return %0 : tensor<1x4x30x40xf32>
}

// Columns with dilation: taps lie two lanes apart. A window is two runs of two
// taps, which overlap.

// CHECK-LABEL: func.func @dilated_van_herk(
// CHECK:         vector.shuffle %{{.+}} [2, 3, 4,
// CHECK:         return
func.func @dilated_van_herk(%x: tensor<1x4x32x36xf32>) -> tensor<1x4x28x32xf32> {
  %0 = pool.max_pool %x kernel [3, 3] dilations [2, 2]
     {pool.plan = #pool.plan<"van-herk", vectors = 1>}
     : tensor<1x4x32x36xf32> -> tensor<1x4x28x32xf32>
  return %0 : tensor<1x4x28x32xf32>
}

// "buffered-planes" reduces columns without shuffles.

// CHECK-LABEL: func.func @buffered(
// CHECK:         memref.alloc() {{.*}} : memref<3x32xf32>
// CHECK:         %[[BUFFER:.+]] = memref.alloc() {{.*}} : memref<4x{{.+}}xf32>
// CHECK:         %[[ROWS:.+]] = memref.collapse_shape %[[BUFFER]]
// CHECK:         scf.for {{.*}} iter_args
// CHECK-NOT:     vector.shuffle
// CHECK:         vector.store %{{.+}}, %[[BUFFER]]
// CHECK:         vector.load %[[ROWS]]
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @buffered(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// Parts of rows, which stay in the first cache.

// CHECK-LABEL: func.func @buffered_parts(
// CHECK:         scf.parallel
// CHECK:           scf.for
// CHECK:             scf.for %[[PART:.+]] = %c0 to %c7998 step %c4096
// CHECK:               %[[LEFT:.+]] = arith.subi %c7998, %[[PART]]
// CHECK:               arith.minsi %[[LEFT]], %c4096
func.func @buffered_parts(%x: tensor<1x4x32x8000xf32>) -> tensor<1x4x30x7998xf32> {
  %0 = pool.max_pool %x kernel [3, 3]
     {pool.plan = #pool.plan<"buffered-planes", block = 3, parts = true, vectors = 1>}
     : tensor<1x4x32x8000xf32> -> tensor<1x4x30x7998xf32>
  return %0 : tensor<1x4x30x7998xf32>
}

// A slice of a buffer is reduced in place.

// CHECK-LABEL: func.func @buffered_slice(
// CHECK-SAME:    %[[IN:.+]]: memref<1x4x32x32xf32, strided<[8192, 2048, 64, 1]>>
// CHECK:         memref.alloc() {{.*}} : memref<4x{{.+}}xf32>
// CHECK:         vector.load %[[IN]]
func.func @buffered_slice(%x: memref<1x4x32x32xf32, strided<[8192, 2048, 64, 1]>>, %y: memref<1x4x30x30xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x4x32x32xf32, strided<[8192, 2048, 64, 1]>>)
    outs(%y : memref<1x4x30x30xf32>) kernel [3, 3] strides [1, 1] dilations [1, 1] pads_begin [0, 0]
    pads_end [0, 0] layout <channels_first> {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
  return
}

// CHECK-LABEL: func.func @row_slice(
// CHECK-SAME:    %[[IN:.+]]: memref<1x4x32xf32, strided<[2048, 64, 1]>>
// CHECK:         memref.alloc() {{.*}} : memref<2x{{.+}}xf32>
// CHECK:         vector.load %[[IN]]
func.func @row_slice(%x: memref<1x4x32xf32, strided<[2048, 64, 1]>>, %y: memref<1x4x30xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x4x32xf32, strided<[2048, 64, 1]>>)
    outs(%y : memref<1x4x30xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
    pads_end [0] layout <channels_first> {pool.plan = #pool.plan<"staged", block = 1, vectors = 1>}
  return
}

// -----

// Whole planes, by a loop and by straight code.

// CHECK-LABEL: func.func @global_loop(
// CHECK:         scf.for {{.*}} iter_args
func.func @global_loop(%x: tensor<1x32x31x31xf32>) -> tensor<1x32x1x1xf32> {
  %0 = pool.max_pool %x kernel [31, 31] {pool.plan = #pool.plan<"global", code = "loop">}
     : tensor<1x32x31x31xf32> -> tensor<1x32x1x1xf32>
  return %0 : tensor<1x32x1x1xf32>
}

// CHECK-LABEL: func.func @global_straight(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @global_straight(%x: tensor<1x32x15x15xf32>) -> tensor<1x32x1x1xf32> {
  %0 = pool.max_pool %x kernel [15, 15] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x32x15x15xf32> -> tensor<1x32x1x1xf32>
  return %0 : tensor<1x32x1x1xf32>
}

// -----

// Channels as lanes: straight code for taps, loops over taps in all dimensions
// but columns, and loops over all taps.

// CHECK-LABEL: func.func @channels_straight(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @channels_straight(%x: tensor<1x32x32x64xf32>) -> tensor<1x30x30x64xf32> {
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"channels", loops = "none", rows = 2, columns = 1, vectors = 1>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return %0 : tensor<1x30x30x64xf32>
}

// CHECK-LABEL: func.func @channels_rows(
// CHECK:         scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @channels_rows(%x: tensor<1x32x32x64xf32>) -> tensor<1x30x30x64xf32> {
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"channels", loops = "rows", rows = 1, columns = 2, vectors = 1>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return %0 : tensor<1x30x30x64xf32>
}

// CHECK-LABEL:   func.func @channels_all(
// CHECK-COUNT-2:   scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>)
func.func @channels_all(%x: tensor<1x32x32x64xf32>) -> tensor<1x30x30x64xf32> {
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"channels", loops = "all", rows = 1, columns = 1, vectors = 3>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return %0 : tensor<1x30x30x64xf32>
}

// Few channels: a vector has four columns.

// CHECK-LABEL: func.func @few_channels(
// CHECK-DAG:     %[[FOUR:.+]] = arith.constant 4 : index
// CHECK:         scf.for %{{.+}} = %{{.+}} to %{{.+}} step %[[FOUR]]
// CHECK:           vector.shuffle
func.func @few_channels(%x: tensor<1x32x32x3xf32>) -> tensor<1x30x30x3xf32> {
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x32x32x3xf32> -> tensor<1x30x30x3xf32>
  return %0 : tensor<1x30x30x3xf32>
}

// -----

// Adaptive pooling: the row of a window in registers, or in a buffer.

// CHECK-LABEL: func.func @adaptive_register(
// CHECK-NOT:     memref.alloc{{.*}} memref<14x
// CHECK:         scf.for
// CHECK:         return
func.func @adaptive_register(%x: tensor<1x8x14x14xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_max_pool %x output_size [5, 5]
     {pool.plan = #pool.plan<"adaptive-planes", row = "register">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// CHECK-LABEL: func.func @adaptive_buffer(
// CHECK:         scf.parallel
// CHECK:           memref.alloc
func.func @adaptive_buffer(%x: tensor<1x8x14x14xf32>) -> tensor<1x8x5x5xf32> {
  %0 = pool.adaptive_max_pool %x output_size [5, 5]
     {pool.plan = #pool.plan<"adaptive-planes", row = "buffer">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return %0 : tensor<1x8x5x5xf32>
}

// CHECK-LABEL: func.func @adaptive_channels(
// CHECK-DAG:     %[[STRIP:.+]] = arith.constant 32 : index
// CHECK:         scf.for %{{.+}} = %{{.+}} to %{{.+}} step %[[STRIP]]
func.func @adaptive_channels(%x: tensor<1x14x14x96xf32>) -> tensor<1x5x5x96xf32> {
  %0 = pool.adaptive_max_pool %x output_size [5, 5] layout channels_last
     {pool.plan = #pool.plan<"adaptive-channels", vectors = 2>}
     : tensor<1x14x14x96xf32> -> tensor<1x5x5x96xf32>
  return %0 : tensor<1x5x5x96xf32>
}

// -----

// Gradients of extrema and max_unpool: "blocks" despite overlapping windows,
// "blocks" with non-temporal stores, "gather" although windows do not overlap,
// and "slices".

// CHECK-LABEL: func.func @blocks(
// CHECK:         vector.shuffle
func.func @blocks(%x: tensor<1x8x32x32xf32>, %g: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>)
    -> tensor<1x8x32x32xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     {pool.plan = #pool.plan<"blocks">}
     : tensor<1x8x32x32xf32>, tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

// CHECK-LABEL: func.func @blocks_stream(
// CHECK:         nontemporal = true
func.func @blocks_stream(%v: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>) -> tensor<1x8x32x32xf32> {
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks", stream = true>}
     : tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

// CHECK-LABEL: func.func @windows(
// CHECK:         vector.reduction <or>
func.func @windows(%x: tensor<1x8x32x32xf32>, %g: tensor<1x8x16x16xf32>) -> tensor<1x8x32x32xf32> {
  %0 = pool.min_pool_grad %x, %g kernel [2, 2] strides [2, 2] {pool.plan = #pool.plan<"gather">}
     : tensor<1x8x32x32xf32>, tensor<1x8x16x16xf32> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

// CHECK-LABEL: func.func @slices(
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @slices(%v: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>) -> tensor<1x8x32x32xf32> {
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"slices">}
     : tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

// One block and one window. The input is loaded as whole vectors, moved to the
// end of the row, and the window is stored as an element.

// CHECK-LABEL: func.func @one_block(
// CHECK:         scf.parallel
// CHECK-NOT:       vector.maskedload
// CHECK-NOT:       vector.store %{{.+}}memref<2x3x1x1xf16>
// CHECK:           memref.store %{{.+}} : memref<2x3x1x1xf16>
// CHECK:         return
func.func @one_block(%x: tensor<2x3x11x70xf16>) -> tensor<2x3x1x1xf16> {
  %0 = pool.avg_pool %x kernel [11, 70] {pool.plan = #pool.plan<"van-herk", vectors = 1>}
     : tensor<2x3x11x70xf16> -> tensor<2x3x1x1xf16>
  return %0 : tensor<2x3x1x1xf16>
}
