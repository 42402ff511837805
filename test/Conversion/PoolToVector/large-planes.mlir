// convert-pool-to-vector on channels-first planes with large windows (van
// Herk's blocks). Blocks of rows are reduced into a buffer, and then the
// columns of its rows. So neighbouring windows share most of the work.

// RUN: pool-opt %s --convert-pool-to-vector --canonicalize --cse --split-input-file | FileCheck %s --enable-var-scope

// A large window: the code reduces rows of a block into a buffer, and then the
// buffer's columns, by passes. Shuffles reduce the strides of a row first. Each
// of the next passes has a buffer for its runs.

// CHECK-LABEL: func.func @large(
// CHECK:         scf.parallel
// CHECK:           %[[BLOCK:.+]] = memref.alloc() {{.*}} : memref<16x288xf32>
// CHECK:           %[[ROWS:.+]] = memref.collapse_shape %[[BLOCK]]
// CHECK:           vector.store %{{.+}}, %[[BLOCK]]
// CHECK:           vector.load %[[ROWS]]
// CHECK:           vector.shuffle
// CHECK:           vector.store %{{.+}}, %[[STRIDES:[a-z_0-9]+]]
// CHECK:           vector.load %[[STRIDES]]
// CHECK:           vector.store %{{.+}}, %[[RUNS:[a-z_0-9]+]]
// CHECK:           vector.load %[[RUNS]]
// CHECK:           vector.store %{{.+}} : memref<1x2x128x128xf32>
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @large(%x: tensor<1x2x256x256xf32>) -> tensor<1x2x128x128xf32> {
  %0 = pool.max_pool %x kernel [31, 31] strides [2, 2] pads_begin [15, 15] pads_end [15, 15]
     : tensor<1x2x256x256xf32> -> tensor<1x2x128x128xf32>
  return %0 : tensor<1x2x128x128xf32>
}

// -----

// Rows of tall windows are reduced in blocks, eight vectors at once. A block
// has 26 windows, so that five blocks have almost the same size. The first loop
// reduces the rows that all windows share, except the first window's last two.
// The second loop goes backwards: it adds two rows for each window, and stores
// the reduction. The third loop goes forwards from the first window's last
// rows. It adds two rows for each window, and combines them with a stored
// reduction.

// CHECK-LABEL: func.func @tall(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x256x256xf32>
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C5:.+]] = arith.constant 5 : index
// CHECK-DAG:     %[[C59:.+]] = arith.constant 59 : index
// CHECK:         pool.on_buffers ins(%[[X]] :
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: memref<1x2x256x256xf32>, %[[OUT:.+]]: memref<1x2x128x128xf32>):
// CHECK:         scf.parallel
// CHECK:           %[[SUFFIXES:.+]] = memref.alloc() {{.*}} : memref<26x64xf32>
// CHECK:           %[[ROWS:.+]] = memref.alloc() {{.*}} : memref<27x{{.+}}xf32>
// CHECK:           scf.for %{{.+}} = %[[C0]] to %[[C5]] step %[[C1]]
// CHECK:             scf.for %{{.+}} = %{{.+}} to %[[C59]] step %[[C1]] iter_args
// CHECK-COUNT-4:       vector.load %[[IN]]
// CHECK:               scf.yield
// CHECK:             scf.for %{{.+}} = %[[C0]] to %{{.+}} step %[[C1]] iter_args
// CHECK-COUNT-8:      vector.load %[[IN]]
// CHECK-COUNT-4:       vector.store %{{.+}}, %[[SUFFIXES]]
// CHECK:               scf.yield
// CHECK:             scf.for %[[ROW:.+]] = %[[C0]] to %{{.+}} step %[[C1]] iter_args
// CHECK-COUNT-8:      vector.load %[[IN]]
// CHECK-COUNT-4:       vector.load %[[SUFFIXES]][%[[ROW]],
// CHECK-COUNT-4:       vector.store %{{.+}}, %[[ROWS]][%[[ROW]],
// CHECK:               scf.yield

// Windows of three columns share no column at stride 2. So the code computes
// windows at all columns, and a shuffle chooses every second one.

// CHECK:             %[[WINDOWS:.+]] = vector.shuffle {{.+}} [0, 2, 4,
// CHECK:             vector.store %[[WINDOWS]], %[[OUT]]
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @tall(%x: tensor<1x2x256x256xf32>) -> tensor<1x2x128x128xf32> {
  %0 = pool.max_pool %x kernel [61, 3] strides [2, 2] pads_begin [30, 1] pads_end [30, 1]
     : tensor<1x2x256x256xf32> -> tensor<1x2x128x128xf32>
  return %0 : tensor<1x2x128x128xf32>
}

// -----

