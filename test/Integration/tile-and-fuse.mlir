// The transform sequence `fused` of PoolToVector/Inputs/tile.mlir tiles the
// consumer of a pooling, and fuses the pooling and its elementwise producer. On
// the vector path, the tiles must give the results of the whole operation on
// path=linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_paths.py %s %t %src_root/test/Conversion/PoolToVector/Inputs/tile.mlir fused

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

func.func @max(%x: tensor<1x20x30x33xf32>) -> tensor<1x20x15x17xf32> {
  %e = tensor.empty() : tensor<1x20x30x33xf32>
  %two = arith.constant 2.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x20x30x33xf32>) outs(%e : tensor<1x20x30x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %twice = arith.mulf %in, %two : f32
    linalg.yield %twice : f32
  } -> tensor<1x20x30x33xf32>
  %max = pool.max_pool %y kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
    : tensor<1x20x30x33xf32> -> tensor<1x20x15x17xf32>
  %d = tensor.empty() : tensor<1x20x15x17xf32>
  %bias = arith.constant dense<[0.0, 1.0, -2.0, 3.0, 4.0, 0.0, 1.0, -2.0, 3.0, 4.0, 0.0, 1.0, -2.0, 3.0, 4.0, 0.0, 1.0, -2.0, 3.0, 4.0]> : tensor<20xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%max, %bias : tensor<1x20x15x17xf32>, tensor<20xf32>) outs(%d : tensor<1x20x15x17xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<1x20x15x17xf32>
  return %z : tensor<1x20x15x17xf32>
}
