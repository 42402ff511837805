// Functions may have the names of C library functions that compiled code itself
// calls, such as free and tanf. pool-run must still call the right function,
// and pool-compile must give its functions other names.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(8, dtype='f4').reshape(1, 1, 8) / 8)"
// RUN: pool-run %s --entry aligned_alloc --input %t/x.npy --output %t/aligned_alloc.npy
// RUN: pool-run %s --entry free --input %t/x.npy --output %t/free.npy
// RUN: pool-run %s --entry snprintf --input %t/x.npy --output %t/snprintf.npy
// RUN: pool-run %s --entry tanf --input %t/x.npy --output %t/tanf.npy
// RUN: %python -c "import numpy as np; x, *y = [np.load(r'%t/%%s.npy' %% n)[0, 0] for n in 'x aligned_alloc free snprintf tanf'.split()]; assert [v.tolist() for v in y[:3]] == [x[1:].tolist(), x[2:].tolist(), x[1::2].tolist()]; np.testing.assert_allclose(y[3], np.tan(x), rtol=1e-6)"

// RUN: pool-compile %s -o %t/pool.o
// RUN: llvm-nm %t/pool.o | FileCheck %s --implicit-check-not=aligned_alloc_ --implicit-check-not=free_
// CHECK-DAG: U aligned_alloc
// CHECK-DAG: U free
// CHECK-DAG: T pool_aligned_alloc
// CHECK-DAG: T pool_free
// CHECK-DAG: T pool_snprintf
// CHECK-DAG: T pool_tanf
// CHECK-DAG: U snprintf
// CHECK-DAG: U tanf

func.func @aligned_alloc(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %y = pool.max_pool %x kernel [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}

func.func @free(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %y = call @aligned_alloc(%x) : (tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
  %z = pool.max_pool %y kernel [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %z : tensor<1x1x?xf32>
}

func.func @snprintf(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %y = pool.max_pool %x kernel [2] strides [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}

func.func @tanf(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  %y = math.tan %x : tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}
