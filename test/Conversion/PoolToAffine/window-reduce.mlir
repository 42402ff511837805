// convert-pool-to-affine turns pool.window_reduce on buffers into affine loops.
// The loops over taps must visit only the part of a window inside the input, so
// the input needs no padded copy.

// RUN: pool-opt %s --convert-pool-to-affine --split-input-file | FileCheck %s

// The example of the pass's documentation

// CHECK-DAG: #[[$BEGIN:.+]] = affine_map<(d0) -> (-d0 + 1, 0)>
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0) -> (-d0 + 9, 3)>
// CHECK-LABEL: func.func @example(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x3x8xf32>, %[[Y:[^:]+]]: memref<1x3x8xf32>
// CHECK-NEXT:    affine.for %[[N:.+]] = 0 to 1 {
// CHECK-NEXT:      affine.for %[[C:.+]] = 0 to 3 {
// CHECK-NEXT:        affine.for %[[O:.+]] = 0 to 8 {
// CHECK-NEXT:          %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:          %[[SUM:.+]] = affine.for %[[T:.+]] = max #[[$BEGIN]](%[[O]]) to min #[[$END]](%[[O]]) iter_args(%[[ACC:.+]] = %[[ZERO]]) -> (f32) {
// CHECK-NEXT:            %[[ELEMENT:.+]] = affine.load %[[X]][%[[N]], %[[C]], %[[O]] + %[[T]] - 1]
// CHECK-NEXT:            %[[NEXT:.+]] = arith.addf %[[ACC]], %[[ELEMENT]]
// CHECK-NEXT:            affine.yield %[[NEXT]]
// CHECK-NEXT:          }
// CHECK-NEXT:          affine.store %[[SUM]], %[[Y]][%[[N]], %[[C]], %[[O]]]
func.func @example(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
    outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
    pads_begin [1] pads_end [1]
  return
}

// -----

// Unknown extents, and pads that are arguments, are symbols of the loop bounds.

// CHECK-DAG: #[[$BEGIN:.+]] = affine_map<(d0)[s0] -> ((d0 * -2 + s0) ceildiv 3, 0)>
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0)[s0, s1] -> ((d0 * -2 + s0 + s1) ceildiv 3, 4)>
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:[^:]+]]: memref<?x3x?xi8, strided<[?, ?, ?], offset: ?>>
// CHECK-SAME:    %[[Y:[^:]+]]: memref<?x3x?xi8>, %[[P:.+]]: index, %{{.+}}: index
// CHECK-DAG:     %[[I:.+]] = memref.dim %[[X]], %c2{{.*}} :
// CHECK-DAG:     %[[B:.+]] = memref.dim %[[Y]], %c0{{.*}} :
// CHECK-DAG:     %[[E:.+]] = memref.dim %[[Y]], %c2{{.*}} :
// CHECK:         affine.for %[[N:.+]] = 0 to %[[B]] {
// CHECK:           affine.for %[[C:.+]] = 0 to 3 {
// CHECK:             affine.for %[[O:.+]] = 0 to %[[E]] {
// CHECK:               %[[LOWEST:.+]] = arith.constant -128 : i8
// CHECK:               affine.for %[[T:.+]] = max #[[$BEGIN]](%[[O]])[%[[P]]] to min #[[$END]](%[[O]])[%[[P]], %[[I]]] iter_args(%{{.+}} = %[[LOWEST]])
// CHECK-NEXT:            affine.load %[[X]][%[[N]], %[[C]], %[[O]] * 2 + %[[T]] * 3 - symbol(%[[P]])]
// CHECK-NEXT:            arith.maxsi
func.func @dynamic(%x: memref<?x3x?xi8, strided<[?, ?, ?], offset: ?>>,
                   %y: memref<?x3x?xi8>, %p: index, %q: index) {
  pool.window_reduce <max> ins(%x : memref<?x3x?xi8, strided<[?, ?, ?], offset: ?>>)
    outs(%y : memref<?x3x?xi8>) kernel [4] strides [2] dilations [3]
    pads_begin [%p] pads_end [%q]
  return
}

// -----

// With `pad_value zero`, the accumulator of a cut window starts from zero.
// Channels are last. Loops over dimensions without pads have constant bounds.

