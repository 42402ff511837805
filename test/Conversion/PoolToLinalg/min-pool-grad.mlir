// Without indices, the gradient of a minimum takes them from a pool.min_pool.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @gradient(
// CHECK:         linalg.generic
// CHECK:           arith.cmpf ogt
// CHECK:         scf.for
// CHECK:           arith.addf
// CHECK-NOT:     pool.
func.func @gradient(%x: tensor<1x2x8xf32>, %g: tensor<1x2x7xf32>)
    -> tensor<1x2x8xf32> {
  %0 = pool.min_pool_grad %x, %g kernel [2]
     : tensor<1x2x8xf32>, tensor<1x2x7xf32> -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}
