// convert-pool-to-linalg on averages of floats: the sum of each window, then an
// elementwise division by the number of positions that `divisor` counts.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// Without padding the count is the window's size. f32 and f64 accumulate in
// their own type.

// CHECK-DAG:   #[[$ID:.+]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func @constant_count(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[INIT:.+]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK:         %[[SUM:.+]] = linalg.pooling_ncw_sum
// CHECK-SAME:      ins(%[[X]], %{{.+}} : tensor<1x2x8xf32>, tensor<3xf32>) outs(%[[INIT]] :
// CHECK:         %[[OUT:.+]] = tensor.empty() : tensor<1x2x6xf32>
// CHECK:         %[[AVERAGE:.+]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]]],
// CHECK-SAME:      ins(%[[SUM]] : tensor<1x2x6xf32>) outs(%[[OUT]] :
// CHECK:         ^bb0(%[[S:.+]]: f32,
// CHECK-DAG:       %[[COUNT:.+]] = arith.constant 3.000000e+00 : f32
// CHECK:           %[[QUOTIENT:.+]] = arith.divf %[[S]], %[[COUNT]] : f32
// CHECK:           linalg.yield %[[QUOTIENT]]
// CHECK:         linalg.pooling_ncw_sum {{.+}} -> tensor<1x2x6xf64>
// CHECK:           arith.divf %{{.+}} : f64
// CHECK:         return %[[AVERAGE]]
func.func @constant_count(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xf64>)
    -> (tensor<1x2x6xf32>, tensor<1x2x6xf64>) {
  %0 = pool.avg_pool %x kernel [3] : tensor<1x2x8xf32> -> tensor<1x2x6xf32>
  %1 = pool.avg_pool %y kernel [3] : tensor<1x2x8xf64> -> tensor<1x2x6xf64>
  return %0, %1 : tensor<1x2x6xf32>, tensor<1x2x6xf64>
}

// -----

// f16 and bf16 accumulate in f32 and are rounded once.

// CHECK-LABEL: func @half_precision(
// CHECK:         %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[INIT:.+]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK:         linalg.pooling_ncw_sum {{.+}} ins(%{{.+}} : tensor<1x2x8xf16>, tensor<3xf16>) outs(%[[INIT]] : tensor<1x2x6xf32>)
// CHECK:           %[[QUOTIENT:.+]] = arith.divf %{{.+}} : f32
// CHECK:           %[[RESULT:.+]] = arith.truncf %[[QUOTIENT]] : f32 to f16
// CHECK:           linalg.yield %[[RESULT]]
// CHECK:         linalg.pooling_ncw_sum {{.+}} ins(%{{.+}} : tensor<1x2x8xbf16>, tensor<3xbf16>) outs(%{{.+}} : tensor<1x2x6xf32>)
// CHECK:           arith.truncf %{{.+}} : f32 to bf16
func.func @half_precision(%x: tensor<1x2x8xf16>, %y: tensor<1x2x8xbf16>)
    -> (tensor<1x2x6xf16>, tensor<1x2x6xbf16>) {
  %0 = pool.avg_pool %x kernel [3] : tensor<1x2x8xf16> -> tensor<1x2x6xf16>
  %1 = pool.avg_pool %y kernel [3] : tensor<1x2x8xbf16> -> tensor<1x2x6xbf16>
  return %0, %1 : tensor<1x2x6xf16>, tensor<1x2x6xbf16>
}

// -----

// If there is no named op, the body of the generic op extends each element
// itself.

// CHECK-LABEL: func @half_precision_generic(
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[ELEMENT:.+]]: f16, %{{.+}}: f16, %[[ACC:.+]]: f32):
// CHECK:           %[[WIDE:.+]] = arith.extf %[[ELEMENT]] : f16 to f32
// CHECK:           %[[SUM:.+]] = arith.addf %[[ACC]], %[[WIDE]] : f32
// CHECK:           linalg.yield %[[SUM]]
func.func @half_precision_generic(%x: tensor<1x2x4x5x6xf16>)
    -> tensor<1x2x3x4x5xf16> {
  %0 = pool.avg_pool %x kernel [2, 2, 2]
     : tensor<1x2x4x5x6xf16> -> tensor<1x2x3x4x5xf16>
  return %0 : tensor<1x2x3x4x5xf16>
}

// -----

// `valid`: padding adds zero to the sum, and is not counted. The count of a
// window is the product of a count for each dimension. This is the number of
// positions before the input's end, minus those before the input's beginning.

// CHECK-DAG:   #[[$END:.+]] = affine_map<()[s0] -> (-(s0 * 2 - 1) + 6, 3)>
// CHECK-DAG:   #[[$BEGIN:.+]] = affine_map<()[s0] -> (-(s0 * 2 - 1), 0)>
// CHECK-DAG:   #[[$COUNT:.+]] = affine_map<()[s0, s1] -> (s0 - s1, 0)>
// CHECK-LABEL: func @valid(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x6x6xf32>)
// CHECK:         %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 0, 0]
// CHECK:           tensor.yield %[[ZERO]]
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.+]]: f32,
// CHECK:           %[[O:.+]] = linalg.index 2 : index
// CHECK:           %[[LAST:.+]] = affine.min #[[$END]]()[%[[O]]]
// CHECK:           %[[FIRST:.+]] = affine.max #[[$BEGIN]]()[%[[O]]]
// CHECK:           %[[ROWS:.+]] = affine.max #[[$COUNT]]()[%[[LAST]], %[[FIRST]]]
// CHECK:           linalg.index 3 : index
// CHECK:           %[[COLUMNS:.+]] = affine.max #[[$COUNT]]()
// CHECK:           %[[PRODUCT:.+]] = arith.muli %[[ROWS]], %[[COLUMNS]] : index
// CHECK:           %[[INTEGER:.+]] = arith.index_cast %[[PRODUCT]] : index to i32
// CHECK:           %[[DIVISOR:.+]] = arith.sitofp %[[INTEGER]] : i32 to f32
// CHECK:           arith.divf %[[SUM]], %[[DIVISOR]] : f32
func.func @valid(%x: tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]
     : tensor<1x2x6x6xf32> -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// -----

