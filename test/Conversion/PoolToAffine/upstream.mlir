// Upstream's affine passes (fusion, scalar replacement, unroll-and-jam,
// vectorization) must be able to transform the loops that
// convert-pool-to-affine emits.

// RUN: pool-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-affine,canonicalize,affine-loop-fusion{maximal=true}))' \
// RUN:   | FileCheck %s --check-prefix=FUSION
// RUN: pool-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-affine,canonicalize,affine-loop-fusion{maximal=true},affine-scalrep,canonicalize))' \
// RUN:   | FileCheck %s --check-prefix=SCALREP --implicit-check-not=memref.alloc
// RUN: pool-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-affine,affine-loop-unroll-jam{unroll-jam-factor=2}))' \
// RUN:   | FileCheck %s --check-prefix=JAM
// RUN: pool-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-affine,affine-super-vectorize{virtual-vector-size=8}))' \
// RUN:   | FileCheck %s --check-prefix=VECTOR
// RUN: pool-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-affine,affine-parallelize))' \
// RUN:   | FileCheck %s --check-prefix=PARALLEL
// RUN: pool-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-affine{by-rows},affine-parallelize))' \
// RUN:   | FileCheck %s --check-prefix=ROWS

// Fusion makes one nest of two poolings in sequence, and only one element of
// the intermediate buffer is left. Scalar replacement then forwards the store
// to the load and removes the buffer. Without pads, columns become lanes of a
// vector.

// FUSION-LABEL: func.func @pool_of_pool(
// FUSION-SAME:    %[[X:[^:]+]]: memref<4x8x18x34xf32>, %[[Z:[^:]+]]: memref<4x8x8x16xf32>
// FUSION:         memref.alloc() : memref<1x1x1x1xf32>
// FUSION:         affine.for %{{.+}} = 0 to 4 {
// FUSION:           affine.for %{{.+}} = 0 to 8 {
// FUSION:             affine.for %{{.+}} = 0 to 8 {
// FUSION:               affine.for %{{.+}} = 0 to 16 {
// FUSION:                 %[[SUM:.+]] = affine.for %{{.+}} = 0 to 2 iter_args
// FUSION:                   affine.for %{{.+}} = 0 to 2 iter_args
// FUSION:                     %[[MAX:.+]] = affine.for %{{.+}} = 0 to 3 iter_args
// FUSION:                       affine.for %{{.+}} = 0 to 3 iter_args
// FUSION:                         affine.load %[[X]]
// FUSION:                     affine.store %[[MAX]], %{{.+}} : memref<1x1x1x1xf32>
// FUSION:                     affine.load %{{.+}} : memref<1x1x1x1xf32>
// FUSION:                 affine.store %[[SUM]], %[[Z]]
// FUSION-NOT:     affine.for
// FUSION:         return

// SCALREP-LABEL: func.func @pool_of_pool(
// SCALREP:         %[[MAX:.+]] = affine.for %{{.+}} = 0 to 3 iter_args
// SCALREP-NOT:     affine.store
// SCALREP:         arith.addf %{{.+}}, %[[MAX]] : f32
// SCALREP:         affine.store
// SCALREP-NOT:     affine.store
// SCALREP:         return

// VECTOR-LABEL: func.func @pool_of_pool(
// VECTOR:         affine.for %{{.+}} = 0 to 32 step 8 {
// VECTOR:           %[[MAX:.+]] = affine.for {{.+}} -> (vector<8xf32>) {
// VECTOR:             affine.for {{.+}} -> (vector<8xf32>) {
// VECTOR:               vector.transfer_read %{{.+}} : memref<4x8x18x34xf32>, vector<8xf32>
// VECTOR:               arith.maximumf %{{.+}} : vector<8xf32>
// VECTOR:           vector.transfer_write %[[MAX]]

// PARALLEL-LABEL: func.func @pool_of_pool(
// PARALLEL-COUNT-4: affine.parallel
// PARALLEL-COUNT-2: affine.for
// PARALLEL-COUNT-4: affine.parallel
// PARALLEL-COUNT-2: affine.for
// PARALLEL-NOT:     affine.parallel
// PARALLEL:         return

// Each row of a window accumulates in the output.

