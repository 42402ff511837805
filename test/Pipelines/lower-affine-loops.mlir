// pool-lower-affine-loops turns affine loops into scf loops before anything
// folds. Here the inner loop is never reached: canonicalization would remove
// its bounds, and then upstream's lower-affine would crash.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-lower-affine-loops | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @unreached(
// CHECK-NOT: affine.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store
// LLVM-LABEL: llvm.func @unreached(
func.func @unreached(%m: memref<?xi8>, %c: i8) {
  affine.for %i = 6 to 1 {
    affine.for %j = max affine_map<(d0) -> (-d0 + 1, 0)>(%i)
                 to min affine_map<(d0) -> (-d0 + 8, 3)>(%i) {
      affine.store %c, %m[%j] : memref<?xi8>
    }
  }
  return
}

// A function without affine loops stays as it is.
// CHECK-LABEL: func.func @extents(
// CHECK: affine.min
func.func @extents(%n: index) -> index {
  %0 = affine.min affine_map<(d0) -> (d0, 4)>(%n)
  return %0 : index
}

// Branches are lowered with and without loops around them.
// CHECK-LABEL: func.func @branch(
// CHECK-NOT: affine.if
// CHECK: scf.if
// LLVM-LABEL: llvm.func @branch(
#set = affine_set<()[n] : (n - 5 >= 0)>
func.func @branch(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = affine.if #set()[%n] -> tensor<?xf32> {
    affine.yield %x : tensor<?xf32>
  } else {
    affine.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
