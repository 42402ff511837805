// pool-tile-chains and pool-select-plan on a pooling whose input is arithmetic
// on tensors. Both passes compare extents, which are unknown here, and must not
// crash.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-tile-chains=grid=3,2 | FileCheck %s
// RUN: pool-opt %s --pool-select-plan=mcpu=x86-64-v3 -o /dev/null

// CHECK-LABEL: func.func @f(
// CHECK: scf.forall
// CHECK: tensor.parallel_insert_slice
func.func @f(%x: tensor<?x?x?xi8>, %y: tensor<?x?x?xi8>) -> tensor<?x?x?xi8> {
  %d = arith.subi %x, %y : tensor<?x?x?xi8>
  %p = pool.avg_pool %d kernel [3] strides [2] pads_begin [2] pads_end [4]
       rounding_type ceil_torch divisor kernel : tensor<?x?x?xi8> -> tensor<?x?x?xi8>
  return %p : tensor<?x?x?xi8>
}
