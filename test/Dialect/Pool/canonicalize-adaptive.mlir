// Canonicalisations of adaptive pooling. It becomes an ordinary operation if
// all windows have the same size and distance, and folds if it is the identity.
// Cases that only look like these must stay.

// RUN: pool-opt %s --canonicalize | FileCheck %s

// All windows have the same size and distance, so the operation becomes an
// ordinary one.

// CHECK-LABEL: func @regular_avg(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 2] strides [3, 2] : tensor<?x2x6x8xf32> -> tensor<?x2x2x4xf32>
// CHECK:         pool.avg_pool %{{.+}} kernel [2] strides [2] layout channels_last integer_rounding half_up input_zp 1 output_zp 2
func.func @regular_avg(%x: tensor<?x2x6x8xf32>, %y: tensor<1x8x3xi8>)
    -> (tensor<?x2x2x4xf32>, tensor<1x4x3xi8>) {
  %0 = pool.adaptive_avg_pool %x output_size [2, 4]
     : tensor<?x2x6x8xf32> -> tensor<?x2x2x4xf32>
  %1 = pool.adaptive_avg_pool %y output_size [4] layout channels_last
         integer_rounding half_up input_zp 1 output_zp 2
     : tensor<1x8x3xi8> -> tensor<1x4x3xi8>
  return %0, %1 : tensor<?x2x2x4xf32>, tensor<1x4x3xi8>
}

// CHECK-LABEL: func @regular_max(
// CHECK:         pool.max_pool %{{.+}} kernel [3, 8] strides [3, 8] axis 2 nan_mode propagate : tensor<1x2x6x8xf32> -> tensor<1x2x2x1xf32>, tensor<1x2x2x1xi32>
func.func @regular_max(%x: tensor<1x2x6x8xf32>)
    -> (tensor<1x2x2x1xf32>, tensor<1x2x2x1xi32>) {
  %v, %i = pool.adaptive_max_pool %x output_size [2, 1] axis -2
             nan_mode propagate
     : tensor<1x2x6x8xf32> -> tensor<1x2x2x1xf32>, tensor<1x2x2x1xi32>
  return %v, %i : tensor<1x2x2x1xf32>, tensor<1x2x2x1xi32>
}

// These windows overlap by one position, but all have the same size and
// distance.

// CHECK-LABEL: func @overlapping(
// CHECK:         pool.avg_pool %{{.+}} kernel [3, 2] strides [2, 2] : tensor<1x2x13x4xf32> -> tensor<1x2x6x2xf32>
// CHECK:         pool.max_pool %{{.+}} kernel [3, 4] strides [2, 4] : tensor<1x2x13x4xf32> -> tensor<1x2x6x1xf32>
func.func @overlapping(%x: tensor<1x2x13x4xf32>)
    -> (tensor<1x2x6x2xf32>, tensor<1x2x6x1xf32>) {
  %0 = pool.adaptive_avg_pool %x output_size [6, 2]
     : tensor<1x2x13x4xf32> -> tensor<1x2x6x2xf32>
  %1 = pool.adaptive_max_pool %x output_size [6, 1]
     : tensor<1x2x13x4xf32> -> tensor<1x2x6x1xf32>
  return %0, %1 : tensor<1x2x6x2xf32>, tensor<1x2x6x1xf32>
}

// With equal numbers of outputs and inputs, each window has a single element,
// so an average is the identity.

// CHECK-LABEL: func @identity(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x6xf32>)
// CHECK:         return %[[X]]
func.func @identity(%x: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [6]
     : tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  return %0 : tensor<1x2x6xf32>
}

// These are not regular: windows of two sizes, windows that overlap only in
// some places, and an unknown extent.

