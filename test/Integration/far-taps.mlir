// A gradient whose sums of strides and dilations exceed 64 bits. An overflow
// would put gradients in wrong places. The second tap of each window lies in
// column 3, so each gradient must appear there, in two rows, on both paths.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.arange(1, 4, dtype='f4').reshape(1, 1, 3, 1))"
// RUN: pool-run %s --input %t.x.npy --output %t.vector.npy
// RUN: pool-run %s --input %t.x.npy --output %t.linalg.npy --path=linalg
// RUN: %python -c "import numpy as np; [print(np.load(r'%t.%%s.npy' %% path)[0, 0, :, 1:5].astype(int).tolist()) for path in ('vector', 'linalg')]" | FileCheck %s

// CHECK-COUNT-2: {{\[\[}}0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 2, 0], [0, 0, 3, 0], [0, 0, 3, 0]]
func.func @main(%g: tensor<1x1x3x1xf32>) -> tensor<1x1x6x10xf32> {
  %0 = pool.avg_pool_grad %g kernel [2, 2] strides [2, 7800000000000000000] dilations [1, 9100000000000000000]
       pads_begin [0, 9099999999999999997] pads_end [0, 0] divisor_override 1
     : tensor<1x1x3x1xf32> -> tensor<1x1x6x10xf32>
  return %0 : tensor<1x1x6x10xf32>
}
