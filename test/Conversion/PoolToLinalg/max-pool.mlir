// convert-pool-to-linalg on maxima without indices. tensor.pad adds exactly the
// padding that windows cover, and one reduction starts from the type's lowest
// value.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// Strides and dilations are in the map of the reads. Rows: windows need 3 * 2 +
// 3 elements, but the input with its pads has 1 + 6 + 1, so the end padding
// includes the overhang. Columns: windows need 2 * 3 + 5 elements of 8 + 4, so
// the end padding is one element shorter than asked for.

// CHECK-DAG:   #[[$READ:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 3 + d5 * 2)>
// CHECK-DAG:   #[[$TAPS:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
// CHECK-DAG:   #[[$WRITE:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x6x8xf32>)
// CHECK:         %[[OUT:.+]] = tensor.empty() : tensor<1x2x4x3xf32>
// CHECK:         %[[PADDING:.+]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[PADDED:.+]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 2, 3] {
// CHECK:           tensor.yield %[[PADDING]]
// CHECK:         } : tensor<1x2x6x8xf32> to tensor<1x2x9x11xf32>
// CHECK:         %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[INIT:.+]] = linalg.fill ins(%[[LOWEST]] : f32) outs(%[[OUT]] :
// CHECK:         %[[WINDOW:.+]] = tensor.empty() : tensor<3x3xf32>
// CHECK:         %[[MAX:.+]] = linalg.generic
// CHECK-SAME:      indexing_maps = [#[[$READ]], #[[$TAPS]], #[[$WRITE]]]
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME:      ins(%[[PADDED]], %[[WINDOW]] :
// CHECK-SAME:      outs(%[[INIT]] :
// CHECK:         ^bb0(%[[ELEMENT:.+]]: f32, %{{.+}}: f32, %[[ACC:.+]]: f32):
// CHECK:           %[[GREATER:.+]] = arith.cmpf ogt, %[[ELEMENT]], %[[ACC]]
// CHECK:           %[[NEW:.+]] = arith.select %[[GREATER]], %[[ELEMENT]], %[[ACC]]
// CHECK:           linalg.yield %[[NEW]]
// CHECK:         return %[[MAX]]
func.func @padding(%x: tensor<1x2x6x8xf32>) -> tensor<1x2x4x3xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 3] dilations [1, 2]
         pads_begin [1, 0] pads_end [1, 4] rounding_type ceil_torch
     : tensor<1x2x6x8xf32> -> tensor<1x2x4x3xf32>
  return %0 : tensor<1x2x4x3xf32>
}

// -----

// If windows cover only the input, nothing is padded. Under floor, the last
// window may end before the padding. In the third case, the automatic padding
// is 0.

