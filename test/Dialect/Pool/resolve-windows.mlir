// pool-resolve-windows makes automatic padding and rounding explicit. It must
// do so only if results stay exactly equal; else the attributes stay.

// RUN: pool-opt %s --pool-resolve-windows | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --pool-resolve-windows | FileCheck %t.mlir

//===----------------------------------------------------------------------===//
// valid
//===----------------------------------------------------------------------===//

// The example of the pass's documentation

// CHECK-LABEL: func @valid_ceil(
// CHECK:         pool.max_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 1] : tensor<1x8x6x6xf32> -> tensor<1x8x3x3xf32>
func.func @valid_ceil(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x3x3xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] rounding_type ceil
         auto_pad valid : tensor<1x8x6x6xf32> -> tensor<1x8x3x3xf32>
  return %0 : tensor<1x8x3x3xf32>
}

// Pads that `valid` ignores are removed, also with unknown extents.

// CHECK-LABEL: func @valid_unknown(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] : tensor<?x2x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] divisor padded : tensor<*xf32>
func.func @valid_unknown(%x: tensor<?x2x?xf32>, %y: tensor<*xf32>)
    -> (tensor<?x2x?xf32>, tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] pads_begin [1] pads_end [1]
         auto_pad valid : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %1 = pool.avg_pool %y kernel [2] strides [2] pads_begin [1] auto_pad valid
         divisor padded : tensor<*xf32> -> tensor<*xf32>
  return %0, %1 : tensor<?x2x?xf32>, tensor<*xf32>
}

// With an unknown extent, the overhang is unknown, so the rounding stays.

// CHECK-LABEL: func @valid_ceil_unknown(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] rounding_type ceil : tensor<1x2x8x?xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] rounding_type ceil_torch : tensor<*xf32>
func.func @valid_ceil_unknown(%x: tensor<1x2x8x?xf32>, %y: tensor<*xf32>)
    -> (tensor<1x2x4x?xf32>, tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] rounding_type ceil
         auto_pad valid : tensor<1x2x8x?xf32> -> tensor<1x2x4x?xf32>
  %1 = pool.max_pool %y kernel [2] strides [2] rounding_type ceil_torch
         auto_pad valid : tensor<*xf32> -> tensor<*xf32>
  return %0, %1 : tensor<1x2x4x?xf32>, tensor<*xf32>
}

//===----------------------------------------------------------------------===//
// same_*
//===----------------------------------------------------------------------===//

// The odd pad goes to the end under same_upper, and to the beginning under
// same_lower. All other attributes stay.

// CHECK-LABEL: func @same_upper(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 4] pads_begin [0, 1] pads_end [1, 2] axis 2 nan_mode propagate {note.text = "kept"} : tensor<?x2x6x8xf32> -> tensor<?x2x6x8xf32>, tensor<?x2x6x8xi64>
func.func @same_upper(%x: tensor<?x2x6x8xf32>) -> tensor<?x2x6x8xi64> {
  %0, %1 = pool.max_pool %x kernel [2, 4] auto_pad same_upper axis 2
             nan_mode propagate {note.text = "kept"}
         : tensor<?x2x6x8xf32> -> tensor<?x2x6x8xf32>, tensor<?x2x6x8xi64>
  return %1 : tensor<?x2x6x8xi64>
}

// CHECK-LABEL: func @same_lower(
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 4] pads_begin [1, 2] pads_end [0, 1] layout channels_last divisor padded : tensor<1x6x8x2xf32>
func.func @same_lower(%x: tensor<1x6x8x2xf32>) -> tensor<1x6x8x2xf32> {
  %0 = pool.avg_pool %x kernel [2, 4] pads_begin [5, 5] auto_pad same_lower
         layout channels_last divisor padded
     : tensor<1x6x8x2xf32> -> tensor<1x6x8x2xf32>
  return %0 : tensor<1x6x8x2xf32>
}

// The total pad is (out - 1) * s + E - I. With stride 2 it is 8 + 2 - 5 = 5 for
// five outputs (same_output input), and 4 + 2 - 5 = 1 for three outputs
// (same_output strided).

// CHECK-LABEL: func @same_strides(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] pads_begin [2] pads_end [3] : tensor<1x2x5xf32> -> tensor<1x2x5xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] pads_end [1] : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] pads_begin [1] : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
func.func @same_strides(%x: tensor<1x2x5xf32>)
    -> (tensor<1x2x5xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] auto_pad same_upper
     : tensor<1x2x5xf32> -> tensor<1x2x5xf32>
  %1 = pool.max_pool %x kernel [2] strides [2] rounding_type ceil
         auto_pad same_upper same_output strided
     : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  %2 = pool.max_pool %x kernel [2] strides [2] auto_pad same_lower
         same_output strided : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  return %0, %1, %2 : tensor<1x2x5xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

// The total pad would be negative, so it is 0. The explicit floor also gives 2
// outputs.