// At stride 1, the number of windows in a block is at most the number of rows
// in a window; nine equal blocks have 29 windows each. The rows of the buffer
// have padding at both ends, which is stored once for all blocks of a plane.
// Loops over rows, as above, store the reduction of the rows from each window's
// first row on, four vectors at once.

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x256x256xf32>
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C16:.+]] = arith.constant 16 : index
// CHECK-DAG:     %[[C30:.+]] = arith.constant 30 : index
// CHECK-DAG:     %[[BLOCK:.+]] = arith.constant 29 : index
// CHECK-DAG:     %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG:     %[[C256:.+]] = arith.constant 256 : index
// CHECK-DAG:     %[[C272:.+]] = arith.constant 272 : index
// CHECK-DAG:     %[[IDENTITY:.+]] = arith.constant dense<0xFF800000> : vector<{{.+}}xf32>
// CHECK:         pool.on_buffers ins(%[[X]] :
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: memref<1x2x256x256xf32>, %[[OUT:.+]]: memref<1x2x256x256xf32>):
// CHECK:         scf.parallel
// CHECK:           %[[SUFFIXES:.+]] = memref.alloc() {{.*}} : memref<29x64xf32>
// CHECK:           %[[ROWS:.+]] = memref.alloc() {{.*}} : memref<30x{{.+}}xf32>
// CHECK:           %[[ROW_BY_ROW:.+]] = memref.collapse_shape %[[ROWS]]
// CHECK:           vector.store %[[IDENTITY]], %[[ROWS]][%{{.+}}, %[[C0]]]
// CHECK:           vector.store %[[IDENTITY]], %[[ROWS]][%{{.+}}, %[[C272]]]
// CHECK:           scf.for
// CHECK-NOT:         vector.store %[[IDENTITY]]
// CHECK:             %[[NUM:.+]] = arith.minsi %{{.+}}, %[[BLOCK]]
// CHECK:             scf.for %{{.+}} = %{{.+}} to %[[C30]] step %[[C1]] iter_args
// CHECK:             scf.for %{{.+}} = %[[C0]] to %{{.+}} step %[[C1]] iter_args
// CHECK-COUNT-4:       vector.load %[[IN]]
// CHECK-COUNT-4:       vector.store %{{.+}}, %[[SUFFIXES]][%{{.+}},
// CHECK:               scf.yield

// The last loop over rows goes forwards from the first window's last row. It adds each row
// to the reduction of the rows before, and combines the result with a stored
// reduction. That gives one row for each row of windows.

// CHECK:             scf.for %[[ROW:.+]] = %[[C0]] to %[[NUM]] step %[[C1]] iter_args(%[[BEFORE:[^ ]+]] =
// CHECK:               arith.addi %[[ROW]], %[[C30]]
// CHECK:               %[[ELEMENT:.+]] = vector.load %[[IN]]
// CHECK-COUNT-3:       vector.load %[[IN]]
// CHECK:               arith.cmpf ogt, %[[ELEMENT]], %[[BEFORE]]
// CHECK:               %[[HEAD:.+]] = arith.select
// CHECK:               %[[SUFFIX:.+]] = vector.load %[[SUFFIXES]][%[[ROW]], %[[C0]]]
// CHECK:               arith.cmpf ogt, %[[HEAD]], %[[SUFFIX]]
// CHECK:               %[[REDUCED:.+]] = arith.select
// CHECK-COUNT-3:       vector.load %[[SUFFIXES]]
// CHECK:               vector.store %[[REDUCED]], %[[ROWS]][%[[ROW]],
// CHECK-COUNT-3:       vector.store %{{.+}}, %[[ROWS]][%[[ROW]],
// CHECK:               scf.yield %[[HEAD]],

// Each row is reduced along its columns as a stream, which carries shared
// elements from vector to vector. The stream begins with vectors that no window
// ends in. No vector of outputs is masked.

// CHECK:             scf.for %[[ROW:.+]] = %[[C0]] to %[[NUM]] step %[[C1]] {
// CHECK:               %[[BEGUN:.+]]:4 = scf.for %{{.+}} = %[[C0]] to %[[C64]] step %[[C16]] iter_args
// CHECK:               scf.for %{{.+}} = %[[C0]] to %[[C256]] step %[[C16]] iter_args(%[[TWO:[^ ]+]] = %[[BEGUN]]#0, %[[FOUR:[^ ]+]] = %[[BEGUN]]#1,
// CHECK-COUNT-2:         vector.load %[[ROW_BY_ROW]]
// CHECK:                 %[[NEW:.+]] = arith.select
// CHECK:                 vector.shuffle %[[TWO]], %[[NEW]] [2,
// CHECK:                 %[[NEXT:.+]] = arith.select
// CHECK:                 vector.shuffle %[[FOUR]], %[[NEXT]] [4,
// CHECK-NOT:             vector.maskedstore
// CHECK:                 vector.store %{{.+}}, %[[OUT]]
// CHECK-NEXT:            scf.yield %[[NEW]], %[[NEXT]],
// CHECK-NOT:           scf.for
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @blocks(%x: tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32> {
  %0 = pool.max_pool %x kernel [31, 31] pads_begin [15, 15] pads_end [15, 15]
     : tensor<1x2x256x256xf32> -> tensor<1x2x256x256xf32>
  return %0 : tensor<1x2x256x256xf32>
}

// -----

// The width is unknown: short rows have straight code, longer rows are reduced
// in blocks.

// CHECK-LABEL: func.func @blocks_of_long_rows(
// CHECK:         scf.if
// CHECK:           scf.parallel
// CHECK-NOT:         memref.alloc
// CHECK:         else
// CHECK:           scf.parallel
// CHECK:             memref.alloc() {{.*}} : memref<14x{{.+}}xf32>
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @blocks_of_long_rows(%x: tensor<1x512x?x?xf32>) -> tensor<1x512x?x?xf32> {
  %0 = pool.max_pool %x kernel [13, 13] pads_begin [6, 6] pads_end [6, 6]
     : tensor<1x512x?x?xf32> -> tensor<1x512x?x?xf32>
  return %0 : tensor<1x512x?x?xf32>
}
