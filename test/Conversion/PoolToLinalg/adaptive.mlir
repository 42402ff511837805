// convert-pool-to-linalg on adaptive pooling, whose windows differ in size. It
// becomes one reduction over the taps of the largest window. Taps beyond the
// end of a smaller window must be masked.

// RUN: pool-opt %s --convert-pool-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$START:.+]] = affine_map<()[s0] -> ((s0 * 8) floordiv 3)>
// CHECK-DAG: #[[$TAPS:.+]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[$OUT:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[$GLOBAL:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d5, d3)>
// CHECK-DAG: #[[$GLOBAL_OUT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$COLUMNS:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 * 4 + d5)>

// 8 inputs to 3 outputs: windows have at most 4 positions. Reads are clamped to
// the end of the input, and positions beyond the window's end are masked.

// CHECK-LABEL: func @average(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf16>)
// CHECK-DAG:     %[[LAST:.+]] = arith.constant 7 : index
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[TAPS:.+]] = tensor.empty() : tensor<4xf16>
// CHECK:         %[[SUMS:.+]] = linalg.generic {indexing_maps = [#[[$TAPS]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[TAPS]] : tensor<4xf16>) outs(%{{.+}} : tensor<1x2x3xf32>)
// CHECK:         ^bb0(%{{.+}}: f16, %[[ACC:.+]]: f32):
// CHECK:           %[[O:.+]] = linalg.index 2 : index
// CHECK:           %[[START:.+]] = affine.apply #[[$START]]()[%[[O]]]
// CHECK:           %[[TAP:.+]] = linalg.index 3 : index
// CHECK:           %[[POSITION:.+]] = arith.addi %[[START]], %[[TAP]]
// CHECK:           %[[SIZE:.+]] = affine.apply
// CHECK:           %[[INSIDE:.+]] = arith.cmpi ult, %[[TAP]], %[[SIZE]]
// CHECK:           %[[CLAMPED:.+]] = arith.minui %[[POSITION]], %[[LAST]]
// CHECK:           %[[ELEMENT:.+]] = tensor.extract %[[X]][%{{.+}}, %{{.+}}, %[[CLAMPED]]]
// CHECK:           %[[WIDE:.+]] = arith.extf %[[ELEMENT]] : f16 to f32
// CHECK:           %[[MASKED:.+]] = arith.select %[[INSIDE]], %[[WIDE]], %[[ZERO]]
// CHECK:           %[[SUM:.+]] = arith.addf %[[ACC]], %[[MASKED]]
// CHECK:           linalg.yield %[[SUM]]
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]]
// CHECK:           arith.divf
// CHECK:           arith.truncf
func.func @average(%x: tensor<1x2x8xf16>) -> tensor<1x2x3xf16> {
  %0 = pool.adaptive_avg_pool %x output_size [3]
     : tensor<1x2x8xf16> -> tensor<1x2x3xf16>
  return %0 : tensor<1x2x3xf16>
}

// A global window spans the whole extent, even a dynamic one. So there is one
// reduction over the input itself, and one divisor for all outputs.

// CHECK-LABEL: func @global_dynamic(
// CHECK-SAME:    %[[X:.+]]: tensor<?x?x?x8xf32>)
// CHECK-DAG:     %[[H:.+]] = tensor.dim %[[X]], %{{c1.*}} : tensor
// CHECK-DAG:     %[[W:.+]] = tensor.dim %[[X]], %{{c2.*}} : tensor
// CHECK:         %[[SUMS:.+]] = linalg.generic {indexing_maps = [#[[$GLOBAL]], #[[$GLOBAL_OUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[X]] : tensor<?x?x?x8xf32>) outs(%{{.+}} : tensor<?x1x1x8xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.+]]: f32, %[[ACC:.+]]: f32):
// CHECK-NEXT:      %[[SUM:.+]] = arith.addf %[[ACC]], %[[IN]]
// CHECK-NEXT:      linalg.yield %[[SUM]]
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]]
// CHECK:           arith.muli %[[H]], %[[W]]
// CHECK:           arith.divf
// CHECK:         return
func.func @global_dynamic(%x: tensor<?x?x?x8xf32>) -> tensor<?x1x1x8xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [1, 1] layout channels_last
     : tensor<?x?x?x8xf32> -> tensor<?x1x1x8xf32>
  return %0 : tensor<?x1x1x8xf32>
}

// In a global window, the position is the coordinate itself.

// CHECK-LABEL: func @global_dynamic_indices(
// CHECK-SAME:    %[[X:.+]]: tensor<?x8x?xi32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<?x8x?xi32>)
// CHECK-NEXT:    ^bb0(
// CHECK-NEXT:      %[[TAP:.+]] = linalg.index 3 : index
// CHECK-NEXT:      arith.index_cast %[[TAP]] : index to i64
// CHECK-NOT:       linalg.index
// CHECK:           linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @global_dynamic_indices(%x: tensor<?x8x?xi32>)
    -> (tensor<?x8x1xi32>, tensor<?x8x1xi64>) {
  %v, %i = pool.adaptive_max_pool %x output_size [1] axis 2
     : tensor<?x8x?xi32> -> tensor<?x8x1xi32>, tensor<?x8x1xi64>
  return %v, %i : tensor<?x8x1xi32>, tensor<?x8x1xi64>
}

