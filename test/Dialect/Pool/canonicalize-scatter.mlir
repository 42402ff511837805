// Folds and canonicalisations of max_unpool and the gradients. A fold must not
// change a result, and must not drop an error at run time.

// RUN: pool-opt %s --canonicalize | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --canonicalize | FileCheck %t.mlir

// Constant extents become part of the type. A batch of 0 is valid, but a spatial
// extent of 0 is not. So the latter stays an operand, and is rejected later.

// CHECK-LABEL: func @max_unpool_constant_extents(
// CHECK-SAME:    %[[V:.+]]: tensor<?x3x?xf32>, %[[I:.+]]: tensor<?x3x?xi32>
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK:         %[[A:.+]] = pool.max_unpool %[[V]], %[[I]] : tensor<?x3x?xf32>, tensor<?x3x?xi32> -> tensor<2x3x9xf32>
// CHECK:         %[[R:.+]] = tensor.cast %[[A]] : tensor<2x3x9xf32> to tensor<?x3x?xf32>
// CHECK:         %[[B:.+]] = pool.max_unpool %[[V]], %[[I]] extents(%[[ZERO]]) : tensor<?x3x?xf32>, tensor<?x3x?xi32> -> tensor<0x3x?xf32>
// CHECK:         %[[S:.+]] = tensor.cast %[[B]]
// CHECK:         return %[[R]], %[[S]]
func.func @max_unpool_constant_extents(%v: tensor<?x3x?xf32>,
                                       %i: tensor<?x3x?xi32>)
    -> (tensor<?x3x?xf32>, tensor<?x3x?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = pool.max_unpool %v, %i extents(%c2, %c9)
     : tensor<?x3x?xf32>, tensor<?x3x?xi32> -> tensor<?x3x?xf32>
  %1 = pool.max_unpool %v, %i extents(%c0, %c0)
     : tensor<?x3x?xf32>, tensor<?x3x?xi32> -> tensor<?x3x?xf32>
  return %0, %1 : tensor<?x3x?xf32>, tensor<?x3x?xf32>
}

// CHECK-LABEL: func @max_unpool_casts(
// CHECK-SAME:    %[[V:.+]]: tensor<2x3x4xf32>, %[[I:.+]]: tensor<2x3x4xi32>)
// CHECK:         pool.max_unpool %[[V]], %[[I]] axis 2 : tensor<2x3x4xf32>, tensor<2x3x4xi32> -> tensor<2x3x9xf32>
func.func @max_unpool_casts(%v: tensor<2x3x4xf32>, %i: tensor<2x3x4xi32>)
    -> tensor<2x3x9xf32> {
  %w = tensor.cast %v : tensor<2x3x4xf32> to tensor<?x3x?xf32>
  %j = tensor.cast %i : tensor<2x3x4xi32> to tensor<?x?x4xi32>
  %0 = pool.max_unpool %w, %j axis -1
     : tensor<?x3x?xf32>, tensor<?x?x4xi32> -> tensor<2x3x9xf32>
  return %0 : tensor<2x3x9xf32>
}

// Folding the cast would make the operation invalid, so it must not fold.

// CHECK-LABEL: func @max_unpool_contradicting_cast(
// CHECK:         %[[W:.+]] = tensor.cast
// CHECK:         pool.max_unpool %[[W]]
func.func @max_unpool_contradicting_cast(%v: tensor<5x3x4xf32>,
                                         %i: tensor<?x3x4xi32>)
    -> tensor<2x3x9xf32> {
  %w = tensor.cast %v : tensor<5x3x4xf32> to tensor<?x3x4xf32>
  %0 = pool.max_unpool %w, %i axis 2
     : tensor<?x3x4xf32>, tensor<?x3x4xi32> -> tensor<2x3x9xf32>
  return %0 : tensor<2x3x9xf32>
}

// CHECK-LABEL: func @max_pool_grad_attributes(
// CHECK:         pool.max_pool_grad %{{[a-z0-9]+}}, %{{[a-z0-9]+}} kernel [1, 2] : tensor
// CHECK:         pool.max_pool_grad %{{[a-z0-9]+}}, %{{[a-z0-9]+}} kernel [1, 2] nan_mode propagate : tensor
// CHECK:         pool.max_pool_grad %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} kernel [1, 2] axis 2 : tensor
func.func @max_pool_grad_attributes(%x: tensor<1x2x4x4xf32>,
                                    %g: tensor<1x2x4x3xf32>,
                                    %i: tensor<1x2x4x3xi32>)
    -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %0 = pool.max_pool_grad %x, %g kernel [1, 2] strides [1, 1] dilations [3, 1]
         pads_begin [0, 0] rounding_type ceil axis -1
     : tensor<1x2x4x4xf32>, tensor<1x2x4x3xf32> -> tensor<1x2x4x4xf32>
  %1 = pool.max_pool_grad %x, %g kernel [1, 2] nan_mode propagate
     : tensor<1x2x4x4xf32>, tensor<1x2x4x3xf32> -> tensor<1x2x4x4xf32>
  %2 = pool.max_pool_grad %x, %g, %i kernel [1, 2] axis -2 nan_mode propagate
     : tensor<1x2x4x4xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xi32>
     -> tensor<1x2x4x4xf32>
  return %0, %1, %2
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func @max_pool_grad_casts(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x4xf32>, %[[G:.+]]: tensor<1x2x3xf32>)
// CHECK:         %[[R:.+]] = pool.max_pool_grad %[[X]], %[[G]] kernel [2] : tensor<1x2x4xf32>, tensor<1x2x3xf32> -> tensor<1x2x4xf32>
// CHECK:         tensor.cast %[[R]] : tensor<1x2x4xf32> to tensor<1x?x?xf32>
func.func @max_pool_grad_casts(%x: tensor<1x2x4xf32>, %g: tensor<1x2x3xf32>)
    -> tensor<1x?x?xf32> {
  %y = tensor.cast %x : tensor<1x2x4xf32> to tensor<1x2x?xf32>
  %h = tensor.cast %g : tensor<1x2x3xf32> to tensor<*xf32>
  %0 = pool.max_pool_grad %y, %h kernel [2]
     : tensor<1x2x?xf32>, tensor<*xf32> -> tensor<1x?x?xf32>
  return %0 : tensor<1x?x?xf32>
}

