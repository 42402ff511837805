// Fusion in convert-pool-to-vector. The addition reads both results of a
// pooling, so it must not be fused into either result: it would run before the
// other result exists.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --convert-pool-to-vector | FileCheck %s

#id = affine_map<(n, c, w) -> (n, c, w)>

// CHECK-LABEL: func.func @sum(
// CHECK:         %[[RESULTS:.*]]:2 = pool.on_buffers
// CHECK:         linalg.add ins(%[[RESULTS]]#1, %[[RESULTS]]#0 :
func.func @sum(%x: tensor<1x2x9xi64>) -> tensor<1x2x8xi64> {
  %values, %indices = pool.max_pool %x kernel [2]
      : tensor<1x2x9xi64> -> tensor<1x2x8xi64>, tensor<1x2x8xi64>
  %e = tensor.empty() : tensor<1x2x8xi64>
  %sum = linalg.add ins(%indices, %values : tensor<1x2x8xi64>, tensor<1x2x8xi64>)
      outs(%e : tensor<1x2x8xi64>) -> tensor<1x2x8xi64>
  return %sum : tensor<1x2x8xi64>
}
