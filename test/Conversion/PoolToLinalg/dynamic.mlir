// convert-pool-to-linalg with unknown extents. The operations are the same as
// with known extents. Shapes, pads, counts and indices must be computed from
// the input's extents at run time.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-linalg=runtime-checks --canonicalize --split-input-file | FileCheck %s --check-prefix=RUNTIME

// With floor and without padding, windows cover only the input, whatever its
// extents. So nothing is padded.

// CHECK-DAG:   #[[$ROWS:.+]] = affine_map<()[s0] -> ((s0 - 3) floordiv 2 + 1)>
// CHECK-DAG:   #[[$COLUMNS:.+]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-LABEL: func @floor(
// CHECK-SAME:    %[[X:.+]]: tensor<?x3x?x?xf32>)
// CHECK-NOT:     tensor.pad
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[C2:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[H:.+]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG:     %[[C3:.+]] = arith.constant 3 : index
// CHECK-DAG:     %[[W:.+]] = tensor.dim %[[X]], %[[C3]]
// CHECK-DAG:     %[[OUT_H:.+]] = affine.apply #[[$ROWS]]()[%[[H]]]
// CHECK-DAG:     %[[OUT_W:.+]] = affine.apply #[[$COLUMNS]]()[%[[W]]]
// CHECK:         %[[OUT:.+]] = tensor.empty(%[[N]], %[[OUT_H]], %[[OUT_W]]) : tensor<?x3x?x?xf32>
// CHECK:         linalg.fill {{.+}} outs(%[[OUT]] :
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.pooling_nchw_max {{.+}} ins(%[[X]], %{{.+}} : tensor<?x3x?x?xf32>, tensor<3x2xf32>)
// All windows of the average have the same divisor, because none has padding.
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.pooling_nchw_sum
// CHECK-NOT:     linalg.index
// CHECK:           %[[COUNT:.+]] = arith.constant 6.000000e+00 : f32
// CHECK:           arith.divf %{{.+}}, %[[COUNT]]
func.func @floor(%x: tensor<?x3x?x?xf32>)
    -> (tensor<?x3x?x?xf32>, tensor<?x3x?x?xf32>) {
  %0 = pool.max_pool %x kernel [3, 2] strides [2, 2] nan_mode propagate
     : tensor<?x3x?x?xf32> -> tensor<?x3x?x?xf32>
  %1 = pool.avg_pool %x kernel [3, 2] strides [2, 2]
     : tensor<?x3x?x?xf32> -> tensor<?x3x?x?xf32>
  return %0, %1 : tensor<?x3x?x?xf32>, tensor<?x3x?x?xf32>
}

// -----

// ceil: pads by the overhang of the last window, if it is positive. Known
// extents stay known.

// CHECK-DAG:   #[[$OUT_W:.+]] = affine_map<()[s0] -> ((s0 - 1) ceildiv 2 + 1)>
// CHECK-DAG:   #[[$COVERED:.+]] = affine_map<()[s0] -> (-s0 + ((s0 - 1) ceildiv 2) * 2 + 1, 0)>
// CHECK-LABEL: func @ceil(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x8x?xi8>)
// CHECK-DAG:     %[[W:.+]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[OUT:.+]] = affine.apply #[[$OUT_W]]()[%[[W]]]
// CHECK-DAG:     %[[END:.+]] = affine.max #[[$COVERED]]()[%[[W]]]
// CHECK-DAG:     tensor.empty(%[[OUT]]) : tensor<1x3x4x?xi8>
// CHECK:         tensor.pad %[[X]] low[0, 0, 0, 1] high[0, 0, 0, %[[END]]]
// CHECK:         } : tensor<1x3x8x?xi8> to tensor<1x3x8x?xi8>
// CHECK:         linalg.pooling_nchw_max
func.func @ceil(%x: tensor<1x3x8x?xi8>) -> tensor<1x3x4x?xi8> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] pads_begin [0, 1]
         rounding_type ceil : tensor<1x3x8x?xi8> -> tensor<1x3x4x?xi8>
  return %0 : tensor<1x3x4x?xi8>
}

// -----

// ceil_torch may drop the last window, so the number of outputs is corrected.