// CHECK-LABEL: func @irregular(
// CHECK:         pool.adaptive_avg_pool %{{.+}} output_size [2, 3]
// CHECK:         pool.adaptive_max_pool %{{.+}} output_size [12, 8]
// CHECK:         pool.adaptive_avg_pool %{{.+}} output_size [1]
func.func @irregular(%x: tensor<1x2x6x8xf32>, %y: tensor<1x2x?xf32>)
    -> (tensor<1x2x2x3xf32>, tensor<1x2x12x8xf32>, tensor<1x2x1xf32>) {
  %0 = pool.adaptive_avg_pool %x output_size [2, 3]
     : tensor<1x2x6x8xf32> -> tensor<1x2x2x3xf32>
  %1 = pool.adaptive_max_pool %x output_size [12, 8]
     : tensor<1x2x6x8xf32> -> tensor<1x2x12x8xf32>
  %2 = pool.adaptive_avg_pool %y output_size [1]
     : tensor<1x2x?xf32> -> tensor<1x2x1xf32>
  return %0, %1, %2 : tensor<1x2x2x3xf32>, tensor<1x2x12x8xf32>, tensor<1x2x1xf32>
}

// CHECK-LABEL: func @attributes(
// CHECK:         pool.adaptive_avg_pool %{{.+}} output_size [2] : tensor
// CHECK:         pool.adaptive_max_pool %{{.+}} output_size [2] : tensor
// CHECK:         pool.adaptive_max_pool %{{.+}} output_size [2] axis 2 : tensor
func.func @attributes(%x: tensor<1x2x?xf32>, %y: tensor<1x2x?xi32>)
    -> (tensor<1x2x2xf32>, tensor<1x2x2xi32>, tensor<1x2x2xi64>) {
  %0 = pool.adaptive_avg_pool %x output_size [2] integer_rounding half_up
     : tensor<1x2x?xf32> -> tensor<1x2x2xf32>
  %1 = pool.adaptive_max_pool %y output_size [2] axis 1 nan_mode propagate
     : tensor<1x2x?xi32> -> tensor<1x2x2xi32>
  %v, %i = pool.adaptive_max_pool %y output_size [2] axis -1 nan_mode propagate
     : tensor<1x2x?xi32> -> tensor<1x2x2xi32>, tensor<1x2x2xi64>
  return %0, %1, %i : tensor<1x2x2xf32>, tensor<1x2x2xi32>, tensor<1x2x2xi64>
}

// CHECK-LABEL: func @unused_indices(
// CHECK:         pool.adaptive_max_pool %{{.+}} output_size [2] : tensor<1x2x?xf32> -> tensor<1x2x2xf32>
func.func @unused_indices(%x: tensor<1x2x?xf32>) -> tensor<1x2x2xf32> {
  %v, %i = pool.adaptive_max_pool %x output_size [2] axis 2
     : tensor<1x2x?xf32> -> tensor<1x2x2xf32>, tensor<1x2x2xi64>
  return %v : tensor<1x2x2xf32>
}

// CHECK-LABEL: func @types(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf32>)
// CHECK:         %[[R:.+]] = pool.adaptive_avg_pool %[[X]] output_size [3] : tensor<1x2x8xf32> -> tensor<1x2x3xf32>
// CHECK:         tensor.cast %[[R]] : tensor<1x2x3xf32> to tensor<?x2x?xf32>
func.func @types(%x: tensor<1x2x8xf32>) -> tensor<?x2x?xf32> {
  %y = tensor.cast %x : tensor<1x2x8xf32> to tensor<?x2x?xf32>
  %0 = pool.adaptive_avg_pool %y output_size [3]
     : tensor<?x2x?xf32> -> tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xf32>
}

// Folding the cast would make the operation invalid, so it must not fold.

// CHECK-LABEL: func @contradicting_cast(
// CHECK:         %[[Y:.+]] = tensor.cast
// CHECK:         pool.adaptive_avg_pool %[[Y]]
func.func @contradicting_cast(%x: tensor<1x2x0xf32>) -> tensor<1x2x2xf32> {
  %y = tensor.cast %x : tensor<1x2x0xf32> to tensor<1x2x?xf32>
  %0 = pool.adaptive_avg_pool %y output_size [2]
     : tensor<1x2x?xf32> -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}
