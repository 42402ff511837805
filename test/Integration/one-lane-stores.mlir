// For the last of nine iterations, LLVM's vectorizer makes a masked store of
// one lane. LLVM's X86 backend widens such stores. Our code generation must
// prevent this: nothing after the end of the result may be overwritten, and a
// guard page lies there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.arange(20, dtype='i4').reshape(2, 1, 10))"
// RUN: pool-run %s --path=linalg -O1 --guard-pages=end --input %t.x.npy --output %t.1.npy
// RUN: pool-run %s --path=linalg -O2 --guard-pages=end --input %t.x.npy --output %t.2.npy
// RUN: %python -c "import numpy as np; a, b = (np.load(r'%t.%%d.npy' %% n) for n in (1, 2)); x = np.arange(20).reshape(2, 1, 10); y = np.rint((x[..., 1:] + x[..., :-1]) / 2); assert (a == y).all() and (b == y).all()"

func.func @average(%x: tensor<2x1x10xi32>) -> tensor<2x1x9xi32> {
  %y = pool.avg_pool %x kernel [2] divisor kernel : tensor<2x1x10xi32> -> tensor<2x1x9xi32>
  return %y : tensor<2x1x9xi32>
}