// CHECK-DAG:   #[[$LEAST:.+]] = affine_map<()[s0] -> (s0 ceildiv 2 + 1, (s0 + 1) ceildiv 2)>
// CHECK-DAG:   #[[$LESS_ONE:.+]] = affine_map<()[s0, s1] -> (s0 ceildiv 2, s1)>
// CHECK-LABEL: func @ceil_torch(
// CHECK:         %[[W:.+]] = tensor.dim
// CHECK:         %[[BEFORE:.+]] = affine.min #[[$LEAST]]()[%[[W]]]
// CHECK:         %[[OUT:.+]] = affine.max #[[$LESS_ONE]]()[%[[W]], %[[BEFORE]]]
// CHECK:         tensor.empty(%[[OUT]]) : tensor<1x3x?xi8>
func.func @ceil_torch(%x: tensor<1x3x?xi8>) -> tensor<1x3x?xi8> {
  %0 = pool.max_pool %x kernel [2] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil_torch : tensor<1x3x?xi8> -> tensor<1x3x?xi8>
  return %0 : tensor<1x3x?xi8>
}

// -----

// same_upper: each end gets half of the pads. The odd one goes to the end.

// CHECK-DAG:   #[[$TOTAL:.+]] = affine_map<()[s0] -> ((s0 ceildiv 2 - 1) * 2 - s0 + 3, 0)>
// CHECK-DAG:   #[[$BEGIN:.+]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-DAG:   #[[$END:.+]] = affine_map<()[s0] -> (s0 - s0 floordiv 2)>
// CHECK-LABEL: func @same(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x?xf32>)
// CHECK:         %[[W:.+]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[TOTAL_PAD:.+]] = affine.max #[[$TOTAL]]()[%[[W]]]
// CHECK-DAG:     %[[LOW:.+]] = affine.apply #[[$BEGIN]]()[%[[TOTAL_PAD]]]
// CHECK-DAG:     %[[HIGH:.+]] = affine.apply #[[$END]]()[%[[TOTAL_PAD]]]
// CHECK:         tensor.pad %[[X]] low[0, 0, %[[LOW]]] high[0, 0, %[[HIGH]]]
// The counts of `valid` depend on the unknown extent.
// CHECK:         linalg.generic
// CHECK:           affine.min {{.+}}[%{{.+}}, %[[W]], %[[TOTAL_PAD]]]
// CHECK:           arith.divf
func.func @same(%x: tensor<1x3x?xf32>) -> tensor<1x3x?xf32> {
  %0 = pool.avg_pool %x kernel [3] strides [2] auto_pad same_upper
         same_output strided : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  return %0 : tensor<1x3x?xf32>
}

// -----

// If only the batch or the channels are unknown, the pads are constants.

// CHECK-LABEL: func @batch(
// CHECK-SAME:    %[[X:.+]]: tensor<?x?x8xf32>)
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C:.+]] = tensor.dim %[[X]], %[[C1]]
// CHECK-DAG:     tensor.empty(%[[N]], %[[C]]) : tensor<?x?x8xf32>
// CHECK:         tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
func.func @batch(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = pool.max_pool %x kernel [3] pads_begin [1] pads_end [1]
     : tensor<?x?x8xf32> -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// -----

// Indices over unknown extents: the code multiplies coordinates by the extents.

// CHECK-LABEL: func @indices(
// CHECK-SAME:    %[[X:.+]]: tensor<?x?x?x?xi8>)
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C:.+]] = tensor.dim %[[X]], %[[C1]]
// CHECK-DAG:     %[[C2:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[H:.+]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG:     %[[C3:.+]] = arith.constant 3 : index
// CHECK-DAG:     %[[W:.+]] = tensor.dim %[[X]], %[[C3]]
// CHECK:         linalg.generic
// CHECK:           %[[ROW:.+]] = affine.apply
// CHECK:           arith.muli %[[ROW]], %[[W]] : index
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[P:.+]]: i64,
// CHECK-DAG:       %[[POSITION:.+]] = arith.index_cast %[[P]] : i64 to index
// CHECK-DAG:       %[[CHANNEL:.+]] = linalg.index 1 : index
// CHECK-DAG:       %[[IMAGE:.+]] = linalg.index 0 : index
// CHECK:           %[[CHANNELS:.+]] = arith.muli %[[IMAGE]], %[[C]]
// CHECK:           %[[PLANE:.+]] = arith.addi %[[CHANNELS]], %[[CHANNEL]]
// CHECK:           %[[ROWS:.+]] = arith.muli %[[PLANE]], %[[H]]
// CHECK:           %[[BASE:.+]] = arith.muli %[[ROWS]], %[[W]]
// CHECK:           arith.addi %[[BASE]], %[[POSITION]]
func.func @indices(%x: tensor<?x?x?x?xi8>)
    -> (tensor<?x?x?x?xi8>, tensor<?x?x?x?xi64>) {
  %0, %1 = pool.max_pool %x kernel [2, 2]
         : tensor<?x?x?x?xi8> -> tensor<?x?x?x?xi8>, tensor<?x?x?x?xi64>
  return %0, %1 : tensor<?x?x?x?xi8>, tensor<?x?x?x?xi64>
}

