// The option by-rows of convert-pool-to-affine. Windows that reach beyond the
// input get separate loops, so loops over all other windows have constant
// bounds. If the rows of a window are cut or many, the loop over these rows is
// outside the loop over a row of outputs.

// RUN: pool-opt %s --convert-pool-to-affine=by-rows --split-input-file | FileCheck %s

// Windows whose rows are cut accumulate row by row in the output. Windows at
// the beginning and the end of a row of outputs have separate loops. The
// windows between them have loops whose lengths are powers of two.

// CHECK-DAG: #[[$BEGIN:.+]] = affine_map<(d0) -> (d0 * -2 + 1, 0)>
// CHECK-DAG: #[[$END:.+]] = affine_map<(d0) -> (d0 * -2 + 40, 3)>
// CHECK-LABEL: func.func @planes(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x4x39x39xf32>, %[[Y:[^:]+]]: memref<1x4x20x20xf32>
// CHECK:         affine.for %{{.+}} = 0 to 4 {
// CHECK-NEXT:    affine.for %[[H:.+]] = 0 to 1 {
// CHECK-NEXT:      affine.for %[[W:.+]] = 0 to 20 {
// CHECK-NEXT:        %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT:        affine.store %[[LOWEST]], %[[Y]][%{{.+}}, %{{.+}}, %[[H]], %[[W]]]
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for %[[I:.+]] = max #[[$BEGIN]](%[[H]]) to 3 {
// CHECK-NEXT:        affine.for %[[W:.+]] = 0 to 1 {
// CHECK-NEXT:          affine.load %[[Y]]
// CHECK-NEXT:          affine.for %{{.+}} = max #[[$BEGIN]](%[[W]]) to 3 iter_args
// CHECK:             affine.for %[[W:.+]] = 1 to 19 {
// CHECK-NEXT:          %[[BEFORE:.+]] = affine.load %[[Y]][%{{.+}}, %{{.+}}, %[[H]], %[[W]]]
// CHECK-NEXT:          %[[AFTER:.+]] = affine.for %[[J:.+]] = 0 to 3 iter_args(%{{.+}} = %[[BEFORE]])
// CHECK-NEXT:            affine.load %[[X]][%{{.+}}, %{{.+}}, %[[H]] * 2 + %[[I]] - 1, %[[W]] * 2 + %[[J]] - 1]
// CHECK:               affine.store %[[AFTER]], %[[Y]][%{{.+}}, %{{.+}}, %[[H]], %[[W]]]
// CHECK-NEXT:        }
// CHECK-NEXT:        affine.for %[[W:.+]] = 19 to 20 {
// CHECK-NEXT:          affine.load %[[Y]]
// CHECK-NEXT:          affine.for %{{.+}} = 0 to min #[[$END]](%[[W]]) iter_args

// If all rows of a window lie inside the input, the loops over its taps are
// inside the loop over the row of outputs.

// CHECK:         affine.for %[[H:.+]] = 1 to 19 {
// CHECK-NEXT:      affine.for %{{.+}} = 0 to 1 {
// CHECK-NOT:       affine.load %[[Y]]
// CHECK:           affine.for %[[W:.+]] = 1 to 19 {
// CHECK-NEXT:        arith.constant
// CHECK-NEXT:        affine.for %{{.+}} = 0 to 3 iter_args
// CHECK-NEXT:          affine.for %{{.+}} = 0 to 3 iter_args
// CHECK-NEXT:            affine.load %[[X]]
// CHECK-NOT:       affine.load %[[Y]]
// CHECK:         affine.for %{{.+}} = 19 to 20 {
func.func @planes(%x: memref<1x4x39x39xf32>, %y: memref<1x4x20x20xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x4x39x39xf32>)
    outs(%y : memref<1x4x20x20xf32>) kernel [3, 3] strides [2, 2]
    dilations [1, 1] pads_begin [1, 1] pads_end [1, 1]
  return
}

// -----

// A window of many taps accumulates row by row in the output. Short loops have
// lengths that are powers of two.

