// Two kernels read a tensor. Between the reads, values are inserted into the
// tensor. Bufferisation must know of the second read; else it would insert the
// values in place, too early. Results must equal the results of path=linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(32, dtype='f4').reshape(1, 1, 4, 8)); np.save(r'%t/n.npy', np.int64(0)); np.save(r'%t/once.npy', np.int64(1))"
// RUN: pool-run %s --path=linalg --entry=read_twice --input %t/x.npy %t/n.npy --output %t/a.npy %t/b.npy %t/c.npy
// RUN: pool-run %s --path=vector --entry=read_twice --input %t/x.npy %t/n.npy --output %t/a2.npy %t/b2.npy %t/c2.npy
// RUN: cmp %t/a.npy %t/a2.npy && cmp %t/b.npy %t/b2.npy && cmp %t/c.npy %t/c2.npy
// RUN: pool-run %s --path=linalg --entry=pooled --input %t/x.npy %t/once.npy --output %t/a.npy %t/b.npy
// RUN: pool-run %s --path=vector --entry=pooled --input %t/x.npy %t/once.npy --output %t/a2.npy %t/b2.npy
// RUN: cmp %t/a.npy %t/a2.npy && cmp %t/b.npy %t/b2.npy
// RUN: pool-opt %s --convert-pool-to-vector --cse | FileCheck %s

// CHECK-LABEL: func.func @read_twice(
// CHECK-COUNT-3: pool.on_buffers ins(
func.func @read_twice(%x: tensor<1x1x4x8xf32>, %n: index)
    -> (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) {
  %sevens = arith.constant dense<7.0> : tensor<1x1x2x8xf32>
  %e = tensor.empty() : tensor<1x1x4x8xf32>
  %t = linalg.exp ins(%x : tensor<1x1x4x8xf32>) outs(%e : tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  %u = tensor.cast %t : tensor<1x1x4x8xf32> to tensor<1x1x?x8xf32>
  %a = pool.max_pool %t kernel [1, 3] pads_begin [0, 1] pads_end [0, 1]
      : tensor<1x1x4x8xf32> -> tensor<1x1x4x8xf32>
  %w = tensor.insert_slice %sevens into %t[%n, 0, 0, 0] [1, 1, 2, 8] [1, 1, 1, 1]
      : tensor<1x1x2x8xf32> into tensor<1x1x4x8xf32>
  %b = pool.max_pool %w kernel [2, 1] pads_begin [1, 0]
      : tensor<1x1x4x8xf32> -> tensor<1x1x4x8xf32>
  %c = pool.max_pool %u kernel [3, 1] pads_begin [1, 0] pads_end [1, 0]
      : tensor<1x1x?x8xf32> -> tensor<1x1x?x8xf32>
  %d = tensor.cast %c : tensor<1x1x?x8xf32> to tensor<1x1x4x8xf32>
  return %a, %b, %d : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>
}

// CHECK-LABEL: func.func @pooled(
// CHECK-COUNT-2: pool.on_buffers ins(
func.func @pooled(%x: tensor<1x1x4x8xf32>, %n: index)
    -> (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sevens = arith.constant dense<7.0> : tensor<1x1x4x8xf32>
  %a = pool.max_pool %x kernel [1, 1] : tensor<1x1x4x8xf32> -> tensor<1x1x4x8xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<1x1x4x8xf32> {
    %s = tensor.insert_slice %sevens into %t[%i, 0, 0, 0] [1, 1, 4, 8] [1, 1, 1, 1]
        : tensor<1x1x4x8xf32> into tensor<1x1x4x8xf32>
    scf.yield %s : tensor<1x1x4x8xf32>
  }
  %b = pool.max_pool %a kernel [1, 1] : tensor<1x1x4x8xf32> -> tensor<1x1x4x8xf32>
  return %l, %b : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>
}