// The window spans all rows, and the output size divides the number of columns.
// So an indexing map can read the window without masks.

// CHECK-LABEL: func @regular_dynamic(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x?x8xf32>)
// CHECK:         %[[WINDOW:.+]] = tensor.empty(%{{.+}}) : tensor<?x4xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$COLUMNS]], #{{.+}}, #{{.+}}], {{.*}} ins(%[[X]], %[[WINDOW]] :
// CHECK-NOT:     tensor.extract
// CHECK:         return
func.func @regular_dynamic(%x: tensor<1x2x?x8xf32>) -> tensor<1x2x1x2xf32> {
  %0 = pool.adaptive_max_pool %x output_size [1, 2]
     : tensor<1x2x?x8xf32> -> tensor<1x2x1x2xf32>
  return %0 : tensor<1x2x1x2xf32>
}

// All windows have the same size and distance, so the operation is lowered like
// ordinary pooling.

// CHECK-LABEL: func @regular(
// CHECK:         linalg.pooling_nchw_sum
// CHECK-NOT:     tensor.extract
// CHECK:         return
func.func @regular(%x: tensor<1x2x6x8xf32>) -> tensor<1x2x3x2xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [3, 2]
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x2xf32>
  return %0 : tensor<1x2x3x2xf32>
}

// An average of integers: a sum that cannot overflow, a division by the count,
// and rounding.

// CHECK-LABEL: func @integer_average(
// CHECK:         linalg.generic {{.*}} outs(%{{.+}} : tensor<1x2x3xi32>)
// CHECK:           arith.extui %{{.+}} : i8 to i32
// CHECK:           arith.addi
// CHECK:         linalg.generic
// CHECK:           arith.divf
// CHECK:           arith.trunci %{{.+}} : i32 to i8
// CHECK:           builtin.unrealized_conversion_cast %{{.+}} : i8 to ui8
func.func @integer_average(%x: tensor<1x2x8xui8>) -> tensor<1x2x3xui8> {
  %0 = pool.adaptive_avg_pool %x output_size [3]
     : tensor<1x2x8xui8> -> tensor<1x2x3xui8>
  return %0 : tensor<1x2x3xui8>
}

// A negative zero point keeps its sign in the widest accumulator.

// CHECK-LABEL: func @negative_zero_points(
// CHECK-DAG:     arith.constant -3 : i128
// CHECK-DAG:     arith.constant -5 : i128
// CHECK:         linalg.generic
func.func @negative_zero_points(%x: tensor<1x2x8xi64>) -> tensor<1x2x3xi64> {
  %0 = pool.adaptive_avg_pool %x output_size [3] input_zp -3 output_zp -5
     : tensor<1x2x8xi64> -> tensor<1x2x3xi64>
  return %0 : tensor<1x2x3xi64>
}

// A maximum replaces masked elements by the lowest value.

// CHECK-LABEL: func @maximum(
// CHECK:         %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[MASKED:.+]] = arith.select %{{.+}}, %{{.+}}, %[[LOWEST]] : f32
// CHECK:         arith.maximumf %{{.+}}, %[[MASKED]] : f32
func.func @maximum(%x: tensor<1x2x8xf32>) -> tensor<1x2x3xf32> {
  %0 = pool.adaptive_max_pool %x output_size [3] nan_mode propagate
     : tensor<1x2x8xf32> -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// For i64 indices within the plane, the index is the position that the
// reduction computes.

// CHECK-LABEL: func @indices_plane(
// CHECK:         %[[R:.+]]:2 = linalg.generic
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @indices_plane(%x: tensor<1x2x8x5xi32>)
    -> (tensor<1x2x3x2xi32>, tensor<1x2x3x2xi64>) {
  %v, %i = pool.adaptive_max_pool %x output_size [3, 2] axis 2
     : tensor<1x2x8x5xi32> -> tensor<1x2x3x2xi32>, tensor<1x2x3x2xi64>
  return %v, %i : tensor<1x2x3x2xi32>, tensor<1x2x3x2xi64>
}

// Indices within the last dimension, in i32. The window may contain only NaN.

// CHECK-LABEL: func @indices_row(
// CHECK-DAG:     %[[NONE:.+]] = arith.constant -1 : i64
// CHECK-DAG:     %[[WIDTH:.+]] = arith.constant 5 : index
// CHECK:         %[[R:.+]]:2 = linalg.generic
// CHECK:         linalg.generic {{.*}} ins(%[[R]]#1
// CHECK:           arith.cmpi eq, %{{.+}}, %[[NONE]]
// CHECK:           %[[CHOSEN:.+]] = arith.select
// CHECK:           arith.remui %[[CHOSEN]], %[[WIDTH]]
// CHECK:           arith.index_cast %{{.+}} : index to i32
func.func @indices_row(%x: tensor<1x2x8x5xf32>)
    -> (tensor<1x2x3x2xf32>, tensor<1x2x3x2xi32>) {
  %v, %i = pool.adaptive_max_pool %x output_size [3, 2] axis 3
     : tensor<1x2x8x5xf32> -> tensor<1x2x3x2xf32>, tensor<1x2x3x2xi32>
  return %v, %i : tensor<1x2x3x2xf32>, tensor<1x2x3x2xi32>
}
