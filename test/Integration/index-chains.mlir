// Elementwise operations on the indices of a maximum, which the vector path
// fuses with the pooling. It simplifies comparisons with -1, which means "no
// index". Results must equal the results of path=linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_paths.py %s %t

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>

// All windows have an index, so a comparison with -1, which means none, can be
// folded. But here the second operation gets -1 for the index 0.
func.func @index_less_one(%x: tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xi64> {
  %v, %i = pool.max_pool %x kernel [2, 2] strides [2, 2] axis 2
    : tensor<1x32x8x8xf32> -> tensor<1x32x4x4xf32>, tensor<1x32x4x4xi64>
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %hundred = arith.constant 100 : i64
  %e = tensor.empty() : tensor<1x32x4x4xi64>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%i : tensor<1x32x4x4xi64>) outs(%e : tensor<1x32x4x4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %less = arith.subi %in, %one : i64
    linalg.yield %less : i64
  } -> tensor<1x32x4x4xi64>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x32x4x4xi64>) outs(%e : tensor<1x32x4x4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %is = arith.cmpi eq, %in, %minus : i64
    %r = arith.select %is, %hundred, %in : i64
    linalg.yield %r : i64
  } -> tensor<1x32x4x4xi64>
  return %b : tensor<1x32x4x4xi64>
}
