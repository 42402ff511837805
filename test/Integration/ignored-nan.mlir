// The indices of a maximum that ignores NaN, by the plan "merged". If all other
// elements are -inf, the index must name the first -inf. It must not name a
// NaN. Tests a single row, and windows of so many columns that they have
// several accumulators.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "import numpy as np; x = np.full((1, 1, 2, 256), -np.inf, 'f4'); x.flat[:40] = np.nan; np.save(r'%t.wide.npy', x)"
// RUN: pool-run %s --entry wide --input %t.wide.npy --output %t.y.npy %t.i.npy
// RUN: %python -c "import numpy as np; assert np.load(r'%t.i.npy').item() == 40"
// RUN: %python -c "import numpy as np; x = np.full((1, 8, 64), -np.inf, 'f4'); x[..., ::4] = np.nan; np.save(r'%t.row.npy', x)"
// RUN: pool-run %s --entry row --input %t.row.npy --output %t.y.npy %t.i.npy
// RUN: %python -c "import numpy as np; i = np.load(r'%t.i.npy'); assert (i.ravel() == np.arange(1, 512, 8)).all()"

func.func @wide(%x: tensor<1x1x2x256xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>) {
  %y, %i = pool.max_pool %x kernel [2, 256] nan_mode ignore {pool.plan = #pool.plan<"merged">}
     : tensor<1x1x2x256xf32> -> tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>
  return %y, %i : tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>
}

func.func @row(%x: tensor<1x8x64xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xi64>) {
  %y, %i = pool.max_pool %x kernel [8] strides [8] nan_mode ignore {pool.plan = #pool.plan<"merged">}
     : tensor<1x8x64xf32> -> tensor<1x8x8xf32>, tensor<1x8x8xi64>
  return %y, %i : tensor<1x8x8xf32>, tensor<1x8x8xi64>
}
