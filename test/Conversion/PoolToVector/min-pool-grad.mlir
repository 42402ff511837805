// convert-pool-to-vector on the gradient of a minimum without indices. The
// recomputed indices must come from a search for the minimum (the comparison
// `ogt`), in vectors.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file | FileCheck %s

// CHECK-LABEL: func @gradient(
// CHECK:         arith.cmpf ogt, %{{.+}} : vector
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @gradient(%x: tensor<1x8x64x64xf32>, %g: tensor<1x8x32x32xf32>)
    -> tensor<1x8x64x64xf32> {
  %0 = pool.min_pool_grad %x, %g kernel [2, 2] strides [2, 2]
     : tensor<1x8x64x64xf32>, tensor<1x8x32x32xf32> -> tensor<1x8x64x64xf32>
  return %0 : tensor<1x8x64x64xf32>
}
