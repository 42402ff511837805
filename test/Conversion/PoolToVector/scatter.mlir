// convert-pool-to-vector on max_unpool and on gradients of maxima. Indices are
// positions in a slice, which has the dimensions from `axis` on. The code
// clears each slice by vectors, and then writes single elements. An index
// outside the slice must write nothing.

// RUN: pool-opt %s --convert-pool-to-vector="vector-bits=128" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// Two stores that overlap clear the last three elements of a slice. An unsigned
// comparison checks an index.

// CHECK-LABEL: func.func @unpool(
// CHECK-SAME:    %[[VALUES:.+]]: tensor<2x3x4xi32>, %[[INDICES:.+]]: tensor<2x3x4xi64>)
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[END:.+]] = arith.constant 24 : index
// CHECK-DAG:     %[[BOUND:.+]] = arith.constant 27 : index
// CHECK-DAG:     %[[NEXT:.+]] = arith.constant 25 : index
// CHECK-DAG:     %[[ZEROS:.+]] = arith.constant dense<0> : vector<4xi32>
// CHECK-DAG:     %[[TWO_ZEROS:.+]] = arith.constant dense<0> : vector<2xi32>
// CHECK:         %[[RESULT:.+]] = pool.on_buffers ins(%[[VALUES]], %[[INDICES]] :
// CHECK-NEXT:    ^bb0(%[[V:.+]]: memref<2x3x4xi32>, %[[I:.+]]: memref<2x3x4xi64>, %[[TARGET:.+]]: memref<2x3x9xi32>):
// CHECK-DAG:     %[[SLICES:.+]] = memref.collapse_shape %[[TARGET]] {{\[}}[0], [1, 2]]
// CHECK-DAG:     %[[VS:.+]] = memref.collapse_shape %[[V]] {{\[}}[0], [1, 2]]
// CHECK-DAG:     %[[IS:.+]] = memref.collapse_shape %[[I]] {{\[}}[0], [1, 2]]
// CHECK:         scf.parallel (%[[N:.+]]) =
// CHECK:           scf.for %[[P:.+]] = %[[ZERO]] to %[[END]] step
// CHECK:             vector.store %[[ZEROS]], %[[SLICES]][%[[N]], %[[P]]]
// CHECK:           vector.store %[[TWO_ZEROS]], %[[SLICES]][%[[N]], %[[END]]]
// CHECK-NEXT:      vector.store %[[TWO_ZEROS]], %[[SLICES]][%[[N]], %[[NEXT]]]
// CHECK:           scf.for %[[E:.+]] =
// CHECK:             %[[INDEX:.+]] = memref.load %[[IS]][%[[N]], %[[E]]]
// CHECK:             %[[FLAT:.+]] = arith.index_cast %[[INDEX]] : i64 to index
// CHECK:             %[[INSIDE:.+]] = arith.cmpi ult, %[[FLAT]], %[[BOUND]]
// CHECK:             scf.if %[[INSIDE]]
// CHECK:               %[[VALUE:.+]] = memref.load %[[VS]][%[[N]], %[[E]]]
// CHECK:               memref.store %[[VALUE]], %[[SLICES]][%[[N]], %[[FLAT]]]
// CHECK:         return %[[RESULT]]
func.func @unpool(%v: tensor<2x3x4xi32>, %i: tensor<2x3x4xi64>)
    -> tensor<2x3x9xi32> {
  %0 = pool.max_unpool %v, %i axis 1
    : tensor<2x3x4xi32>, tensor<2x3x4xi64> -> tensor<2x3x9xi32>
  return %0 : tensor<2x3x9xi32>
}

// -----

// f16 is added up in f32, one slice at a time, and then rounded once.