// CHECK-LABEL: func @max_pool_grad_identity(
// CHECK-SAME:    %[[X:.+]]: tensor<3x2x4xf16>, %[[G:.+]]: tensor<3x2x4xf16>)
// CHECK:         return %[[G]]
func.func @max_pool_grad_identity(%x: tensor<3x2x4xf16>, %g: tensor<3x2x4xf16>)
    -> tensor<3x2x4xf16> {
  %0 = pool.max_pool_grad %x, %g kernel [1]
     : tensor<3x2x4xf16>, tensor<3x2x4xf16> -> tensor<3x2x4xf16>
  return %0 : tensor<3x2x4xf16>
}

// The batches may differ at run time, and then the operation must reject the
// call. So it stays.

// CHECK-LABEL: func @max_pool_grad_identity_of_unknown_batches(
// CHECK:         pool.max_pool_grad
func.func @max_pool_grad_identity_of_unknown_batches(%x: tensor<?x2x4xf16>, %g: tensor<?x2x4xf16>)
    -> tensor<?x2x4xf16> {
  %0 = pool.max_pool_grad %x, %g kernel [1]
     : tensor<?x2x4xf16>, tensor<?x2x4xf16> -> tensor<?x2x4xf16>
  return %0 : tensor<?x2x4xf16>
}

// An index may name another element than the window's own, so the operation is
// no identity and stays.

// CHECK-LABEL: func @max_pool_grad_identity_with_indices(
// CHECK:         pool.max_pool_grad
func.func @max_pool_grad_identity_with_indices(
    %x: tensor<1x2x4xf16>, %g: tensor<1x2x4xf16>, %i: tensor<1x2x4xi32>)
    -> tensor<1x2x4xf16> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [1]
     : tensor<1x2x4xf16>, tensor<1x2x4xf16>, tensor<1x2x4xi32>
     -> tensor<1x2x4xf16>
  return %0 : tensor<1x2x4xf16>
}

// CHECK-LABEL: func @avg_pool_grad_constant_extents(
// CHECK:         pool.avg_pool_grad %{{.+}} kernel [2] : tensor<1x2x3xf32> -> tensor<1x2x4xf32>
// CHECK:         tensor.cast
func.func @avg_pool_grad_constant_extents(%g: tensor<1x2x3xf32>)
    -> tensor<1x2x?xf32> {
  %c4 = arith.constant 4 : index
  %h = tensor.cast %g : tensor<1x2x3xf32> to tensor<?x2x?xf32>
  %0 = pool.avg_pool_grad %h extents(%c4) kernel [2]
     : tensor<?x2x?xf32> -> tensor<1x2x?xf32>
  return %0 : tensor<1x2x?xf32>
}

// CHECK-LABEL: func @avg_pool_grad_constant_extent_breaks_rule(
// CHECK:         %[[C:.+]] = arith.constant 7
// CHECK:         pool.avg_pool_grad %{{.+}} extents(%[[C]]) kernel [2]
func.func @avg_pool_grad_constant_extent_breaks_rule(%g: tensor<1x2x3xf32>)
    -> tensor<1x2x?xf32> {
  %c7 = arith.constant 7 : index
  %0 = pool.avg_pool_grad %g extents(%c7) kernel [2]
     : tensor<1x2x3xf32> -> tensor<1x2x?xf32>
  return %0 : tensor<1x2x?xf32>
}

// CHECK-LABEL: func @avg_pool_grad_attributes(
// CHECK:         pool.avg_pool_grad %{{.+}} kernel [2] : tensor
// CHECK:         pool.avg_pool_grad %{{.+}} kernel [2] pads_begin [1] divisor_override 3 : tensor
func.func @avg_pool_grad_attributes(%g: tensor<1x2x3xf32>,
                                    %h: tensor<1x2x4xf32>)
    -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %0 = pool.avg_pool_grad %g kernel [2] strides [1] divisor kernel
     : tensor<1x2x3xf32> -> tensor<1x2x4xf32>
  %1 = pool.avg_pool_grad %h kernel [2] pads_begin [1] divisor padded
         divisor_override 3
     : tensor<1x2x4xf32> -> tensor<1x2x4xf32>
  return %0, %1 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: func @avg_pool_grad_identity(
// CHECK-SAME:    %[[G:.+]]: tensor<1x2x3xf32>)
// CHECK:         return %[[G]]
func.func @avg_pool_grad_identity(%g: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %0 = pool.avg_pool_grad %g kernel [1] divisor_override 1
     : tensor<1x2x3xf32> -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}
