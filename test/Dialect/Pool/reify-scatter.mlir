// Upstream's passes replace tensor.dim of the result of max_unpool or a
// gradient. The extents must be computed from operands, and the operation
// itself disappears.

// RUN: pool-opt %s --resolve-shaped-type-result-dims --canonicalize | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --resolve-shaped-type-result-dims --canonicalize | FileCheck %t.mlir

// CHECK-LABEL: func @max_unpool(
// CHECK-SAME:    %{{.+}}: tensor<?x3x?xf32>, %{{.+}}: tensor<?x3x?xi32>, %[[N:.+]]: index, %[[W:.+]]: index)
// CHECK:         %[[C3:.+]] = arith.constant 3 : index
// CHECK-NOT:     pool.max_unpool
// CHECK:         return %[[N]], %[[C3]], %[[W]]
func.func @max_unpool(%v: tensor<?x3x?xf32>, %i: tensor<?x3x?xi32>, %n: index,
                      %w: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = pool.max_unpool %v, %i extents(%n, %w)
     : tensor<?x3x?xf32>, tensor<?x3x?xi32> -> tensor<?x3x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x3x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x3x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x3x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func @max_pool_grad(
// CHECK-SAME:    %[[X:.+]]: tensor<?x3x?xf32>, %{{.+}}: tensor<?x3x?xf32>)
// CHECK:         %[[C2:.+]] = arith.constant 2 : index
// CHECK-NOT:     pool.max_pool_grad
// CHECK:         %[[D:.+]] = tensor.dim %[[X]], %[[C2]]
// CHECK:         return %[[D]]
func.func @max_pool_grad(%x: tensor<?x3x?xf32>, %g: tensor<?x3x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<?x3x?xf32>, tensor<?x3x?xf32> -> tensor<?x3x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x3x?xf32>
  return %d2 : index
}

// The extent is known from the input, although the result's type does not show
// it.

// CHECK-LABEL: func @max_pool_grad_less_static(
// CHECK:         %[[C9:.+]] = arith.constant 9 : index
// CHECK:         return %[[C9]]
func.func @max_pool_grad_less_static(%x: tensor<1x3x9xf32>,
                                     %g: tensor<1x3x8xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x3x9xf32>, tensor<1x3x8xf32> -> tensor<1x?x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<1x?x?xf32>
  return %d2 : index
}

// CHECK-LABEL: func @avg_pool_grad(
// CHECK-SAME:    %{{.+}}: tensor<1x3x?xf32>, %[[W:.+]]: index)
// CHECK-NOT:     pool.avg_pool_grad
// CHECK:         return %[[W]]
func.func @avg_pool_grad(%g: tensor<1x3x?xf32>, %w: index) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.avg_pool_grad %g extents(%w) kernel [2]
     : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<1x3x?xf32>
  return %d2 : index
}