// CHECK-LABEL: func.func @grad(
// CHECK:         ^bb0({{.*}}, %[[TARGET:[a-z0-9]+]]: memref<?x3x8xf16>):
// CHECK:         scf.parallel (%[[N:.+]], %[[C:.+]]) =
// CHECK:           %[[SUMS:.+]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK:           vector.store %{{.+}}, %[[SUMS]]
// CHECK:           arith.extf %{{.+}} : f16 to f32
// CHECK:           %[[SUM:.+]] = arith.addf
// CHECK:           memref.store %[[SUM]], %[[SUMS]]
// CHECK:           %[[LANES:.+]] = vector.load %[[SUMS]][%[[P:.+]]]
// CHECK:           %[[ROUNDED:.+]] = arith.truncf %[[LANES]]
// CHECK:           vector.store %[[ROUNDED]], %[[TARGET]][%[[N]], %[[C]], %[[P]]]
func.func @grad(%x: tensor<?x3x8xf16>, %g: tensor<?x3x4xf16>,
                %i: tensor<?x3x4xi32>) -> tensor<?x3x8xf16> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2] strides [2] axis 2
    : tensor<?x3x8xf16>, tensor<?x3x4xf16>, tensor<?x3x4xi32>
    -> tensor<?x3x8xf16>
  return %0 : tensor<?x3x8xf16>
}

// -----

// A window of only padding must add nothing, whatever its index. Indices count
// over the batch, too, so the whole tensor is one slice.

// CHECK-LABEL: func.func @padding_alone(
// CHECK-NOT:     scf.parallel
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for %[[O:.+]] =
// CHECK:               %[[HAS_INDEX:.+]] = arith.cmpi ult
// CHECK:               %[[HAS_ELEMENT:.+]] = arith.cmpi ne, %{{.+}}, %{{.+}} : index
// CHECK:               %[[COUNTS:.+]] = arith.andi %[[HAS_INDEX]], %[[HAS_ELEMENT]]
// CHECK:               scf.if %[[COUNTS]]
func.func @padding_alone(%x: tensor<2x3x4xf32>, %g: tensor<2x3x3xf32>,
                         %i: tensor<2x3x3xi64>) -> tensor<2x3x4xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2] strides [3] pads_begin [2]
         pads_end [2]
    : tensor<2x3x4xf32>, tensor<2x3x3xf32>, tensor<2x3x3xi64>
    -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// Without indices, a maximum computes them by vectors. The values of this
// maximum are not stored.

// CHECK-LABEL: func.func @recomputed(
// CHECK-NOT:     pool.max_pool
// CHECK-NOT:     vector.store {{.*}} : memref<1x3x4x4xf32>
// CHECK:         vector.store {{.*}} : memref<1x3x4x4xi32>
// CHECK-NOT:     vector.store {{.*}} : memref<1x3x4x4xf32>
// CHECK:         return
func.func @recomputed(%x: tensor<1x3x8x8xf32>, %g: tensor<1x3x4x4xf32>)
    -> tensor<1x3x8x8xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [2, 2] strides [2, 2]
    : tensor<1x3x8x8xf32>, tensor<1x3x4x4xf32> -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// -----

// The values are known to be empty, although other dimensions are unknown.

