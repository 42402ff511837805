// A pass that was renamed keeps its old name for one release. The old name must
// do the same, and say the new name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-partition=grid=1,2 2>%t.remark | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.remark
// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-partition{grid=1,2}))' 2>/dev/null | FileCheck %s
// RUN: not pool-opt %s --pool-partition=parts=2 2>&1 | FileCheck %s --check-prefix=OPTION

// REMARK: remark: pool-partition is now named pool-tile-chains
// OPTION: no such option parts

// CHECK-LABEL: func.func @tiles(
// CHECK:         scf.forall
// CHECK:           pool.window_reduce
func.func @tiles(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x4x4xf32> {
  %y = pool.max_pool %x kernel [3, 3] : tensor<1x8x6x6xf32> -> tensor<1x8x4x4xf32>
  return %y : tensor<1x8x4x4xf32>
}
