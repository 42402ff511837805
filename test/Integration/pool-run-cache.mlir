// pool-run --cache must store machine code in the directory that POOL_CACHE_DIR
// names, and the next run must use it. Other options need other code. Without
// --cache, nothing is stored.

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy; numpy.save('%t/x.npy', numpy.arange(8, dtype='f4').reshape(1, 1, 8))"
// RUN: env POOL_CACHE_DIR=%t/c pool-run %s --input %t/x.npy --output %t/none.npy
// RUN: not ls %t/c
// RUN: env POOL_CACHE_DIR=%t/c pool-run %s --cache --input %t/x.npy --output %t/first.npy
// RUN: ls %t/c | grep -c code- | FileCheck %s --check-prefix=ONE
// RUN: env POOL_CACHE_DIR=%t/c pool-run %s --cache --input %t/x.npy --output %t/second.npy
// RUN: ls %t/c | grep -c code- | FileCheck %s --check-prefix=ONE
// RUN: env POOL_CACHE_DIR=%t/c pool-run %s --cache -O 1 --threads 2 --input %t/x.npy --output %t/third.npy
// RUN: ls %t/c | grep -c code- | FileCheck %s --check-prefix=TWO
// RUN: env POOL_CACHE_DIR=%t/c pool-run %s --cache -O 1 --threads 2 --input %t/x.npy --output %t/fourth.npy
// RUN: cmp %t/none.npy %t/first.npy
// RUN: cmp %t/none.npy %t/second.npy
// RUN: cmp %t/none.npy %t/third.npy
// RUN: cmp %t/none.npy %t/fourth.npy

// RUN: env POOL_CACHE_DIR=%t/x.npy pool-run %s --cache --input %t/x.npy --output %t/fifth.npy 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: cmp %t/none.npy %t/fifth.npy

// RUN: not pool-run %s --cache --path=reference --input %t/x.npy --output %t/y.npy 2>&1 | FileCheck %s --check-prefix=REFERENCE

// ONE: {{^1$}}
// TWO: {{^2$}}
// WARNING: pool-run: warning: no cache of machine code in '{{.*}}x.npy': Not a directory
// REFERENCE: --cache has no effect with --path=reference

func.func @f(%x: tensor<1x1x8xf32>) -> tensor<1x1x7xf32> {
  %0 = pool.max_pool %x kernel [2] : tensor<1x1x8xf32> -> tensor<1x1x7xf32>
  return %0 : tensor<1x1x7xf32>
}