// CHECK-LABEL: func @no_padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf32>)
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic {{.+}} ins(%[[X]],
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic {{.+}} ins(%[[X]],
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic {{.+}} ins(%[[X]],
// CHECK-NOT:     tensor.pad
// CHECK:         return
func.func @no_padding(%x: tensor<1x2x8xf32>)
    -> (tensor<1x2x3xf32>, tensor<1x2x4xf32>, tensor<1x2x8xf32>) {
  %0 = pool.max_pool %x kernel [3] strides [2] pads_end [0]
     : tensor<1x2x8xf32> -> tensor<1x2x3xf32>
  %1 = pool.max_pool %x kernel [2] strides [2] pads_end [1]
     : tensor<1x2x8xf32> -> tensor<1x2x4xf32>
  %2 = pool.max_pool %x kernel [1] auto_pad same_upper
     : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  return %0, %1, %2 : tensor<1x2x3xf32>, tensor<1x2x4xf32>, tensor<1x2x8xf32>
}

// -----

// Automatic padding: same_upper puts the odd element at the end, same_lower at
// the beginning.

// CHECK-LABEL: func @same(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf32>)
// CHECK:         tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 2]
// CHECK:         tensor.pad %[[X]] low[0, 0, 2] high[0, 0, 1]
func.func @same(%x: tensor<1x2x8xf32>)
    -> (tensor<1x2x8xf32>, tensor<1x2x8xf32>) {
  %0 = pool.max_pool %x kernel [4] auto_pad same_upper
     : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  %1 = pool.max_pool %x kernel [4] auto_pad same_lower
     : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  return %0, %1 : tensor<1x2x8xf32>, tensor<1x2x8xf32>
}

// -----

// Padding counts as zero, but the reduction still starts from the type's lowest
// value.

// CHECK-LABEL: func @pad_value_zero(
// CHECK:         %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         tensor.pad
// CHECK:           tensor.yield %[[ZERO]]
// CHECK:         %[[LOWEST:.+]] = arith.constant 0xFF800000 : f32
// CHECK:         linalg.fill ins(%[[LOWEST]] :
func.func @pad_value_zero(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = pool.max_pool %x kernel [2] pads_end [1] pad_value zero
     : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}

// -----

// The lowest value is minus infinity for each float type, and the smallest
// number for each integer type.

// CHECK-LABEL: func @lowest(
// CHECK:         %[[F16:.+]] = arith.constant 0xFC00 : f16
// CHECK:         tensor.yield %[[F16]]
// CHECK:         %[[BF16:.+]] = arith.constant 0xFF80 : bf16
// CHECK:         tensor.yield %[[BF16]]
// CHECK:         %[[F64:.+]] = arith.constant 0xFFF0000000000000 : f64
// CHECK:         tensor.yield %[[F64]]
// CHECK:         %[[I8:.+]] = arith.constant -128 : i8
// CHECK:         tensor.yield %[[I8]]
// CHECK:         %[[I16:.+]] = arith.constant -32768 : i16
// CHECK:         tensor.yield %[[I16]]
// CHECK:         %[[I32:.+]] = arith.constant -2147483648 : i32
// CHECK:         tensor.yield %[[I32]]
// CHECK:         %[[I64:.+]] = arith.constant -9223372036854775808 : i64
// CHECK:         tensor.yield %[[I64]]
func.func @lowest(%f16: tensor<1x1x4xf16>, %bf16: tensor<1x1x4xbf16>,
                  %f64: tensor<1x1x4xf64>, %i8: tensor<1x1x4xi8>,
                  %i16: tensor<1x1x4xi16>, %i32: tensor<1x1x4xi32>,
                  %i64: tensor<1x1x4xi64>) {
  %0 = pool.max_pool %f16 kernel [2] pads_end [1]
     : tensor<1x1x4xf16> -> tensor<1x1x4xf16>
  %1 = pool.max_pool %bf16 kernel [2] pads_end [1]
     : tensor<1x1x4xbf16> -> tensor<1x1x4xbf16>
  %2 = pool.max_pool %f64 kernel [2] pads_end [1]
     : tensor<1x1x4xf64> -> tensor<1x1x4xf64>
  %3 = pool.max_pool %i8 kernel [2] pads_end [1]
     : tensor<1x1x4xi8> -> tensor<1x1x4xi8>
  %4 = pool.max_pool %i16 kernel [2] pads_end [1]
     : tensor<1x1x4xi16> -> tensor<1x1x4xi16>
  %5 = pool.max_pool %i32 kernel [2] pads_end [1]
     : tensor<1x1x4xi32> -> tensor<1x1x4xi32>
  %6 = pool.max_pool %i64 kernel [2] pads_end [1]
     : tensor<1x1x4xi64> -> tensor<1x1x4xi64>
  return
}

// -----

// No named op has three spatial dimensions and channels first. The body of the
// generic op propagates NaN, or compares signed integers.

// CHECK-DAG:   #[[$READ3:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2 + d5, d3 + d6, d4 + d7)>
// CHECK-LABEL: func @three_dimensions(
// CHECK:         linalg.generic {indexing_maps = [#[[$READ3]],
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {indexing_maps = [#[[$READ3]],
// CHECK:           arith.maxsi
func.func @three_dimensions(%x: tensor<1x2x4x5x6xf32>, %y: tensor<1x2x4x5x6xi8>)
    -> (tensor<1x2x3x4x5xf32>, tensor<1x2x3x4x5xi8>) {
  %0 = pool.max_pool %x kernel [2, 2, 2] nan_mode propagate
     : tensor<1x2x4x5x6xf32> -> tensor<1x2x3x4x5xf32>
  %1 = pool.max_pool %y kernel [2, 2, 2]
     : tensor<1x2x4x5x6xi8> -> tensor<1x2x3x4x5xi8>
  return %0, %1 : tensor<1x2x3x4x5xf32>, tensor<1x2x3x4x5xi8>
}

// -----

// Channels last: spatial dimensions have other positions in the maps.

// CHECK-DAG:   #[[$READ_LAST:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 + d5 * 3, d3)>
// CHECK-LABEL: func @channels_last(
// CHECK-SAME:    %[[X:.+]]: tensor<1x6x8x2xf32>)
// CHECK:         tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 2, 0]
// CHECK:         linalg.generic {indexing_maps = [#[[$READ_LAST]],
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
func.func @channels_last(%x: tensor<1x6x8x2xf32>) -> tensor<1x3x8x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 1] dilations [1, 3]
         pads_begin [0, 1] pads_end [0, 2] layout channels_last
     : tensor<1x6x8x2xf32> -> tensor<1x3x8x2xf32>
  return %0 : tensor<1x3x8x2xf32>
}

// -----

// If the declared type of a result is less static than the known type, a cast
// converts the result.

// CHECK-LABEL: func @less_static(
// CHECK:         %[[MAX:.+]] = linalg.generic
// CHECK:         } -> tensor<1x2x7xf32>
// CHECK:         %[[CAST:.+]] = tensor.cast %[[MAX]] : tensor<1x2x7xf32> to tensor<?x2x?xf32>
// CHECK:         %[[UNRANKED:.+]] = tensor.cast %{{.+}} : tensor<1x2x7xf32> to tensor<*xf32>
// CHECK:         return %[[CAST]], %[[UNRANKED]]
func.func @less_static(%x: tensor<1x2x8xf32>)
    -> (tensor<?x2x?xf32>, tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<?x2x?xf32>
  %1 = pool.max_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<*xf32>
  return %0, %1 : tensor<?x2x?xf32>, tensor<*xf32>
}

// -----

// An empty batch has no windows. The lowering must not pad, because upstream
// cannot pad a tensor without elements.

// CHECK-LABEL: func @empty_batch(
// CHECK:         %[[EMPTY:.+]] = tensor.empty() : tensor<0x2x8xf32>
// CHECK-NOT:     tensor.pad
// CHECK-NOT:     linalg.
// CHECK:         return %[[EMPTY]]
func.func @empty_batch(%x: tensor<0x2x8xf32>) -> tensor<0x2x8xf32> {
  %0 = pool.max_pool %x kernel [2] pads_end [1]
     : tensor<0x2x8xf32> -> tensor<0x2x8xf32>
  return %0 : tensor<0x2x8xf32>
}
