// Canonicalisation of pooling folds windows of one element, unused indices and
// casts, and makes result types as static as possible. A fold must not change a
// result, and must not drop an error at run time.

// RUN: pool-opt %s --canonicalize | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --canonicalize | FileCheck %t.mlir

//===----------------------------------------------------------------------===//
// Windows of one element
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @max_of_one_integer(
// CHECK-SAME:    %[[X:.+]]: tensor<?x2x6x8xi8>)
// CHECK-NOT:     pool.max_pool
// CHECK:         return %[[X]]
func.func @max_of_one_integer(%x: tensor<?x2x6x8xi8>) -> tensor<?x2x6x8xi8> {
  %0 = pool.max_pool %x kernel [1, 1] strides [1, 1] dilations [3, 4]
         rounding_type ceil axis 1
     : tensor<?x2x6x8xi8> -> tensor<?x2x6x8xi8>
  return %0 : tensor<?x2x6x8xi8>
}

// CHECK-LABEL: func @max_of_one_number(
// CHECK-SAME:    %[[X:.+]]: tensor<?x2x7xf32>)
// CHECK:         return %[[X]]
func.func @max_of_one_number(%x: tensor<?x2x7xf32>) -> tensor<?x2x7xf32> {
  %0 = pool.max_pool %x kernel [1] nan_mode propagate
     : tensor<?x2x7xf32> -> tensor<?x2x7xf32>
  return %0 : tensor<?x2x7xf32>
}

// `ignore` turns NaN into -inf, so the result may differ from the input.

// CHECK-LABEL: func @max_of_one_that_may_be_nan(
// CHECK:         pool.max_pool %{{.+}} kernel [1] :
func.func @max_of_one_that_may_be_nan(%x: tensor<?x2x?xf32>)
    -> tensor<?x2x?xf32> {
  %0 = pool.max_pool %x kernel [1] : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xf32>
}

// CHECK-LABEL: func @max_of_one_automatic_padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xi8>)
// CHECK:         return %[[X]], %[[X]], %[[X]]
func.func @max_of_one_automatic_padding(%x: tensor<1x2x8xi8>)
    -> (tensor<1x2x8xi8>, tensor<1x2x8xi8>, tensor<1x2x8xi8>) {
  %0 = pool.max_pool %x kernel [1] pads_begin [1] auto_pad valid
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  %1 = pool.max_pool %x kernel [1] auto_pad same_upper
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  %2 = pool.max_pool %x kernel [1] auto_pad same_lower same_output strided
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  return %0, %1, %2 : tensor<1x2x8xi8>, tensor<1x2x8xi8>, tensor<1x2x8xi8>
}

// With a stride, padding or indices, the operation is no identity. same_upper
// with stride 2 has equal numbers of outputs and inputs, but most of its
// windows are padding.

// CHECK-LABEL: func @max_of_one_and_more(
// CHECK:         pool.max_pool %{{.+}} kernel [1] strides [2] :
// CHECK:         pool.max_pool %{{.+}} kernel [1] pads_end [1] :
// CHECK:         pool.max_pool %{{.+}} kernel [1] strides [2] auto_pad same_upper :
// CHECK:         pool.max_pool %{{.+}} kernel [1] : tensor<1x2x8xi8> -> tensor<1x2x8xi8>, tensor<1x2x8xi64>
func.func @max_of_one_and_more(%x: tensor<1x2x8xi8>)
    -> (tensor<1x2x4xi8>, tensor<1x2x9xi8>, tensor<1x2x8xi8>,
        tensor<1x2x8xi64>) {
  %0 = pool.max_pool %x kernel [1] strides [2]
     : tensor<1x2x8xi8> -> tensor<1x2x4xi8>
  %1 = pool.max_pool %x kernel [1] pads_end [1]
     : tensor<1x2x8xi8> -> tensor<1x2x9xi8>
  %2 = pool.max_pool %x kernel [1] strides [2] auto_pad same_upper
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  %3, %4 = pool.max_pool %x kernel [1]
         : tensor<1x2x8xi8> -> tensor<1x2x8xi8>, tensor<1x2x8xi64>
  return %0, %1, %2, %4 : tensor<1x2x4xi8>, tensor<1x2x9xi8>,
         tensor<1x2x8xi8>, tensor<1x2x8xi64>
}

// CHECK-LABEL: func @average_of_one(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf16>, %[[Y:.+]]: tensor<1x2x8xui8>)
// CHECK-NOT:     pool.avg_pool
// CHECK:         return %[[X]], %[[X]], %[[Y]]
func.func @average_of_one(%x: tensor<1x2x8xf16>, %y: tensor<1x2x8xui8>)
    -> (tensor<1x2x8xf16>, tensor<1x2x8xf16>, tensor<1x2x8xui8>) {
  %0 = pool.avg_pool %x kernel [1] divisor kernel
     : tensor<1x2x8xf16> -> tensor<1x2x8xf16>
  %1 = pool.avg_pool %x kernel [1] divisor_override 1
     : tensor<1x2x8xf16> -> tensor<1x2x8xf16>
  %2 = pool.avg_pool %y kernel [1] input_zp 7 output_zp 7
     : tensor<1x2x8xui8> -> tensor<1x2x8xui8>
  return %0, %1, %2
       : tensor<1x2x8xf16>, tensor<1x2x8xf16>, tensor<1x2x8xui8>
}

// CHECK-LABEL: func @average_of_one_and_more(
// CHECK:         pool.avg_pool %{{.+}} kernel [1] divisor_override 2 :
// CHECK:         pool.avg_pool %{{.+}} kernel [1] input_zp 7 output_zp 8 :
// CHECK:         pool.avg_pool %{{.+}} kernel [1] input_zp 7 :
// CHECK:         pool.avg_pool %{{.+}} kernel [1] strides [2] :
// CHECK:         pool.avg_pool %{{.+}} kernel [1] pads_begin [1] divisor padded :
func.func @average_of_one_and_more(%x: tensor<1x2x8xi8>)
    -> (tensor<1x2x8xi8>, tensor<1x2x8xi8>, tensor<1x2x8xi8>,
        tensor<1x2x4xi8>, tensor<1x2x9xi8>) {
  %0 = pool.avg_pool %x kernel [1] divisor_override 2
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  %1 = pool.avg_pool %x kernel [1] input_zp 7 output_zp 8
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  %2 = pool.avg_pool %x kernel [1] input_zp 7
     : tensor<1x2x8xi8> -> tensor<1x2x8xi8>
  %3 = pool.avg_pool %x kernel [1] strides [2]
     : tensor<1x2x8xi8> -> tensor<1x2x4xi8>
  %4 = pool.avg_pool %x kernel [1] pads_begin [1] divisor padded
     : tensor<1x2x8xi8> -> tensor<1x2x9xi8>
  return %0, %1, %2, %3, %4 : tensor<1x2x8xi8>, tensor<1x2x8xi8>,
         tensor<1x2x8xi8>, tensor<1x2x4xi8>, tensor<1x2x9xi8>
}

// The norm of one element is its absolute value.

// CHECK-LABEL: func @norm_of_one(
// CHECK:         pool.lp_pool %{{.+}} kernel [1] :
func.func @norm_of_one(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = pool.lp_pool %x kernel [1] : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}

//===----------------------------------------------------------------------===//
// Unused indices
//===----------------------------------------------------------------------===//

// Unused indices are removed, and so is the axis. Other attributes stay.

// CHECK-LABEL: func @unused_indices(
// CHECK:         %[[V:.+]] = pool.max_pool %{{.+}} kernel [2] {note.text = "kept"} : tensor<1x2x8xf32> -> tensor<1x2x7xf32>{{$}}
// CHECK:         return %[[V]]
func.func @unused_indices(%x: tensor<1x2x8xf32>) -> tensor<1x2x7xf32> {
  %0, %1 = pool.max_pool %x kernel [2] axis 2 {note.text = "kept"}
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
  return %0 : tensor<1x2x7xf32>
}

// CHECK-LABEL: func @unused_values(
// CHECK:         %{{.+}}, %[[I:.+]] = pool.max_pool %{{.+}} kernel [2] axis 2 : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
// CHECK:         return %[[I]]
func.func @unused_values(%x: tensor<1x2x8xf32>) -> tensor<1x2x7xi64> {
  %0, %1 = pool.max_pool %x kernel [2] axis 2
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
  return %1 : tensor<1x2x7xi64>
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// A cast that hides extents folds into the operation. The operation's results
// become as static as the rule allows. A cast back keeps the declared type for
// users.

// CHECK-LABEL: func @cast_of_the_input(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x6x8xf32>)
// CHECK:         %[[V:.+]], %[[I:.+]] = pool.max_pool %[[X]] kernel [2, 3] axis 2 {note.text = "kept"} : tensor<1x2x6x8xf32> -> tensor<1x2x5x6xf32>, tensor<1x2x5x6xi32>
// CHECK-DAG:     %[[V_CAST:.+]] = tensor.cast %[[V]] : tensor<1x2x5x6xf32> to tensor<?x?x?x?xf32>
// CHECK-DAG:     %[[I_CAST:.+]] = tensor.cast %[[I]] : tensor<1x2x5x6xi32> to tensor<?x2x?x?xi32>
// CHECK:         return %[[V_CAST]], %[[I_CAST]]
func.func @cast_of_the_input(%x: tensor<1x2x6x8xf32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x2x?x?xi32>) {
  %0 = tensor.cast %x : tensor<1x2x6x8xf32> to tensor<?x2x?x?xf32>
  %1, %2 = pool.max_pool %0 kernel [2, 3] axis 2 {note.text = "kept"}
         : tensor<?x2x?x?xf32> -> tensor<?x?x?x?xf32>, tensor<?x2x?x?xi32>
  return %1, %2 : tensor<?x?x?x?xf32>, tensor<?x2x?x?xi32>
}

// CHECK-LABEL: func @cast_of_a_rank(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x?x8xf32>)
// CHECK:         %[[A:.+]] = pool.avg_pool %[[X]] kernel [2, 3] : tensor<1x2x?x8xf32> -> tensor<1x2x?x6xf32>
// CHECK:         %[[CAST:.+]] = tensor.cast %[[A]] : tensor<1x2x?x6xf32> to tensor<*xf32>
// CHECK:         return %[[CAST]]
func.func @cast_of_a_rank(%x: tensor<1x2x?x8xf32>) -> tensor<*xf32> {
  %0 = tensor.cast %x : tensor<1x2x?x8xf32> to tensor<*xf32>
  %1 = pool.avg_pool %0 kernel [2, 3] : tensor<*xf32> -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// A cast to a more static type stays.

// CHECK-LABEL: func @cast_that_adds(
// CHECK:         %[[CAST:.+]] = tensor.cast %{{.+}} : tensor<?x2x?xf32> to tensor<1x2x8xf32>
// CHECK:         pool.max_pool %[[CAST]] kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
func.func @cast_that_adds(%x: tensor<?x2x?xf32>) -> tensor<1x2x7xf32> {
  %0 = tensor.cast %x : tensor<?x2x?xf32> to tensor<1x2x8xf32>
  %1 = pool.max_pool %0 kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %1 : tensor<1x2x7xf32>
}

// If the cast folded, the extents would violate the rule, and valid IR would
// become invalid. So the cast stays, and the error is found at run time.

// CHECK-LABEL: func @cast_that_hides_an_error(
// CHECK:         %[[CAST:.+]] = tensor.cast %{{.+}} : tensor<1x2x8xf32> to tensor<1x2x?xf32>
// CHECK:         pool.max_pool %[[CAST]] kernel [9] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
// CHECK:         pool.avg_pool %[[CAST]] kernel [2] pads_end [3] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
func.func @cast_that_hides_an_error(%x: tensor<1x2x8xf32>)
    -> (tensor<1x2x?xf32>, tensor<1x2x?xf32>) {
  %0 = tensor.cast %x : tensor<1x2x8xf32> to tensor<1x2x?xf32>
  %1 = pool.max_pool %0 kernel [9] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  %2 = pool.avg_pool %0 kernel [2] pads_end [3]
     : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  return %1, %2 : tensor<1x2x?xf32>, tensor<1x2x?xf32>
}

// CHECK-LABEL: func @cast_that_hides_an_index_bound(
// CHECK:         %[[CAST:.+]] = tensor.cast %{{.+}} : tensor<1x1x46341x46341xi8> to tensor<1x1x?x46341xi8>
// CHECK:         pool.max_pool %[[CAST]] kernel [2, 2] : tensor<1x1x?x46341xi8> -> tensor<1x1x?x46340xi8>, tensor<1x1x?x46340xi32>
func.func @cast_that_hides_an_index_bound(%x: tensor<1x1x46341x46341xi8>)
    -> tensor<1x1x?x46340xi32> {
  %0 = tensor.cast %x : tensor<1x1x46341x46341xi8> to tensor<1x1x?x46341xi8>
  %1, %2 = pool.max_pool %0 kernel [2, 2] : tensor<1x1x?x46341xi8>
        -> tensor<1x1x?x46340xi8>, tensor<1x1x?x46340xi32>
  return %2 : tensor<1x1x?x46340xi32>
}

// A result becomes as static as the input allows, also without a cast of the
// input. The casts around a chain of operations disappear.

// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x16xf32>)
// CHECK:         %[[A:.+]] = pool.max_pool %[[X]] kernel [2] strides [2] : tensor<1x2x16xf32> -> tensor<1x2x8xf32>
// CHECK:         %[[B:.+]] = pool.avg_pool %[[A]] kernel [3] : tensor<1x2x8xf32> -> tensor<1x2x6xf32>
// CHECK:         return %[[B]]
func.func @chain(%x: tensor<1x2x16xf32>) -> tensor<1x2x6xf32> {
  %0 = pool.max_pool %x kernel [2] strides [2]
     : tensor<1x2x16xf32> -> tensor<*xf32>
  %1 = pool.avg_pool %0 kernel [3] : tensor<*xf32> -> tensor<?x?x?xf32>
  %2 = tensor.cast %1 : tensor<?x?x?xf32> to tensor<1x2x6xf32>
  return %2 : tensor<1x2x6xf32>
}

// The operation is the identity, but it must reject an extent of 0 at run time.
// So it stays.

// CHECK-LABEL: func @identity_of_unknown_extents(
// CHECK:         pool.avg_pool
// CHECK:         pool.max_pool
func.func @identity_of_unknown_extents(%x: tensor<?x2x?xf32>, %y: tensor<?x?x8xi8>)
    -> (tensor<?x2x?xf32>, tensor<?x?x8xi8>) {
  %0 = pool.avg_pool %x kernel [1] : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  %1 = pool.max_pool %y kernel [1] : tensor<?x?x8xi8> -> tensor<?x?x8xi8>
  return %0, %1 : tensor<?x2x?xf32>, tensor<?x?x8xi8>
}

// The operation is recognised as the identity only after its declared type is
// refined.

// CHECK-LABEL: func @identity_after_refinement(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xi8>)
// CHECK-NOT:     pool.max_pool
// CHECK:         %[[CAST:.+]] = tensor.cast %[[X]] : tensor<1x2x8xi8> to tensor<?x2x?xi8>
// CHECK:         return %[[CAST]]
func.func @identity_after_refinement(%x: tensor<1x2x8xi8>) -> tensor<?x2x?xi8> {
  %0 = pool.max_pool %x kernel [1] : tensor<1x2x8xi8> -> tensor<?x2x?xi8>
  return %0 : tensor<?x2x?xi8>
}