// ROWS-LABEL: func.func @pool_of_pool(
// ROWS-COUNT-4: affine.parallel
// ROWS:         affine.store
// ROWS:         affine.for
// ROWS:           affine.parallel
// ROWS:             affine.for
func.func @pool_of_pool(%x: memref<4x8x18x34xf32>, %z: memref<4x8x8x16xf32>) {
  %y = memref.alloc() : memref<4x8x16x32xf32>
  pool.window_reduce <max> ins(%x : memref<4x8x18x34xf32>)
    outs(%y : memref<4x8x16x32xf32>) kernel [3, 3] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] nan_mode propagate
  pool.window_reduce <sum> ins(%y : memref<4x8x16x32xf32>)
    outs(%z : memref<4x8x8x16xf32>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
  return
}

// -----

// Windows that pads cut can be fused, too. With channels last, the lanes of
// vectors are channels.

// FUSION-LABEL: func.func @cut(
// FUSION:         memref.alloc() : memref<1x1x1x1xf32>
// FUSION:         affine.for %{{.+}} = 0 to 2 {
// FUSION:           affine.for {{.+}} = max #{{.+}} to min #{{.+}} iter_args
// FUSION:             affine.for {{.+}} = max #{{.+}} to min #{{.+}} iter_args
// FUSION:             affine.store %{{.+}} : memref<1x1x1x1xf32>
// FUSION:           affine.store
// FUSION-NOT:     affine.for
// FUSION:         return

// SCALREP-LABEL: func.func @cut(
// SCALREP:         %[[MAX:.+]] = affine.for {{.+}} = max #{{.+}} to min #{{.+}} iter_args
// SCALREP-NOT:     affine.store
// SCALREP:         arith.addf %{{.+}}, %[[MAX]] : f32
// SCALREP:         affine.store
// SCALREP-NOT:     affine.store
// SCALREP:         return

// VECTOR-LABEL: func.func @cut(
// VECTOR:         affine.for %{{.+}} = 0 to 32 step 8 {
// VECTOR:           affine.for {{.+}} = max #{{.+}} to min #{{.+}} iter_args({{.+}}) -> (vector<8xf32>) {
// VECTOR:             affine.for {{.+}} = max #{{.+}} to min #{{.+}} iter_args({{.+}}) -> (vector<8xf32>) {
// VECTOR:               vector.transfer_read
// VECTOR:           vector.transfer_write

// PARALLEL-LABEL: func.func @cut(
// PARALLEL-COUNT-4: affine.parallel
// PARALLEL-COUNT-2: affine.for
// PARALLEL-COUNT-4: affine.parallel
// PARALLEL-COUNT-2: affine.for
// PARALLEL-NOT:     affine.parallel
// PARALLEL:         return
func.func @cut(%x: memref<2x16x16x32xf32>, %z: memref<2x8x8x32xf32>) {
  %y = memref.alloc() : memref<2x16x16x32xf32>
  pool.window_reduce <max> ins(%x : memref<2x16x16x32xf32>)
    outs(%y : memref<2x16x16x32xf32>) kernel [3, 3] strides [1, 1]
    dilations [1, 1] pads_begin [1, 1] pads_end [1, 1]
    layout channels_last nan_mode propagate
  pool.window_reduce <sum> ins(%y : memref<2x16x16x32xf32>)
    outs(%z : memref<2x8x8x32xf32>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
  return
}

// -----

// Unroll-and-jam computes two images at once. Upstream's pass handles only the
// first nest of a function, and only loops whose inner bounds do not depend on
// the unrolled loop.

// JAM-LABEL: func.func @images(
// JAM-NEXT:    affine.for %[[N:.+]] = 0 to 4 step 2 {
// JAM:           %[[MAX:.+]]:2 = affine.for {{.+}} -> (f32, f32) {
// JAM:             affine.for {{.+}} -> (f32, f32) {
// JAM-COUNT-2:       affine.load
// JAM-DAG:       affine.store %[[MAX]]#0
// JAM-DAG:       affine.store %[[MAX]]#1
func.func @images(%x: memref<4x8x16x32xf32>, %y: memref<4x8x8x16xf32>) {
  pool.window_reduce <max> ins(%x : memref<4x8x16x32xf32>)
    outs(%y : memref<4x8x8x16xf32>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
  return
}
