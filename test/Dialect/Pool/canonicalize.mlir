// Canonicalisation sets attributes without effect to their defaults, so that
// operations with the same meaning are equal and CSE merges them. Attributes
// with an effect must stay.

// RUN: pool-opt %s --canonicalize --cse | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --canonicalize --cse | FileCheck %t.mlir

// A dilation has an effect only if the kernel has two elements or more. A list
// of only defaults is removed.

// CHECK-LABEL: func @lists_of_defaults(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] : tensor<1x2x6x8xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] : tensor<1x2x6x8xf32>
func.func @lists_of_defaults(%x: tensor<1x2x6x8xf32>)
    -> (tensor<1x2x5x7xf32>, tensor<1x2x5x7xf32>) {
  %0 = pool.max_pool %x kernel [2, 2] strides [1, 1] dilations [1, 1]
         pads_begin [0, 0] pads_end [0, 0]
     : tensor<1x2x6x8xf32> -> tensor<1x2x5x7xf32>
  %1 = pool.avg_pool %x kernel [2, 2] strides [1, 1] dilations [1, 1]
         pads_begin [0, 0] pads_end [0, 0]
     : tensor<1x2x6x8xf32> -> tensor<1x2x5x7xf32>
  return %0, %1 : tensor<1x2x5x7xf32>, tensor<1x2x5x7xf32>
}

// CHECK-LABEL: func @dilation_of_one_element(
// CHECK:         pool.max_pool %{{.+}} kernel [1, 2] dilations [1, 3] : tensor<1x2x6x8xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [1, 1] strides [2, 2] : tensor<1x2x6x8xf32>
func.func @dilation_of_one_element(%x: tensor<1x2x6x8xf32>)
    -> (tensor<1x2x6x5xf32>, tensor<1x2x3x4xf32>) {
  %0 = pool.max_pool %x kernel [1, 2] dilations [5, 3]
     : tensor<1x2x6x8xf32> -> tensor<1x2x6x5xf32>
  %1 = pool.avg_pool %x kernel [1, 1] strides [2, 2] dilations [5, 3]
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x4xf32>
  return %0, %1 : tensor<1x2x6x5xf32>, tensor<1x2x3x4xf32>
}

// If one entry of a list has an effect, the whole list stays.

// CHECK-LABEL: func @lists_with_effect(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] strides [1, 2] dilations [2, 1] pads_begin [1, 0] pads_end [0, 1] : tensor<1x2x6x8xf32>
func.func @lists_with_effect(%x: tensor<1x2x6x8xf32>) -> tensor<1x2x5x4xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [1, 2] dilations [2, 1]
         pads_begin [1, 0] pads_end [0, 1]
     : tensor<1x2x6x8xf32> -> tensor<1x2x5x4xf32>
  return %0 : tensor<1x2x5x4xf32>
}

// With auto_pad other than explicit, pads are ignored.

// CHECK-LABEL: func @unused_pads(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] auto_pad valid : tensor<?x2x?x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] auto_pad same_upper : tensor<?x2x?x?xf32>
func.func @unused_pads(%x: tensor<?x2x?x?xf32>)
    -> (tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) {
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [1, 1] pads_end [2, 2]
         auto_pad valid : tensor<?x2x?x?xf32> -> tensor<?x2x?x?xf32>
  %1 = pool.avg_pool %x kernel [2, 2] pads_begin [1, 1] pads_end [2, 2]
         auto_pad same_upper : tensor<?x2x?x?xf32> -> tensor<?x2x?x?xf32>
  return %0, %1 : tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>
}

// same_output has an effect only with same_* and a stride above 1.

// CHECK-LABEL: func @same_output(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] : tensor<1x2x8xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] auto_pad same_lower : tensor<1x2x8xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] auto_pad same_lower same_output strided : tensor<1x2x8xf32>
func.func @same_output(%x: tensor<1x2x8xf32>)
    -> (tensor<1x2x4xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] same_output strided
     : tensor<1x2x8xf32> -> tensor<1x2x4xf32>
  %1 = pool.max_pool %x kernel [2] auto_pad same_lower same_output strided
     : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  %2 = pool.max_pool %x kernel [2] strides [2] auto_pad same_lower
         same_output strided : tensor<1x2x8xf32> -> tensor<1x2x4xf32>
  return %0, %1, %2 : tensor<1x2x4xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

// Rounding has no effect under same_*, where the last window ends with the
// padding. Nor has it under ceil with stride 1, or if the windows end exactly
// with a known padded extent.

