// With by-rows, loops over a row of outputs are inside of those over the rows of
// a window, and windows that lie inside the input have a loop of their own.

// RUN: pool-opt %s --convert-pool-to-affine=by-rows --split-input-file | FileCheck %s

// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0) -> (d0 * -2 + 1, 0)>
// CHECK-LABEL: func.func @planes(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x4x9x9xf32>, %[[Y:[^:]+]]: memref<1x4x5x5xf32>
// CHECK:         affine.for %[[H:.+]] = 0 to 5 {
// CHECK-NEXT:      affine.for %[[W:.+]] = 0 to 5 {
// CHECK-NEXT:        %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT:        affine.store %[[LOWEST]], %[[Y]][%{{.+}}, %{{.+}}, %[[H]], %[[W]]]
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for %[[I:.+]] = max #[[$ROWS]](%[[H]]) to min #{{.+}}(%[[H]]) {
// CHECK-NEXT:        affine.for %[[W:.+]] = 0 to 1 {
// CHECK-NEXT:          affine.load %[[Y]]
// CHECK-NEXT:          affine.for %{{.+}} = max #{{.+}}(%[[W]]) to min #{{.+}}(%[[W]]) iter_args
// CHECK:             affine.for %[[W:.+]] = 1 to 4 {
// CHECK-NEXT:          %[[BEFORE:.+]] = affine.load %[[Y]][%{{.+}}, %{{.+}}, %[[H]], %[[W]]]
// CHECK-NEXT:          %[[AFTER:.+]] = affine.for %[[J:.+]] = 0 to 3 iter_args(%{{.+}} = %[[BEFORE]])
// CHECK-NEXT:            affine.load %[[X]][%{{.+}}, %{{.+}}, %[[H]] * 2 + %[[I]] - 1, %[[W]] * 2 + %[[J]] - 1]
// CHECK:               affine.store %[[AFTER]], %[[Y]][%{{.+}}, %{{.+}}, %[[H]], %[[W]]]
// CHECK-NEXT:        }
// CHECK-NEXT:        affine.for %[[W:.+]] = 4 to 5 {
// CHECK-NEXT:          affine.load %[[Y]]
// CHECK-NEXT:          affine.for %{{.+}} = max #{{.+}}(%[[W]]) to min #{{.+}}(%[[W]]) iter_args
func.func @planes(%x: memref<1x4x9x9xf32>, %y: memref<1x4x5x5xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x4x9x9xf32>)
    outs(%y : memref<1x4x5x5xf32>) kernel [3, 3] strides [2, 2]
    dilations [1, 1] pads_begin [1, 1] pads_end [1, 1]
  return
}

// -----

// Of one dimension, accumulators need not be in memory. Which windows lie inside
// is a question of the extent.

// CHECK-DAG: #[[$PAST:.+]] = affine_map<()[s0, s1] -> (s0 - 1, s1)>
// CHECK-DAG: #[[$AFTER:.+]] = affine_map<()[s0] -> (1, s0 - 1)>
// CHECK-LABEL: func.func @line(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x1x?xf32>, %[[Y:[^:]+]]: memref<1x1x?xf32>
// CHECK-DAG:     %[[I:.+]] = memref.dim %[[X]]
// CHECK-DAG:     %[[E:.+]] = memref.dim %[[Y]]
// CHECK-NOT:     affine.load %[[Y]]
// CHECK:         affine.for %{{.+}} = 0 to min #{{.+}}()[%[[E]]] {
// CHECK-NOT:     affine.load %[[Y]]
// CHECK:         affine.for %{{.+}} = 1 to min #[[$PAST]]()[%[[I]], %[[E]]] {
// CHECK-NEXT:      %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      affine.for %{{.+}} = 0 to 3 iter_args(%{{.+}} = %[[ZERO]])
// CHECK-NOT:     affine.load %[[Y]]
// CHECK:         affine.for %{{.+}} = max #[[$AFTER]]()[%[[I]]] to %[[E]] {
// CHECK-NOT:     affine.load %[[Y]]
func.func @line(%x: memref<1x1x?xf32>, %y: memref<1x1x?xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x1x?xf32>)
    outs(%y : memref<1x1x?xf32>) kernel [3] strides [1] dilations [1]
    pads_begin [1] pads_end [1]
  return
}

// -----

// Channels that are last stay innermost; no window is cut.

// CHECK-LABEL: func.func @channels_last(
// CHECK:         affine.for %[[H:.+]] = 0 to 4 {
// CHECK-NEXT:      affine.for %[[W:.+]] = 0 to 4 {
// CHECK-NEXT:        affine.for %[[C:.+]] = 0 to 16 {
// CHECK:           affine.for %[[I:.+]] = 0 to 2 {
// CHECK-NEXT:        affine.for %[[W:.+]] = 0 to 4 {
// CHECK-NEXT:          affine.for %[[C:.+]] = 0 to 16 {
// CHECK-NEXT:            affine.load
// CHECK-NEXT:            affine.for %[[J:.+]] = 0 to 2 iter_args
// CHECK-NOT:     affine.for
func.func @channels_last(%x: memref<1x8x8x16xi8>, %y: memref<1x4x4x16xi8>) {
  pool.window_reduce <max> ins(%x : memref<1x8x8x16xi8>)
    outs(%y : memref<1x4x4x16xi8>) kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout <channels_last>
  return
}
