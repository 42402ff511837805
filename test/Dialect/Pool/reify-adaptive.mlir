// Upstream's passes replace tensor.dim of an adaptive pooling's result. Batch
// and channels must come from the input, the other extents are constants, and
// the pooling itself disappears.

// RUN: pool-opt %s --resolve-shaped-type-result-dims --canonicalize | FileCheck %s

// CHECK-LABEL: func @adaptive_avg_pool(
// CHECK-SAME:    %[[X:.+]]: tensor<?x?x?xf32>)
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[C7:.+]] = arith.constant 7 : index
// CHECK-NOT:     pool.adaptive_avg_pool
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[C:.+]] = tensor.dim %[[X]], %[[C2]]
// CHECK:         return %[[N]], %[[C7]], %[[C]]
func.func @adaptive_avg_pool(%x: tensor<?x?x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = pool.adaptive_avg_pool %x output_size [7] layout channels_last
     : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func @adaptive_max_pool_indices(
// CHECK-SAME:    %[[X:.+]]: tensor<?x2x?xf32>)
// CHECK:         %[[C0:.+]] = arith.constant 0 : index
// CHECK:         %[[N:.+]] = tensor.dim %[[X]], %[[C0]]
// CHECK:         return %[[N]]
func.func @adaptive_max_pool_indices(%x: tensor<?x2x?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %v, %i = pool.adaptive_max_pool %x output_size [7]
     : tensor<?x2x?xf32> -> tensor<?x2x7xf32>, tensor<?x2x7xi32>
  %d0 = tensor.dim %i, %c0 : tensor<?x2x7xi32>
  return %d0 : index
}
