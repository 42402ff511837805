// convert-pool-to-linalg on the gradient of a minimum without indices. The
// indices must come from the search for a minimum (the comparison `ogt`), not
// for a maximum.

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
