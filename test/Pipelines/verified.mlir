// If upstream's canonicalization makes a module invalid, pool-run reports an
// error, although it does not verify between passes. The module is neither
// lowered further nor run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; [np.save(r'%t/%%s.npy' %% n, v) for n, v in dict(s=np.ones((1, 2), 'f4'), x=np.zeros((1, 1, 2, 2), 'f4'), i=np.int64(1), v=np.zeros((1, 1, 40), 'f4')).items()]"
// RUN: not pool-run %s --path=linalg --entry insert --input %t/s.npy %t/x.npy %t/i.npy --output %t/y.npy 2>&1 | FileCheck %s
// CHECK: are cast incompatible
// CHECK: pool-run: error: lowering failed

func.func @insert(%s: tensor<?x2xf32>, %x: tensor<1x1x2x2xf32>, %i: index)
    -> tensor<1x1x2x2xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.insert_slice %s into %x[0, 0, 0, %i] [%c1, 1, 2, 1] [1, 1, 1, 1]
      : tensor<?x2xf32> into tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
