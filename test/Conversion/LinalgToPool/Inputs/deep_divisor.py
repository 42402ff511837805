"""Prints a module for deep-divisors.mlir. Its pooling sums are divided by 3, to which 0 is added
N times, where N is the argument."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

count = int(sys.argv[1])
additions = "\n".join(f"    %n{i + 1} = arith.addi %n{i}, %zero : i64" for i in range(count))
print(f"""#id = affine_map<(n, c, w) -> (n, c, w)>
func.func @main(%x: tensor<1x4x8xf32>) -> tensor<1x4x6xf32> {{
  %w = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<1x4x6xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x6xf32>
  %s = linalg.pooling_ncw_sum {{dilations = dense<1> : vector<1xi64>,
                               strides = dense<1> : vector<1xi64>}}
      ins(%x, %w : tensor<1x4x8xf32>, tensor<3xf32>)
      outs(%z : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %y = linalg.generic {{indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%s : tensor<1x4x6xf32>) outs(%e : tensor<1x4x6xf32>) {{
  ^bb0(%in: f32, %out: f32):
    %o = linalg.index 2 : index
    %o64 = arith.index_cast %o : index to i64
    %none = arith.muli %o64, %zero : i64
    %n0 = arith.addi %none, %three : i64
{additions}
    %f = arith.sitofp %n{count} : i64 to f32
    %q = arith.divf %in, %f : f32
    linalg.yield %q : f32
  }} -> tensor<1x4x6xf32>
  return %y : tensor<1x4x6xf32>
}}""")