// CHECK-LABEL: func.func @no_values(
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
// CHECK:         return
func.func @no_values(%v: tensor<0x3x?xf32>, %i: tensor<0x3x?xi64>)
    -> tensor<2x3x8xf32> {
  %0 = pool.max_unpool %v, %i
    : tensor<0x3x?xf32>, tensor<0x3x?xi64> -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// -----

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    %[[EMPTY:.+]] = tensor.empty() : tensor<0x3x8xf32>
// CHECK-NEXT:    return %[[EMPTY]]
func.func @empty(%v: tensor<0x3x4xf32>, %i: tensor<0x3x4xi64>)
    -> tensor<0x3x8xf32> {
  %0 = pool.max_unpool %v, %i axis 1
    : tensor<0x3x4xf32>, tensor<0x3x4xi64> -> tensor<0x3x8xf32>
  return %0 : tensor<0x3x8xf32>
}

// -----

// Blocks of two by two elements, one for each index. The code subtracts the
// first position of the block from the index, and compares the result with the
// positions of each row of the block. It writes all elements of the block, so
// the slice need not be cleared. If an index lies outside its block, the slice
// is cleared and written element by element.

// CHECK-LABEL: func.func @blocks(
// CHECK-DAG:     %[[TWO:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG:     %[[FIRST_ROW:.+]] = arith.constant dense<[0, 1, 0, 1]> : vector<4xi32>
// CHECK-DAG:     %[[SECOND_ROW:.+]] = arith.constant dense<[8, 9, 8, 9]> : vector<4xi32>
// CHECK-DAG:     %[[BLOCKS:.+]] = arith.constant dense<[0, 2, 4, 6]> : vector<4xi64>
// CHECK:         ^bb0({{.*}}, %[[TARGET:[a-z0-9]+]]: memref<2x3x10x8xf32>):
// CHECK:         scf.parallel (%[[N:.+]], %[[C:.+]]) =
// CHECK:           %[[ALL:.+]] = scf.for %[[PART:.+]] = {{.+}} iter_args(%[[SO_FAR:.+]] = %{{.+}}) -> (i1)
// CHECK:             scf.if %[[SO_FAR]] -> (i1)
// CHECK:               scf.for %[[R:.+]] = %[[PART]] to %{{.+}} iter_args(%[[COUNTS:.+]] = %{{.+}}) -> (vector<4xi32>)
// CHECK:                 %[[INDICES:.+]] = vector.load %{{.+}}[%[[N]], %[[C]], %[[R]], %{{.+}}]
// CHECK:                 arith.addi %{{.+}}, %[[BLOCKS]]
// CHECK:                 %[[DISTANCES:.+]] = arith.subi %[[INDICES]],
// CHECK:                 %[[BOUNDED:.+]] = arith.minui %[[DISTANCES]],
// CHECK:                 %[[CODES:.+]] = arith.trunci %[[BOUNDED]]
// CHECK:                 %[[VALUES:.+]] = vector.load
// CHECK:                 %[[VALUE:.+]] = vector.shuffle %[[VALUES]], %[[VALUES]] [0, 0, 1, 1]
// CHECK:                 %[[CODE:.+]] = vector.shuffle %[[CODES]], %[[CODES]] [0, 0, 1, 1]
// CHECK:                 %[[ROW:.+]] = arith.muli %[[R]], %[[TWO]]
// CHECK:                 %[[FIRST:.+]] = arith.cmpi eq, %[[CODE]], %[[FIRST_ROW]]
// CHECK:                 %[[FIRST_LANES:.+]] = arith.select %[[FIRST]], %[[VALUE]], %[[ZEROS]]
// CHECK:                 vector.store %[[FIRST_LANES]], %[[TARGET]][%[[N]], %[[C]], %[[ROW]],
// CHECK:                 %[[SECOND:.+]] = arith.cmpi eq, %[[CODE]], %[[SECOND_ROW]]
// CHECK:                 arith.ori %[[FIRST]], %[[SECOND]]
// CHECK:               %[[NUMBER:.+]] = vector.reduction <add>
// CHECK:           scf.if %[[ALL]] {
// CHECK-NEXT:      } else {
// CHECK:             vector.store %[[ZEROS]]
// CHECK:             arith.cmpi ult
func.func @blocks(%v: tensor<2x3x5x4xf32>, %i: tensor<2x3x5x4xi64>)
    -> tensor<2x3x10x8xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<2x3x5x4xf32>, tensor<2x3x5x4xi64> -> tensor<2x3x10x8xf32>
  return %0 : tensor<2x3x10x8xf32>
}

// -----

// The tensor is a single slice, but images run in parallel. After all images,
// the code tests whether an index lay outside its block. Lanes are channels.

// CHECK-LABEL: func.func @one_slice(
// CHECK:         %[[DONE:.+]] = memref.alloc() : memref<2xi8>
// CHECK:         scf.parallel (%[[N:.+]]) =
// CHECK-NOT:       vector.shuffle
// CHECK:           %[[ALL:.+]] = arith.extui %{{.+}} : i1 to i8
// CHECK:           memref.store %[[ALL]], %[[DONE]][%[[N]]]
// CHECK:         %[[EACH:.+]] = scf.for
// CHECK:           memref.load %[[DONE]]
// CHECK:         %[[MISSING:.+]] = arith.cmpi ne, %[[EACH]],
// CHECK:         scf.if %[[MISSING]]
func.func @one_slice(%v: tensor<2x3x4xf32>, %i: tensor<2x3x4xi32>)
    -> tensor<2x6x4xf32> {
  %0 = pool.max_unpool %v, %i
    : tensor<2x3x4xf32>, tensor<2x3x4xi32> -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}

// -----

// The planner chooses "blocks" for a gradient only if windows do not overlap.

