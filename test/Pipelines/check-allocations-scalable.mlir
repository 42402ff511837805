// pool-check-allocations on a buffer of scalable vectors. Their size is unknown
// when code is compiled, so no check is possible: the pass must leave the
// buffer as it is and must not crash.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-check-allocations | FileCheck %s

// CHECK-LABEL: func.func @scalable(
// CHECK-NEXT:    memref.alloc(
// CHECK-NEXT:    return
func.func @scalable(%n: index) -> memref<?xvector<[4]xf32>> {
  %a = memref.alloc(%n) : memref<?xvector<[4]xf32>>
  return %a : memref<?xvector<[4]xf32>>
}