// A count is converted to a float by way of i32, or of i64 if a window may have
// 2^31 positions.

// CHECK-LABEL: func @counts_of_32_bits(
// CHECK:         %[[INTEGER:.+]] = arith.index_cast %{{.+}} : index to i32
// CHECK:         arith.sitofp %[[INTEGER]] : i32 to f64
func.func @counts_of_32_bits(%x: tensor<1x1x?xf64>) -> tensor<1x1x?xf64> {
  %0 = pool.avg_pool %x kernel [2147483647] pads_begin [1]
     : tensor<1x1x?xf64> -> tensor<1x1x?xf64>
  return %0 : tensor<1x1x?xf64>
}

// CHECK-LABEL: func @counts_of_64_bits(
// CHECK:         %[[INTEGER:.+]] = arith.index_cast %{{.+}} : index to i64
// CHECK:         arith.sitofp %[[INTEGER]] : i64 to f64
func.func @counts_of_64_bits(%x: tensor<1x1x?xf64>) -> tensor<1x1x?xf64> {
  %0 = pool.avg_pool %x kernel [2147483648] pads_begin [1]
     : tensor<1x1x?xf64> -> tensor<1x1x?xf64>
  return %0 : tensor<1x1x?xf64>
}

// -----

// `padded`: counts padding but not the overhang of ceil. So it counts the
// positions before the end of the padding. No position lies before the
// padding's beginning.

// CHECK-DAG:   #[[$END:.+]] = affine_map<()[s0] -> (-(s0 * 2 - 1) + 7, 3)>
// CHECK-LABEL: func @padded(
// CHECK:         tensor.pad %{{.+}} low[0, 0, 1] high[0, 0, 2]
// CHECK:         linalg.generic
// CHECK:           affine.min #[[$END]]()
// CHECK:           arith.divf
func.func @padded(%x: tensor<1x2x6xf32>) -> tensor<1x2x4xf32> {
  %0 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor padded
     : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

// -----

// The divisor is constant despite padding: `padded` without overhang, `kernel`,
// and an override.

// CHECK-LABEL: func @constant_despite_padding(
// CHECK:         tensor.pad
// CHECK-NOT:     linalg.index
// CHECK:           %[[A:.+]] = arith.constant 3.000000e+00 : f32
// CHECK:           arith.divf %{{.+}}, %[[A]]
// CHECK-NOT:     linalg.index
// CHECK:           %[[B:.+]] = arith.constant 3.000000e+00 : f32
// CHECK:           arith.divf %{{.+}}, %[[B]]
// CHECK-NOT:     linalg.index
// CHECK:           %[[C:.+]] = arith.constant 7.000000e+00 : f32
// CHECK:           arith.divf %{{.+}}, %[[C]]
// CHECK:         return
func.func @constant_despite_padding(%x: tensor<1x2x7xf32>)
    -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %0 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         divisor padded : tensor<1x2x7xf32> -> tensor<1x2x4xf32>
  %1 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor kernel
     : tensor<1x2x7xf32> -> tensor<1x2x4xf32>
  %2 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         divisor_override 7 : tensor<1x2x7xf32> -> tensor<1x2x4xf32>
  return %0, %1, %2 : tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// -----

// With an override of 1, the result is the sum. For f32 it needs no further
// operation; for f16 it is still rounded.

// CHECK-LABEL: func @sums(
// CHECK:         %[[SUM:.+]] = linalg.pooling_ncw_sum
// CHECK-NOT:     linalg.generic
// CHECK:         linalg.pooling_ncw_sum
// CHECK:         %[[ROUNDED:.+]] = linalg.generic
// CHECK:           arith.truncf
// CHECK:         return %[[SUM]], %[[ROUNDED]]
func.func @sums(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xf16>)
    -> (tensor<1x2x7xf32>, tensor<1x2x7xf16>) {
  %0 = pool.avg_pool %x kernel [2] divisor_override 1
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %1 = pool.avg_pool %y kernel [2] divisor_override 1
     : tensor<1x2x8xf16> -> tensor<1x2x7xf16>
  return %0, %1 : tensor<1x2x7xf32>, tensor<1x2x7xf16>
}

// -----

// Channels last: the counts depend on the spatial dimensions, which are 1 and
// 2.

// CHECK-LABEL: func @channels_last(
// CHECK:         linalg.pooling_nhwc_sum
// CHECK:         linalg.generic
// CHECK-NOT:       linalg.index 0
// CHECK-NOT:       linalg.index 3
// CHECK:           linalg.index 1 : index
// CHECK:           linalg.index 2 : index
// CHECK:           linalg.yield
func.func @channels_last(%x: tensor<1x6x8x2xf32>) -> tensor<1x7x9x2xf32> {
  %0 = pool.avg_pool %x kernel [2, 2] pads_begin [1, 1] pads_end [1, 1]
         layout channels_last : tensor<1x6x8x2xf32> -> tensor<1x7x9x2xf32>
  return %0 : tensor<1x7x9x2xf32>
}

// -----

// CHECK-LABEL: func @less_static(
// CHECK:         %[[CAST:.+]] = tensor.cast %{{.+}} : tensor<1x2x7xf32> to tensor<?x?x?xf32>
// CHECK:         return %[[CAST]]
func.func @less_static(%x: tensor<1x2x8xf32>) -> tensor<?x?x?xf32> {
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