// CHECK-LABEL: func.func @block_grad(
// CHECK:         vector.reduction
// CHECK:         return
func.func @block_grad(%x: tensor<1x3x8x8xf32>, %g: tensor<1x3x4x4xf32>,
                      %i: tensor<1x3x4x4xi64>) -> tensor<1x3x8x8xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] strides [2, 2] axis 2
    : tensor<1x3x8x8xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xi64>
    -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// CHECK-LABEL: func.func @overlapping_grad(
// CHECK-NOT:     vector.reduction
// CHECK:         return
func.func @overlapping_grad(%x: tensor<1x3x8x8xf32>, %g: tensor<1x3x4x4xf32>,
                            %i: tensor<1x3x4x4xi64>) -> tensor<1x3x8x8xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2]
         pads_begin [1, 1] pads_end [0, 0] axis 2
    : tensor<1x3x8x8xf32>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xi64>
    -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// -----

// Windows of 3x3 with stride 2. The code subtracts the first position of a
// window from its index, and compares the result with the window's taps.
// Gradients of windows that do not name a tap are added to it as 0. A
// column gets gradients of one window or of two, in turn; the sums of both
// kinds are interleaved. One of three rows of sums is carried to the next step.
// Each window is added before later windows. If an index lies outside its
// window, the slice is cleared and written element by element. Several small
// planes share a buffer.