// -----

// A cast hides from the verifier that the window does not fit. So the run-time
// check fails. The number of outputs is clamped to 0, because a negative number
// would not be valid.

// RUNTIME-LABEL: func @hidden_error(
// RUNTIME-DAG:     %[[FALSE:.+]] = arith.constant false
// RUNTIME:         cf.assert %[[FALSE]], "{{.*}}dimension 2: the input extent must be at least 9
// CHECK-LABEL: func @hidden_error(
// CHECK-NOT:     tensor.pad
// CHECK:         tensor.empty{{.*}} : tensor<1x2x0xf32>
// CHECK:         tensor.cast %{{.+}} : tensor<1x2x0xf32> to tensor<1x2x?xf32>
func.func @hidden_error(%x: tensor<1x2x8xf32>) -> tensor<1x2x?xf32> {
  %0 = tensor.cast %x : tensor<1x2x8xf32> to tensor<1x2x?xf32>
  %1 = pool.max_pool %0 kernel [9] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  return %1 : tensor<1x2x?xf32>
}

// -----

// Declared result types with fewer known extents than the rule gives, or
// without a rank.

// CHECK-LABEL: func @less_static(
// CHECK-DAG:     tensor.cast %{{.+}} : tensor<?x3x?xf32> to tensor<?x?x?xf32>
// CHECK-DAG:     tensor.cast %{{.+}} : tensor<?x3x?xf32> to tensor<*xf32>
func.func @less_static(%x: tensor<?x3x?xf32>)
    -> (tensor<?x?x?xf32>, tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [3] : tensor<?x3x?xf32> -> tensor<?x?x?xf32>
  %1 = pool.avg_pool %x kernel [3] : tensor<?x3x?xf32> -> tensor<*xf32>
  return %0, %1 : tensor<?x?x?xf32>, tensor<*xf32>
}

// -----

// Without windows, pads may be negative at run time. tensor.pad gets pads of at
// least 0. A pad that is known not to be negative stays.

// CHECK-DAG:   #[[$PRODUCT:.+]] = affine_map<()[s0, s1] -> (s0 * s1, 0)>
// CHECK-LABEL: func @run_time_pads(
// CHECK-SAME:    %[[X:.+]]: tensor<1x1x8xf32>, %{{.+}}: tensor<1x1x?xf32>, %[[N:.+]]: index, %[[M:.+]]: index)
// CHECK:         %[[KNOWN:.+]] = affine.max
// CHECK:         %[[LOW:.+]] = affine.max #[[$PRODUCT]]()[%[[N]], %[[M]]]
// CHECK:         tensor.pad %[[X]] low[0, 0, %[[LOW]]] high[0, 0, %[[KNOWN]]]
func.func @run_time_pads(%x: tensor<1x1x8xf32>, %y: tensor<1x1x?xf32>, %n: index, %m: index) -> tensor<1x1x?xf32> {
  %begin = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m]
  %end = affine.max affine_map<()[s0] -> (s0 - 2, 0)>()[%m]
  %0 = pool.window_reduce <max> ins(%x : tensor<1x1x8xf32>) outs(%y : tensor<1x1x?xf32>)
         kernel [2] strides [1] dilations [1] pads_begin [%begin] pads_end [%end]
    -> tensor<1x1x?xf32>
  return %0 : tensor<1x1x?xf32>
}
