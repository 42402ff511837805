// pool.window_reduce with no windows at all. Its pads then have no effect and
// may be negative at run time. Every path must return an empty tensor and must
// not fail.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; [np.save(r'%t/%%s.npy' %% n, v) for n, v in dict(x=np.ones((1, 1, 1), 'f4'), low=np.int64(-4), high=np.int64(-9), n=np.int64(0)).items()]"
// RUN: pool-run %s --path=linalg --input %t/x.npy %t/low.npy %t/high.npy %t/n.npy --output %t/linalg.npy
// RUN: pool-run %s --path=vector --input %t/x.npy %t/low.npy %t/high.npy %t/n.npy --output %t/vector.npy
// RUN: pool-run %s --path=affine --input %t/x.npy %t/low.npy %t/high.npy %t/n.npy --output %t/affine.npy
// RUN: %python -c "import numpy as np; print([np.load(r'%t/%%s.npy' %% path).shape for path in ('linalg', 'vector', 'affine')])" | FileCheck %s

// CHECK: [(1, 1, 0), (1, 1, 0), (1, 1, 0)]
func.func @main(%x: tensor<1x1x1xf32>, %low: index, %high: index, %n: index) -> tensor<1x1x?xf32> {
  %e = tensor.empty(%n) : tensor<1x1x?xf32>
  %0 = pool.window_reduce <max> ins(%x : tensor<1x1x1xf32>) outs(%e : tensor<1x1x?xf32>)
         kernel [1] strides [5] dilations [1] pads_begin [%low] pads_end [%high]
    -> tensor<1x1x?xf32>
  return %0 : tensor<1x1x?xf32>
}
