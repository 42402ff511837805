// Every op that is made from a pooling operation must have the location of that
// operation, so that errors and debug information point to the source. This is
// tested for lowerings, for run-time checks, and for rewrites within the
// dialect.

// RUN: pool-opt %s --convert-pool-to-linalg=runtime-checks --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: pool-opt %s --pool-resolve-windows --canonicalize --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: pool-opt %s --resolve-ranked-shaped-type-result-dims --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=DIM

// CHECK-LABEL: func @max_pool(
// CHECK-SAME:    loc("parameter"))
// CHECK-NOT:     loc({{[^"\\]|"[^p]|"p[^o]}}
// CHECK:         return
// CHECK-SAME:    loc("end")
func.func @max_pool(%x: tensor<1x2x6x8xf32> loc("parameter"))
    -> tensor<1x2x3x4xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] rounding_type ceil
         auto_pad same_upper same_output strided
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x4xf32> loc("pooled")
  return %0 : tensor<1x2x3x4xf32> loc("end")
} loc("function")

// CHECK-LABEL: func @max_pool_named(
// CHECK-SAME:    loc("parameter"))
// CHECK-NOT:     loc({{[^"\\]|"[^p]|"p[^o]}}
// CHECK:         return
func.func @max_pool_named(%x: tensor<1x2x6x8xi8> loc("parameter"))
    -> tensor<?x?x?x?xi8> {
  %0 = pool.max_pool %x kernel [3, 3] auto_pad valid
     : tensor<1x2x6x8xi8> -> tensor<?x?x?x?xi8> loc("pooled")
  return %0 : tensor<?x?x?x?xi8> loc("end")
} loc("function")

// CHECK-LABEL: func @max_pool_indices(
// CHECK-SAME:    loc("parameter"))
// CHECK-NOT:     loc({{[^"\\]|"[^p]|"p[^o]}}
// CHECK:         return
func.func @max_pool_indices(%x: tensor<?x?x?x?xui16> loc("parameter"))
    -> (tensor<?x?x?x?xui16>, tensor<?x?x?x?xi32>) {
  %0, %1 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]
             rounding_type ceil_torch axis 1 : tensor<?x?x?x?xui16>
        -> tensor<?x?x?x?xui16>, tensor<?x?x?x?xi32> loc("pooled")
  return %0, %1 : tensor<?x?x?x?xui16>, tensor<?x?x?x?xi32> loc("end")
} loc("function")

// CHECK-LABEL: func @avg_pool(
// CHECK-SAME:    loc("parameter"))
// CHECK-NOT:     loc({{[^"\\]|"[^p]|"p[^o]}}
// CHECK:         return
func.func @avg_pool(%x: tensor<?x?x?xf16> loc("parameter"))
    -> tensor<?x?x?xf16> {
  %0 = pool.avg_pool %x kernel [3] strides [2] pads_end [1] rounding_type ceil
     : tensor<?x?x?xf16> -> tensor<?x?x?xf16> loc("pooled")
  return %0 : tensor<?x?x?xf16> loc("end")
} loc("function")

// CHECK-LABEL: func @avg_pool_integers(
// CHECK-SAME:    loc("parameter"))
// CHECK-NOT:     loc({{[^"\\]|"[^p]|"p[^o]}}
// CHECK:         return
func.func @avg_pool_integers(%x: tensor<1x6x8x2xui8> loc("parameter"))
    -> tensor<1x6x8x2xui8> {
  %0 = pool.avg_pool %x kernel [3, 3] auto_pad same_lower layout channels_last
         divisor padded input_zp 3 output_zp 7
     : tensor<1x6x8x2xui8> -> tensor<1x6x8x2xui8> loc("pooled")
  return %0 : tensor<1x6x8x2xui8> loc("end")
} loc("function")

// Reified extents have the location of the operation that gives the result.

// DIM-LABEL:   func @dim(
// DIM:           affine.apply {{.+}} loc("pooled")
// DIM:           return
func.func @dim(%x: tensor<1x2x?xf32> loc("parameter")) -> index {
  %c2 = arith.constant 2 : index loc("constant")
  %0 = pool.max_pool %x kernel [3] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
       loc("pooled")
  %1 = tensor.dim %0, %c2 : tensor<1x2x?xf32> loc("extent")
  return %1 : index loc("end")
} loc("function")