// CHECK-LABEL: func @rounding_without_effect(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] auto_pad same_upper : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [3] pads_end [4] : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] : tensor<?x2x8xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] pads_begin [1] pads_end [1] divisor padded : tensor<?x2x8xf32>
func.func @rounding_without_effect(%x: tensor<?x2x?xf32>, %y: tensor<?x2x8xf32>)
    -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x4xf32>,
        tensor<?x2x5xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] rounding_type ceil
         auto_pad same_upper : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %1 = pool.max_pool %x kernel [3] pads_end [4] rounding_type ceil
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %2 = pool.max_pool %y kernel [2] strides [2] rounding_type ceil_torch
     : tensor<?x2x8xf32> -> tensor<?x2x4xf32>
  %3 = pool.avg_pool %y kernel [2] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor padded
     : tensor<?x2x8xf32> -> tensor<?x2x5xf32>
  return %0, %1, %2, %3 : tensor<?x2x?xf32>, tensor<?x2x?xf32>,
         tensor<?x2x4xf32>, tensor<?x2x5xf32>
}

// With an unknown extent, rounding may have an effect. Even with stride 1,
// ceil_torch drops a window that starts in the end padding. Only ceil_torch
// accepts a window larger than the padded input.

// CHECK-LABEL: func @rounding_with_effect(
// CHECK:         pool.max_pool %{{.+}} strides [2] rounding_type ceil : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} pads_end [4] rounding_type ceil_torch : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} strides [2] rounding_type ceil : tensor<?x2x7xf32>
// CHECK:         pool.max_pool %{{.+}} strides [4] rounding_type ceil_torch : tensor<?x2x7xf32>
func.func @rounding_with_effect(%x: tensor<?x2x?xf32>, %y: tensor<?x2x7xf32>)
    -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x4xf32>,
        tensor<?x2x1xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] rounding_type ceil
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %1 = pool.max_pool %x kernel [3] pads_end [4] rounding_type ceil_torch
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %2 = pool.max_pool %y kernel [2] strides [2] rounding_type ceil
     : tensor<?x2x7xf32> -> tensor<?x2x4xf32>
  %3 = pool.max_pool %y kernel [9] strides [4] rounding_type ceil_torch
     : tensor<?x2x7xf32> -> tensor<?x2x1xf32>
  return %0, %1, %2, %3 : tensor<?x2x?xf32>, tensor<?x2x?xf32>,
         tensor<?x2x4xf32>, tensor<?x2x1xf32>
}

//===----------------------------------------------------------------------===//
// Attributes of max_pool
//===----------------------------------------------------------------------===//

// A negative axis becomes the same axis as a non-negative number. Without
// indices, axis has no effect.

// CHECK-LABEL: func @axis(
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>{{$}}
// CHECK:         pool.max_pool %{{.+}} kernel [2] axis 1 : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi32>
func.func @axis(%x: tensor<1x2x8xf32>)
    -> (tensor<1x2x7xf32>, tensor<1x2x7xi64>, tensor<1x2x7xi32>) {
  %0 = pool.max_pool %x kernel [2] axis 2
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %1, %2 = pool.max_pool %x kernel [2] axis -2
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
  %3, %4 = pool.max_pool %x kernel [2] axis -3
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi32>
  return %0, %2, %4 : tensor<1x2x7xf32>, tensor<1x2x7xi64>, tensor<1x2x7xi32>
}

// pad_value has an effect only with padding or an overhang.

// CHECK-LABEL: func @pad_value(
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] auto_pad valid : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] pads_end [1] pad_value zero : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] auto_pad same_upper pad_value zero : tensor<?x2x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] rounding_type ceil auto_pad valid pad_value zero : tensor<?x2x?xf32>
func.func @pad_value(%x: tensor<?x2x?xf32>)
    -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x?xf32>,
        tensor<?x2x?xf32>, tensor<?x2x?xf32>) {
  %0 = pool.max_pool %x kernel [2] pad_value zero
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %1 = pool.max_pool %x kernel [2] pads_end [1] auto_pad valid pad_value zero
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %2 = pool.max_pool %x kernel [2] pads_end [1] pad_value zero
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %3 = pool.max_pool %x kernel [2] auto_pad same_upper pad_value zero
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %4 = pool.max_pool %x kernel [2] strides [2] rounding_type ceil
         auto_pad valid pad_value zero
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  return %0, %1, %2, %3, %4 : tensor<?x2x?xf32>, tensor<?x2x?xf32>,
         tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x?xf32>
}

// nan_mode has no effect for integers, which have no NaN.

