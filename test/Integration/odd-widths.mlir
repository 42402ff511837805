// Elements of types such as i24 and f80 have another size in memory than in a
// vector, so vector loads and stores of them would be wrong. Operations that
// produce them must stay outside the pooling's vector code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.arange(64, dtype='i4').reshape(1, 1, 4, 16))"
// RUN: pool-run %s --input %t.x.npy --output %t.y.npy
// RUN: %python -c "import numpy as np; print(np.load(r'%t.y.npy').ravel().tolist())" | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-vector | FileCheck %s --check-prefix=VECTOR

// CHECK: [17, 19, 21, 23, 25, 27, 29, 31, 49, 51, 53, 55, 57, 59, 61, 63]
// VECTOR-LABEL: func.func private @pooled(
// VECTOR-NOT:     vector<{{.+}}xi24>
// VECTOR:         linalg.generic

#map = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func private @pooled(%x: tensor<1x1x4x16xi32>) -> tensor<1x1x2x8xi24> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x4x16xi32> -> tensor<1x1x2x8xi32>
  %init = tensor.empty() : tensor<1x1x2x8xi24>
  %z = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<1x1x2x8xi32>) outs(%init : tensor<1x1x2x8xi24>) {
  ^bb0(%a: i32, %b: i24):
    %c = arith.trunci %a : i32 to i24
    linalg.yield %c : i24
  } -> tensor<1x1x2x8xi24>
  return %z : tensor<1x1x2x8xi24>
}

func.func @main(%x: tensor<1x1x4x16xi32>) -> tensor<1x1x2x8xi32> {
  %w = func.call @pooled(%x) : (tensor<1x1x4x16xi32>) -> tensor<1x1x2x8xi24>
  %init = tensor.empty() : tensor<1x1x2x8xi32>
  %z = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : tensor<1x1x2x8xi24>) outs(%init : tensor<1x1x2x8xi32>) {
  ^bb0(%a: i24, %b: i32):
    %c = arith.extsi %a : i24 to i32
    linalg.yield %c : i32
  } -> tensor<1x1x2x8xi32>
  return %z : tensor<1x1x2x8xi32>
}
