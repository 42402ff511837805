// If upstream's canonicalization makes a module invalid, pool-run must report
// an error, although it does not verify between passes. The module must neither
// be lowered further nor run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.zeros((1, 1, 40), 'f4'))"
// RUN: not pool-run %s --path=linalg --input %t/x.npy --output %t/y.npy 2>&1 | FileCheck %s
// CHECK: are cast incompatible
// CHECK: pool-run: error: lowering failed

func.func @view(%x: tensor<?x1x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = bufferization.to_buffer %x read_only : tensor<?x1x?xf32> to memref<?x1x?xf32>
  %v = memref.subview %m[%c0, %c0, 0] [%c1, 1, %c32] [1, %c1, %c1]
      : memref<?x1x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %p = memref.alloc(%c1, %c32) : memref<?x?xf32>
  memref.copy %v, %p : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32>
  %y = bufferization.to_tensor %p restrict : memref<?x?xf32> to tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