// CHECK-LABEL: func @nan_mode(
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<1x2x8xui8>
// CHECK:         pool.max_pool %{{.+}} kernel [2] nan_mode propagate : tensor<1x2x8xbf16>
func.func @nan_mode(%x: tensor<1x2x8xui8>, %y: tensor<1x2x8xbf16>)
    -> (tensor<1x2x7xui8>, tensor<1x2x7xbf16>) {
  %0 = pool.max_pool %x kernel [2] nan_mode propagate
     : tensor<1x2x8xui8> -> tensor<1x2x7xui8>
  %1 = pool.max_pool %y kernel [2] nan_mode propagate
     : tensor<1x2x8xbf16> -> tensor<1x2x7xbf16>
  return %0, %1 : tensor<1x2x7xui8>, tensor<1x2x7xbf16>
}

//===----------------------------------------------------------------------===//
// Attributes of avg_pool
//===----------------------------------------------------------------------===//

// Without padding and overhang, all divisors are equal. An override replaces
// every divisor.

// CHECK-LABEL: func @divisor(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] : tensor<?x2x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] auto_pad valid : tensor<?x2x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] pads_begin [1] divisor_override 3 : tensor<?x2x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] pads_begin [1] divisor padded : tensor<?x2x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [3] rounding_type ceil divisor kernel : tensor<?x2x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] auto_pad same_upper divisor kernel : tensor<?x2x?xf32>
func.func @divisor(%x: tensor<?x2x?xf32>)
    -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x?xf32>,
        tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x?xf32>) {
  %0 = pool.avg_pool %x kernel [2] divisor kernel
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %1 = pool.avg_pool %x kernel [2] auto_pad valid divisor padded
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %2 = pool.avg_pool %x kernel [2] pads_begin [1] divisor kernel
         divisor_override 3 : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %3 = pool.avg_pool %x kernel [2] pads_begin [1] divisor padded
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %4 = pool.avg_pool %x kernel [2] strides [3] rounding_type ceil
         divisor kernel : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %5 = pool.avg_pool %x kernel [2] auto_pad same_upper divisor kernel
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?x2x?xf32>, tensor<?x2x?xf32>,
         tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?x2x?xf32>,
         tensor<?x2x?xf32>
}

// CHECK-LABEL: func @integer_rounding(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] : tensor<1x2x8xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] integer_rounding half_up : tensor<1x2x8xi8>
func.func @integer_rounding(%x: tensor<1x2x8xf32>, %y: tensor<1x2x8xi8>)
    -> (tensor<1x2x7xf32>, tensor<1x2x7xi8>) {
  %0 = pool.avg_pool %x kernel [2] integer_rounding half_up
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %1 = pool.avg_pool %y kernel [2] integer_rounding half_up
     : tensor<1x2x8xi8> -> tensor<1x2x7xi8>
  return %0, %1 : tensor<1x2x7xf32>, tensor<1x2x7xi8>
}

// Canonicalisation does not go further: zero points stay, and so does a divisor
// override that equals the count.

// CHECK-LABEL: func @no_further(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] divisor_override 2 input_zp 3 output_zp -4 : tensor<1x2x8xi8>
func.func @no_further(%x: tensor<1x2x8xi8>) -> tensor<1x2x7xi8> {
  %0 = pool.avg_pool %x kernel [2] divisor_override 2 input_zp 3 output_zp -4
     : tensor<1x2x8xi8> -> tensor<1x2x7xi8>
  return %0 : tensor<1x2x7xi8>
}

// CHECK-LABEL: func @lp_pool(
// CHECK:         pool.lp_pool %{{.+}} kernel [2] strides [2] : tensor<1x2x8xf32> -> tensor<1x2x4xf32>
func.func @lp_pool(%x: tensor<1x2x8xf32>) -> tensor<1x2x4xf32> {
  %0 = pool.lp_pool %x kernel [2] strides [2] dilations [1] pads_end [0]
         rounding_type ceil same_output strided
     : tensor<1x2x8xf32> -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

// Each step enables the next one. Once the rounding is removed, the pad value
// has no effect; once the pad value is removed, both operations are equal.

// CHECK-LABEL: func @equal_operations(
// CHECK:         %[[V:.+]] = pool.max_pool %{{.+}} kernel [2] strides [2] : tensor<1x2x8xi32>
// CHECK-NEXT:    return %[[V]], %[[V]]
func.func @equal_operations(%x: tensor<1x2x8xi32>)
    -> (tensor<1x2x4xi32>, tensor<1x2x4xi32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] dilations [1] pads_begin [0]
         rounding_type ceil_torch same_output strided axis 2 pad_value zero
         nan_mode propagate : tensor<1x2x8xi32> -> tensor<1x2x4xi32>
  %1 = pool.max_pool %x kernel [2] strides [2]
     : tensor<1x2x8xi32> -> tensor<1x2x4xi32>
  return %0, %1 : tensor<1x2x4xi32>, tensor<1x2x4xi32>
}