// CHECK-LABEL: func.func @windows(
// CHECK-DAG:     %[[NONE:.+]] = arith.constant dense<-1> : vector<4xi32>
// CHECK-DAG:     %[[COLUMNS:.+]] = arith.constant dense<[-1, 1, 3, 5]> : vector<4xi32>
// CHECK-DAG:     %[[OUTSIDE:.+]] = arith.constant dense<[1, 0, 0, 0]> : vector<4xi32>
// CHECK-DAG:     %[[REACH:.+]] = arith.constant dense<[1, 2, 2, 2]> : vector<4xi32>
// CHECK-DAG:     %[[ROW:.+]] = arith.constant dense<8> : vector<4xi32>
// CHECK-DAG:     %[[LAST_ROW:.+]] = arith.constant dense<16> : vector<4xi32>
// CHECK-DAG:     %[[FIRST:.+]] = arith.constant dense<0> : vector<4xi32>
// CHECK-DAG:     %[[SECOND:.+]] = arith.constant dense<1> : vector<4xi32>
// CHECK-DAG:     %[[THIRD:.+]] = arith.constant dense<2> : vector<4xi32>
// CHECK-DAG:     %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK:         pool.on_buffers ins(%arg1,
// CHECK-NEXT:    ^bb0(%[[SOURCE:[a-z0-9]+]]: {{.*}}, %[[TARGET:[a-z0-9]+]]: memref<1x300x7x8xf32>):
// CHECK:         scf.parallel
// CHECK:           %[[CARRIED:.+]] = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
// CHECK:           scf.for %[[C:.+]] =
// CHECK:             %[[MET:.+]]:3 = scf.for %[[R:.+]] = {{.+}} iter_args(%[[FAULTS:.+]] = %{{.+}}, %[[LARGEST:.+]] = %{{.+}}, %[[BITS:.+]] =
// CHECK:               %[[INDICES:.+]] = vector.load %{{.+}}[%{{.+}}, %[[C]], %[[R]], %{{.+}}] : {{.+}}, vector<2xi64>
// CHECK:               arith.ori %[[BITS]], %[[INDICES]]
// CHECK:               arith.trunci %[[INDICES]]
// CHECK:               arith.maxui %[[LARGEST]], %[[POSITIONS:.+]] : vector<4xi32>
// CHECK:               %[[FROM_ROW:.+]] = arith.subi %[[POSITIONS]],
// CHECK:               %[[CODE:.+]] = arith.subi %[[FROM_ROW]], %[[COLUMNS]]
//                      Subtracts the position of the first tap inside the
//                      plane, and then whole rows.
// CHECK:               %[[INSIDE:.+]] = arith.subi %[[CODE]], %[[OUTSIDE]]
// CHECK:               %[[BEFORE_1:.+]] = arith.subi %[[INSIDE]], %[[ROW]]
// CHECK:               arith.minui %[[INSIDE]], %[[BEFORE_1]]
// CHECK:               %[[BEFORE_2:.+]] = arith.subi %[[INSIDE]], %[[LAST_ROW]]
// CHECK:               %[[REST:.+]] = arith.minui %{{.+}}, %[[BEFORE_2]]
// CHECK:               arith.maxui %[[REST]], %[[REACH]]
// CHECK:               arith.ori %[[FAULTS]],
// CHECK:               %[[SUM:.+]] = vector.load %[[CARRIED]]
// CHECK:               %[[ODD_SUM:.+]] = vector.load %[[CARRIED]]
// CHECK:               %[[OWN:.+]] = vector.load %[[SOURCE]][%{{.+}}, %[[C]], %[[R]], %{{.+}}]
// CHECK:               %[[IS_SECOND:.+]] = arith.cmpi eq, %[[CODE]], %[[SECOND]]
// CHECK:               %[[NAMED_SECOND:.+]] = arith.select %[[IS_SECOND]], %[[OWN]], %[[ZEROS]]
// CHECK:               %[[EVEN:.+]] = arith.addf %[[SUM]], %[[NAMED_SECOND]]
// CHECK:               %[[IS_THIRD:.+]] = arith.cmpi eq, %[[CODE]], %[[THIRD]]
// CHECK:               %[[NAMED_THIRD:.+]] = arith.select %[[IS_THIRD]], %[[OWN]], %[[ZEROS]]
// CHECK:               %[[ODD:.+]] = arith.addf %[[ODD_SUM]], %[[NAMED_THIRD]]
// CHECK:               %[[NEXT:.+]] = vector.shuffle %[[CODE]], %[[NONE]] [1, 2, 3, 4]
// CHECK-COUNT-2:       vector.load %[[SOURCE]]{{.+}} vector<2xf32>
// CHECK-NEXT:          vector.shuffle
// CHECK-NEXT:          %[[OF_NEXT:.+]] = vector.shuffle
// CHECK:               %[[IS_FIRST:.+]] = arith.cmpi eq, %[[NEXT]], %[[FIRST]]
// CHECK:               %[[NAMED_FIRST:.+]] = arith.select %[[IS_FIRST]], %[[OF_NEXT]], %[[ZEROS]]
// CHECK:               %[[BOTH:.+]] = arith.addf %[[ODD]], %[[NAMED_FIRST]]
// CHECK:               scf.if
// CHECK:                 vector.shuffle %[[EVEN]], %[[BOTH]] [0, 4, 1, 5]
// CHECK:                 vector.store %{{.+}}, %[[TARGET]]
// CHECK:               vector.store %{{.+}}, %[[CARRIED]]
// CHECK:             vector.reduction <or>, %[[MET]]#0
// CHECK:             vector.reduction <maxui>, %[[MET]]#1
// CHECK:             vector.reduction <or>, %[[MET]]#2
// CHECK:             scf.if %{{.+}} {
// CHECK-NEXT:        } else {
// CHECK:               memref.load
func.func @windows(%x: tensor<1x300x7x8xf32>, %g: tensor<1x300x4x4xf32>,
                   %i: tensor<1x300x4x4xi64>) -> tensor<1x300x7x8xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2]
         pads_begin [1, 1] pads_end [1, 1] axis 2 {pool.plan = #pool.plan<"gather">}
    : tensor<1x300x7x8xf32>, tensor<1x300x4x4xf32>, tensor<1x300x4x4xi64>
    -> tensor<1x300x7x8xf32>
  return %0 : tensor<1x300x7x8xf32>
}

// -----

// The output exceeds the caches, so stores are non-temporal if the output is
// aligned.

// CHECK-LABEL: func.func @streamed(
// CHECK:         %[[POINTER:.+]] = memref.extract_aligned_pointer_as_index
// CHECK:         arith.remui %[[POINTER]],
// CHECK:         scf.if
// CHECK:           vector.store {{.*}} {alignment = 16 : i64, nontemporal = true}
// CHECK:         } else {
// CHECK-NOT:       nontemporal
func.func @streamed(%v: tensor<1x512x64x64xf32>, %i: tensor<1x512x64x64xi64>)
    -> tensor<1x512x128x128xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x512x64x64xf32>, tensor<1x512x64x64xi64>
    -> tensor<1x512x128x128xf32>
  return %0 : tensor<1x512x128x128xf32>
}