// CHECK-LABEL: func.func @many_taps(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x4x?x21xf32>, %[[Y:[^:]+]]: memref<1x4x?x15xf32>
// CHECK:         %[[E:.+]] = memref.dim %[[Y]]
// CHECK:         affine.for %[[H:.+]] = 0 to %[[E]] {
// CHECK-NEXT:      affine.for %{{.+}} = 0 to 15 {
// CHECK:           affine.for %{{.+}} = 0 to 7 {
// CHECK-NEXT:        affine.for %{{.+}} = 0 to 8 {
// CHECK-NEXT:          affine.load %[[Y]]
// CHECK:             affine.for %{{.+}} = 8 to 12 {
// CHECK:             affine.for %{{.+}} = 12 to 14 {
// CHECK:             affine.for %{{.+}} = 14 to 15 {
// CHECK-NEXT:          affine.load %[[Y]]
// CHECK-NEXT:          affine.for %{{.+}} = 0 to 7 iter_args
func.func @many_taps(%x: memref<1x4x?x21xf32>, %y: memref<1x4x?x15xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x4x?x21xf32>)
    outs(%y : memref<1x4x?x15xf32>) kernel [7, 7] strides [1, 1]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
  return
}

// -----

// In one dimension, an accumulator needs no memory. Which windows lie inside
// depends on the unknown extent. So does the question whether a window reaches
// over both ends.

// CHECK-DAG: #[[$INSIDE:.+]] = affine_map<()[s0, s1] -> (s1, s0 - 1)>
// CHECK-DAG: #[[$AFTER:.+]] = affine_map<()[s0] -> (1, s0 - 1)>
// CHECK-LABEL: func.func @line(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x1x?xf32>, %[[Y:[^:]+]]: memref<1x1x?xf32>
// CHECK-DAG:     %[[I:.+]] = memref.dim %[[X]]
// CHECK-DAG:     %[[E:.+]] = memref.dim %[[Y]]
// CHECK-NOT:     affine.load %[[Y]]
// CHECK:         affine.for %{{.+}} = max #{{.+}}()[%[[I]]] to min #{{.+}}()[%[[E]]] {
// CHECK:           affine.for %{{.+}} = max #{{.+}} to min #{{.+}} iter_args
// CHECK:         affine.for %{{.+}} = 0 to min #{{.+}}()[%[[I]], %[[E]]] {
// CHECK:           affine.for %{{.+}} = max #{{.+}} to 3 iter_args
// CHECK:         affine.for %{{.+}} = 1 to min #[[$INSIDE]]()[%[[I]], %[[E]]] {
// CHECK-NEXT:      %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      affine.for %{{.+}} = 0 to 3 iter_args(%{{.+}} = %[[ZERO]])
// CHECK:         affine.for %{{.+}} = max #[[$AFTER]]()[%[[I]]] to %[[E]] {
// CHECK:           affine.for %{{.+}} = 0 to min #{{.+}} iter_args
// CHECK-NOT:     affine.load %[[Y]]
func.func @line(%x: memref<1x1x?xf32>, %y: memref<1x1x?xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x1x?xf32>)
    outs(%y : memref<1x1x?xf32>) kernel [3] strides [1] dilations [1]
    pads_begin [1] pads_end [1]
  return
}

// -----

// With channels last, the loop over channels is outside the loops over taps.

// CHECK-LABEL: func.func @channels_last(
// CHECK:         affine.for %{{.+}} = 0 to 4 {
// CHECK-NEXT:      affine.for %{{.+}} = 0 to 4 {
// CHECK-NEXT:        affine.for %{{.+}} = 0 to 16 {
// CHECK-NEXT:          arith.constant -128 : i8
// CHECK-NEXT:          affine.for %{{.+}} = 0 to 2 iter_args
// CHECK-NEXT:            affine.for %{{.+}} = 0 to 2 iter_args
// CHECK-NOT:     affine.for
// CHECK:         return
func.func @channels_last(%x: memref<1x8x8x16xi8>, %y: memref<1x4x4x16xi8>) {
  pool.window_reduce <max> ins(%x : memref<1x8x8x16xi8>)
    outs(%y : memref<1x4x4x16xi8>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout channels_last
  return
}