// CHECK-LABEL: func @same_without_pads(
// CHECK:         pool.max_pool %{{.+}} kernel [1] strides [3] : tensor<1x2x5xf32> -> tensor<1x2x2xf32>
func.func @same_without_pads(%x: tensor<1x2x5xf32>) -> tensor<1x2x2xf32> {
  %0 = pool.max_pool %x kernel [1] strides [3] auto_pad same_upper
         same_output strided : tensor<1x2x5xf32> -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// CHECK-LABEL: func @same_unknown(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] auto_pad same_upper : tensor<1x2x8x?xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] rounding_type ceil auto_pad same_lower same_output strided : tensor<*xf32>
func.func @same_unknown(%x: tensor<1x2x8x?xf32>, %y: tensor<*xf32>)
    -> (tensor<1x2x8x?xf32>, tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [2, 2] auto_pad same_upper
     : tensor<1x2x8x?xf32> -> tensor<1x2x8x?xf32>
  %1 = pool.avg_pool %y kernel [2] rounding_type ceil auto_pad same_lower
         same_output strided : tensor<*xf32> -> tensor<*xf32>
  return %0, %1 : tensor<1x2x8x?xf32>, tensor<*xf32>
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

// The overhang is added to the end pads. Elements that no window covers need no
// pads.

// CHECK-LABEL: func @ceil(
// CHECK:         pool.max_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [2] : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] pads_begin [2] pads_end [2] pad_value zero : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [2] divisor kernel : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [2] : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
func.func @ceil(%x: tensor<1x2x6xf32>)
    -> (tensor<1x2x4xf32>, tensor<1x2x5xf32>, tensor<1x2x4xf32>,
        tensor<1x2x4xf32>) {
  %0 = pool.max_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  %1 = pool.max_pool %x kernel [2] strides [2] pads_begin [2] pads_end [2]
         rounding_type ceil pad_value zero
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  %2 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor kernel
     : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  %3 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  return %0, %1, %2, %3 : tensor<1x2x4xf32>, tensor<1x2x5xf32>,
         tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// ceil_torch drops a window that starts in the end padding. So the end padding
// shrinks to what the last window covers, and floor drops that window, too. If a
// window is larger than the input, the missing elements become padding.

// CHECK-LABEL: func @ceil_torch(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [2] pads_begin [1] : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [7] strides [3] pads_end [2] : tensor<1x2x5xf32> -> tensor<1x2x1xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] pads_begin [1] divisor padded : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
func.func @ceil_torch(%x: tensor<1x2x5xf32>)
    -> (tensor<1x2x3xf32>, tensor<1x2x1xf32>, tensor<1x2x3xf32>) {
  %0 = pool.max_pool %x kernel [2] strides [2] pads_begin [1] pads_end [2]
         rounding_type ceil_torch : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  %1 = pool.max_pool %x kernel [7] strides [3] rounding_type ceil_torch
     : tensor<1x2x5xf32> -> tensor<1x2x1xf32>
  %2 = pool.avg_pool %x kernel [2] strides [2] pads_begin [1] pads_end [2]
         rounding_type ceil_torch divisor padded
     : tensor<1x2x5xf32> -> tensor<1x2x3xf32>
  return %0, %1, %2 : tensor<1x2x3xf32>, tensor<1x2x1xf32>, tensor<1x2x3xf32>
}

// Under `padded`, an overhang must not become padding, because padding counts.
// If one dimension has an overhang, the rounding stays; `valid` still becomes
// explicit.

// CHECK-LABEL: func @overhang_of_padded(
// CHECK:         pool.avg_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [1] rounding_type ceil divisor padded : tensor<1x2x6xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2, 2] strides [2, 2] rounding_type ceil divisor padded : tensor<1x2x6x7xf32>
func.func @overhang_of_padded(%x: tensor<1x2x6xf32>, %y: tensor<1x2x6x7xf32>)
    -> (tensor<1x2x4xf32>, tensor<1x2x3x4xf32>) {
  %0 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor padded
     : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  %1 = pool.avg_pool %y kernel [2, 2] strides [2, 2] rounding_type ceil
         auto_pad valid divisor padded
     : tensor<1x2x6x7xf32> -> tensor<1x2x3x4xf32>
  return %0, %1 : tensor<1x2x4xf32>, tensor<1x2x3x4xf32>
}

// Without overhang, or with an override, the window of a `padded` average can
// become explicit.

// CHECK-LABEL: func @padded_without_overhang(
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] pads_begin [1] pads_end [1] divisor padded : tensor<1x2x6xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [3] strides [2] pads_begin [1] pads_end [2] divisor padded divisor_override 3 : tensor<1x2x6xf32>
func.func @padded_without_overhang(%x: tensor<1x2x6xf32>)
    -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %0 = pool.avg_pool %x kernel [2] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor padded
     : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  %1 = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil divisor padded divisor_override 3
     : tensor<1x2x6xf32> -> tensor<1x2x4xf32>
  return %0, %1 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: func @ceil_unknown(
// CHECK:         pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] pads_end [1, 1] rounding_type ceil : tensor<1x2x8x?xf32>
func.func @ceil_unknown(%x: tensor<1x2x8x?xf32>) -> tensor<1x2x5x?xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] pads_end [1, 1]
         rounding_type ceil : tensor<1x2x8x?xf32> -> tensor<1x2x5x?xf32>
  return %0 : tensor<1x2x5x?xf32>
}

// A window with explicit pads and floor stays as written.

// CHECK-LABEL: func @explicit_floor(
// CHECK:         pool.max_pool %{{.+}} kernel [2] strides [1] pads_begin [0] pads_end [1] : tensor<1x2x6xf32>
func.func @explicit_floor(%x: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
  %0 = pool.max_pool %x kernel [2] strides [1] pads_begin [0] pads_end [1]
     : tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  return %0 : tensor<1x2x6xf32>
}
