// pool-run renames functions before it compiles them. Functions that already
// have such a name must not clash, in any dialect: each call must still run the
// function that was asked for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(8, dtype='f4'))"
// RUN: pool-run %s --entry f --input %t/x.npy --output %t/f.npy
// RUN: pool-run %s --entry g --input %t/x.npy --output %t/g.npy
// RUN: pool-run %s --entry pool.function.f --input %t/x.npy --output %t/own.npy
// RUN: %python -c "import numpy as np; x, f, g, own = [np.load(r'%t/%%s.npy' %% n).tolist() for n in ['x', 'f', 'g', 'own']]; assert (f, g, own) == ([2 * v for v in x], [v * v for v in x], [-2 * v for v in x])"

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

func.func @"pool.function.f"(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = arith.negf %y : tensor<8xf32>
  return %z : tensor<8xf32>
}

llvm.func @"pool.function.g"() {
  llvm.return
}

func.func @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.mulf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
