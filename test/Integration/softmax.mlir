// linalg.softmax on tensors, which models have beside pooling. It must lower on
// every path and on threads, and compute what NumPy does, also with NaN and
// infinities.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.float32([[[0, 1, 2, -3, 100, 4], [-np.inf, 0, 1, np.inf, 0, 0]], [[-200, -201, -200, -200, -205, -200], [np.nan, 1, 2, 3, 4, 5]]]))"
// RUN: pool-run %s --path=linalg --input %t/x.npy --output %t/linalg.npy
// RUN: pool-run %s --path=affine --input %t/x.npy --output %t/affine.npy
// RUN: pool-run %s --path=vector --input %t/x.npy --output %t/vector.npy
// RUN: pool-run %s --path=vector --threads 2 --input %t/x.npy --output %t/threads.npy
// RUN: %python %S/Inputs/check_softmax.py %t

func.func @main(%x: tensor<?x2x6xf32>) -> tensor<?x2x6xf32> {
  %c0 = arith.constant 0 : index
  %y = pool.max_pool %x kernel [1] nan_mode propagate : tensor<?x2x6xf32> -> tensor<?x2x6xf32>
  %n = tensor.dim %y, %c0 : tensor<?x2x6xf32>
  %e = tensor.empty(%n) : tensor<?x2x6xf32>
  %s = linalg.softmax dimension(2) ins(%y : tensor<?x2x6xf32>) outs(%e : tensor<?x2x6xf32>) -> tensor<?x2x6xf32>
  return %s : tensor<?x2x6xf32>
}
