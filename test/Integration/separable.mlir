// Gradients by the plan `separable`, where the last vector of a row of windows
// has lanes after the end of the row. These lanes must add nothing: results
// must equal the results of path=linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_paths.py %s %t

func.func @narrow_rows(%x: tensor<1x1x12x12xf32>) -> tensor<1x1x12x12xf32> {
  %g = arith.constant dense<1.0> : tensor<1x1x5x5xf32>
  %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2]
     {pool.plan = #pool.plan<"separable">}
    : tensor<1x1x12x12xf32>, tensor<1x1x5x5xf32> -> tensor<1x1x12x12xf32>
  return %0 : tensor<1x1x12x12xf32>
}