// CHECK-DAG: #[[$CUT:.+]] = affine_map<(d0) -> (-d0 + 8, 2)>
// CHECK-LABEL: func.func @pad_value_zero(
// CHECK:         affine.for %[[H:.+]] = 0 to 8 {
// CHECK:           affine.for %[[C:.+]] = 0 to 3 {
// CHECK:             %[[COUNT:.+]] = affine.max
// CHECK:             %[[WHOLE:.+]] = arith.cmpi eq, %[[COUNT]], %{{.+}} : index
// CHECK:             %[[LARGEST:.+]] = arith.constant 0x7F800000 : f32
// CHECK:             %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:             %[[INIT:.+]] = arith.select %[[WHOLE]], %[[LARGEST]], %[[ZERO]]
// CHECK:             affine.for %[[T:.+]] = 0 to min #[[$CUT]](%[[H]]) iter_args(%[[ACC:.+]] = %[[INIT]])
// CHECK:               %[[ELEMENT:.+]] = affine.load %{{.+}}[%{{.+}}, %[[H]] + %[[T]], %[[C]]]
// CHECK:               arith.minimumf %[[ACC]], %[[ELEMENT]]
func.func @pad_value_zero(%x: memref<1x8x3xf32>, %y: memref<1x8x3xf32>) {
  pool.window_reduce <min> ins(%x : memref<1x8x3xf32>)
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
// CHECK:         affine.for %[[H:.+]] = 0 to 7 {
// CHECK:           affine.for %[[W:.+]] = 0 to 7 {
// CHECK:             %[[NONE:.+]] = arith.constant -1 : i64
// CHECK:             %[[OUTER:.+]]:2 = affine.for %[[I:.+]] = 0 to 2 iter_args(%[[V0:.+]] = %{{.+}}, %[[P0:.+]] = %[[NONE]])
// CHECK:               affine.for %[[J:.+]] = 0 to 2 iter_args(%[[V:.+]] = %[[V0]], %[[P:.+]] = %[[P0]])
// CHECK-DAG:             %[[ROW:.+]] = affine.apply #{{.+}}(%[[H]], %[[I]])
// CHECK-DAG:             %[[COLUMN:.+]] = affine.apply #{{.+}}(%[[W]], %[[J]])
// CHECK:                 affine.load %{{.+}}[%{{.+}}, %{{.+}}, %[[H]] + %[[I]], %[[W]] + %[[J]]]
// CHECK:                 %[[M:.+]] = arith.muli %[[ROW]], %[[S]]
// CHECK:                 %[[A:.+]] = arith.addi %[[B]], %[[M]]
// CHECK:                 %[[INDEX:.+]] = arith.addi %[[A]], %[[COLUMN]]
// CHECK:                 %[[POSITION:.+]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK:                 arith.select %{{.+}}, %[[POSITION]], %[[P]]
// CHECK:             %[[STORED:.+]] = builtin.unrealized_conversion_cast %[[OUTER]]#0 : i8 to ui8
// CHECK:             affine.store %[[STORED]]
// CHECK:             affine.store %[[OUTER]]#1
func.func @positions(%b: index, %s: index, %x: memref<1x3x8x8xui8>,
                     %y: memref<1x3x7x7xui8>, %p: memref<1x3x7x7xi64>) {
  pool.window_reduce <max> ins(%x : memref<1x3x8x8xui8>)
    outs(%y, %p : memref<1x3x7x7xui8>, memref<1x3x7x7xi64>)
    kernel [2, 2] strides [1, 1] dilations [1, 1] pads_begin [0, 0]
    pads_end [0, 0] positions [%b, %s, 1]
  return
}

// -----

// Powers are added in a wider type.

// CHECK-LABEL: func.func @power_sum(
// CHECK:         %[[SUM:.+]] = affine.for {{.+}} -> (f32) {
// CHECK:           %[[ELEMENT:.+]] = affine.load %{{.+}} : memref<1x3x8xf16>
// CHECK:           %[[WIDE:.+]] = arith.extf %[[ELEMENT]] : f16 to f32
// CHECK:           arith.mulf %[[WIDE]], %[[WIDE]] : f32
// CHECK:         affine.store %[[SUM]], %{{.+}} : memref<1x3x7xf32>
func.func @power_sum(%x: memref<1x3x8xf16>, %y: memref<1x3x7xf32>) {
  pool.window_reduce <power_sum> ins(%x : memref<1x3x8xf16>)
    outs(%y : memref<1x3x7xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] p 2
  return
}

// -----

// An empty output needs no loops.

// CHECK-LABEL: func.func @no_outputs(
// CHECK-NEXT:    return
func.func @no_outputs(%x: memref<0x3x8xf32>, %y: memref<0x3x7xf32>) {
  pool.window_reduce <sum> ins(%x : memref<0x3x8xf32>)
    outs(%y : memref<0x3x7xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0]
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
