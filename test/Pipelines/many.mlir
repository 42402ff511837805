// A function of many operations becomes one function, without buffers that nobody
// uses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm --mlir-print-ir-after=pool-outline-parts -o %t.vector 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: FileCheck %s --input-file=%t.vector --implicit-check-not=part
// RUN: pool-opt %s --pool-to-llvm=path=linalg --mlir-print-ir-after=pool-outline-parts -o %t.linalg 2>&1 | FileCheck %s --check-prefix=LINALG-PARTS
// RUN: FileCheck %s --check-prefix=LINALG --input-file=%t.linalg --implicit-check-not=part

// A function for each loop nest until there are buffers, then for several.
// PARTS-LABEL:   IR Dump After OutlineParts
// PARTS-COUNT-18: call @part
// PARTS-LABEL:   IR Dump After OutlineParts
// PARTS:         func.func private @part

// LINALG-PARTS-LABEL: IR Dump After OutlineParts
// LINALG-PARTS:       func.func private @part

// CHECK-LABEL:   llvm.func @f(
// CHECK-COUNT-17: llvm.call @aligned_alloc
// CHECK-NOT:     llvm.call @aligned_alloc
// CHECK:         llvm.return

// A result and a padded input each.
// LINALG-LABEL:   llvm.func @f(
// LINALG-COUNT-35: llvm.call @aligned_alloc
// LINALG-NOT:     llvm.call @aligned_alloc
// LINALG:         llvm.return
func.func @f(%y0: tensor<1x1x4x20xf32>) -> tensor<1x1x4x20xf32> {
  %y1 = pool.max_pool %y0 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y2 = pool.max_pool %y1 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y3 = pool.max_pool %y2 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y4 = pool.max_pool %y3 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y5 = pool.max_pool %y4 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y6 = pool.max_pool %y5 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y7 = pool.max_pool %y6 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y8 = pool.max_pool %y7 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y9 = pool.max_pool %y8 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y10 = pool.max_pool %y9 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y11 = pool.max_pool %y10 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y12 = pool.max_pool %y11 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y13 = pool.max_pool %y12 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y14 = pool.max_pool %y13 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y15 = pool.max_pool %y14 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y16 = pool.max_pool %y15 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y17 = pool.max_pool %y16 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  %y18 = pool.max_pool %y17 kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x1x4x20xf32> -> tensor<1x1x4x20xf32>
  return %y18 : tensor<1x1x4x20xf32>
}
