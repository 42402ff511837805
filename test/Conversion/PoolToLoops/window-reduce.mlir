// convert-pool-to-loops turns pool.window_reduce on buffers into scf loops. The
// loops over taps must visit only the part of a window inside the input, so the
// input needs no padded copy.

// RUN: pool-opt %s --convert-pool-to-loops --split-input-file | FileCheck %s

// The example of the pass's documentation

// CHECK-LABEL: func.func @example(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x3x8xf32>, %[[Y:[^:]+]]: memref<1x3x7xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel (%[[N:.+]], %[[C:.+]], %[[O:.+]]) =
// CHECK:           %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:           %[[SUM:.+]] = scf.for %[[T:.+]] = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[ACC:.+]] = %[[ZERO]])
// CHECK:             %[[I:.+]] = affine.apply #{{.+}}()[%[[O]], %[[T]]]
// CHECK:             %[[ELEMENT:.+]] = memref.load %[[X]][%[[N]], %[[C]], %[[I]]]
// CHECK:             %[[NEXT:.+]] = arith.addf %[[ACC]], %[[ELEMENT]]
// CHECK:             scf.yield %[[NEXT]]
// CHECK:           memref.store %[[SUM]], %[[Y]][%[[N]], %[[C]], %[[O]]]
func.func @example(%x: memref<1x3x8xf32>, %y: memref<1x3x7xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
    outs(%y : memref<1x3x7xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
  return
}

// -----

// A loop goes from the window's first position inside the input to its last
// one. So the code needs no padded copy of the input.

// CHECK-DAG: #[[$BEGIN:.+]] = affine_map<()[s0] -> ((-(s0 * 2 - 1)) ceildiv 3, 0)>
// CHECK-DAG: #[[$END:.+]] = affine_map<()[s0, s1] -> ((s1 - (s0 * 2 - 1)) ceildiv 3, 4)>
// CHECK-DAG: #[[$AT:.+]] = affine_map<()[s0, s1] -> (s0 * 2 + s1 * 3 - 1)>
// CHECK-LABEL: func.func @clamped(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x3x?xi8, strided<[?, ?, ?], offset: ?>>
// CHECK:         %[[I:.+]] = memref.dim %[[X]]
// CHECK:         scf.parallel (%[[N:.+]], %[[C:.+]], %[[O:.+]]) =
// CHECK:           affine.max #[[$BEGIN]]()[%[[O]]]
// CHECK:           affine.min #[[$END]]()[%[[O]], %[[I]]]
// CHECK:           %[[LOWEST:.+]] = arith.constant -128 : i8
// CHECK:           scf.for %[[T:.+]] = {{.*}} iter_args(%{{.+}} = %[[LOWEST]])
// CHECK:             affine.apply #[[$AT]]()[%[[O]], %[[T]]]
// CHECK-NOT:         arith.select
// CHECK:             arith.maxsi
func.func @clamped(%x: memref<1x3x?xi8, strided<[?, ?, ?], offset: ?>>,
                   %y: memref<1x3x?xi8>) {
  pool.window_reduce <max> ins(%x : memref<1x3x?xi8, strided<[?, ?, ?], offset: ?>>)
    outs(%y : memref<1x3x?xi8>) kernel [4] strides [2] dilations [3]
    pads_begin [1] pads_end [5]
  return
}

// -----

// With `pad_value zero`, the accumulator of a cut window starts from zero.

// CHECK-LABEL: func.func @pad_value_zero(
// CHECK:         scf.parallel
// CHECK:           %[[WHOLE:.+]] = arith.cmpi eq, %{{.+}}, %{{.+}} : index
// CHECK:           %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK:           %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:           %[[INIT:.+]] = arith.select %[[WHOLE]], %[[LOWEST]], %[[ZERO]]
// CHECK:           scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[INIT]])
// CHECK:             %[[ELEMENT:.+]] = memref.load
// CHECK:             arith.maximumf %[[ACC]], %[[ELEMENT]]
func.func @pad_value_zero(%x: memref<1x8x3xf32>, %y: memref<1x8x3xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x8x3xf32>)
    outs(%y : memref<1x8x3xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [1] layout channels_last pad_value zero
    nan_mode propagate
  return
}

// -----

// Positions, strides of positions as operands, unsigned elements, and taps in
// row-major order.

// CHECK-LABEL: func.func @positions(
// CHECK-SAME:    %[[B:[^:]+]]: index, %[[S:[^:]+]]: index
// CHECK:         scf.parallel (%[[N:.+]], %[[C:.+]], %[[H:.+]], %[[W:.+]]) =
// CHECK:           %[[NONE:.+]] = arith.constant -1 : i64
// CHECK:           %[[OUTER:.+]]:2 = scf.for {{.*}} iter_args(%[[V0:.+]] = %{{.+}}, %[[P0:.+]] = %[[NONE]])
// CHECK:             scf.for {{.*}} iter_args(%[[V:.+]] = %[[V0]], %[[P:.+]] = %[[P0]])
// CHECK-DAG:           %[[ROW:.+]] = affine.apply #{{.+}}()[%[[H]],
// CHECK-DAG:           %[[COLUMN:.+]] = affine.apply #{{.+}}()[%[[W]],
// CHECK:               %[[ELEMENT:.+]] = builtin.unrealized_conversion_cast %{{.+}} : ui8 to i8
// CHECK:               %[[M:.+]] = arith.muli %[[ROW]], %[[S]]
// CHECK:               %[[A:.+]] = arith.addi %[[B]], %[[M]]
// CHECK:               %[[INDEX:.+]] = arith.addi %[[A]], %[[COLUMN]]
// CHECK:               %[[POSITION:.+]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK:               arith.cmpi ugt, %[[ELEMENT]], %[[V]] : i8
// CHECK:               arith.select %{{.+}}, %[[POSITION]], %[[P]]
// CHECK:           %[[STORED:.+]] = builtin.unrealized_conversion_cast %[[OUTER]]#0 : i8 to ui8
// CHECK:           memref.store %[[STORED]]
// CHECK:           memref.store %[[OUTER]]#1
func.func @positions(%b: index, %s: index, %x: memref<1x3x8x8xui8>,
                     %y: memref<1x3x7x7xui8>, %p: memref<1x3x7x7xi64>) {
  pool.window_reduce <max> ins(%x : memref<1x3x8x8xui8>)
    outs(%y, %p : memref<1x3x7x7xui8>, memref<1x3x7x7xi64>)
    kernel [2, 2] strides [1, 1] dilations [1, 1] pads_begin [0, 0]
    pads_end [0, 0] positions [%b, %s, 1]
  return
}

// -----

// Operations on tensors stay.

// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT:    pool.max_pool
// CHECK-NEXT:    pool.window_reduce <power_sum>
// CHECK-NEXT:    return
func.func @tensors(%x: tensor<1x3x8xf32>, %out: tensor<1x3x6xf32>)
    -> tensor<1x3x6xf32> {
  %0 = pool.max_pool %x kernel [2] : tensor<1x3x8xf32> -> tensor<1x3x7xf32>
  %1 = pool.window_reduce <power_sum> ins(%0 : tensor<1x3x7xf32>)
         outs(%out : tensor<1x3x6xf32>) kernel [2] strides [1] dilations [1]
         pads_begin [0] pads_end [0] p 3 -> tensor<1x3x6xf32>
  return %1 : tensor<1x3x6xf32>
}

// -----

// A minimum starts from the largest value. If padding counts as zero and the
// window reaches beyond the input, the minimum starts from zero.

// CHECK-LABEL: func.func @minimum(
// CHECK:         %[[LARGEST:.+]] = arith.constant 127 : i8
// CHECK:         %[[ZERO:.+]] = arith.constant 0 : i8
// CHECK:         %[[BEGIN:.+]] = arith.select %{{.+}}, %[[LARGEST]], %[[ZERO]] : i8
// CHECK:         scf.for {{.+}} iter_args(%[[ACC:.+]] = %[[BEGIN]])
// CHECK:           arith.minsi %[[ACC]], %{{.+}} : i8
func.func @minimum(%x: memref<1x3x8xi8>, %y: memref<1x3x8xi8>) {
  pool.window_reduce <min> ins(%x : memref<1x3x8xi8>)
    outs(%y : memref<1x3x8xi8>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [1] pad_value zero
  return
}
