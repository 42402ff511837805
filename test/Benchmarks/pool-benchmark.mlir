// The tool pool-benchmark must measure the compilation and the calls of every
// public function over tensors, also of bf16, unsigned integers and indices.
// Wrong options, and a filter that matches nothing, must be errors.

// REQUIRES: google-benchmark
// RUN: pool-benchmark %s --path=linalg --benchmark_min_time=0.001 | FileCheck %s
// RUN: pool-benchmark %s --path=linalg --threads=2 --benchmark_filter=run/half \
// RUN:   --benchmark_min_time=0.001 | FileCheck %s --check-prefix=THREADS
// RUN: not pool-benchmark %s --threads=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pool-benchmark %s --path=none-such 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not pool-benchmark %s %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not pool-benchmark %s --benchmark_filter=none-such 2>&1 | FileCheck %s --check-prefix=FILTER
// RUN: not pool-benchmark 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: pool-benchmark --help | FileCheck %s --check-prefix=USAGE

// CHECK-NOT: ERROR
// CHECK: compile/maximum {{.*}} ms
// CHECK: first_call/maximum/iterations:3/manual_time {{.*}} us
// CHECK: run/maximum {{.*}} us {{.*}} bytes_per_second=
// CHECK: run/half {{.*}} us
// CHECK: run/unpool {{.*}} us
// CHECK-NOT: scalar
// CHECK-NOT: ERROR

// THREADS: run/half {{.*}} us
// ZERO: pool-benchmark: error: --threads takes a number from 1 to 1024
// PATH: pool-benchmark: error: --path=none-such: no path of --pool-to-llvm
// TWO: pool-benchmark: error: unknown argument
// FILTER: pool-benchmark: error: --benchmark_filter matches no benchmark
// USAGE: usage: pool-benchmark FILE.mlir

func.func @maximum(%x: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
    : tensor<?x3x?x?xf32> -> tensor<?x3x?x?xf32>
  return %0 : tensor<?x3x?x?xf32>
}

func.func @half(%x: tensor<1x2x6xbf16>, %y: tensor<1x2x6xui8>)
    -> (tensor<1x2x3xbf16>, tensor<1x2x3xui8>) {
  %0 = pool.avg_pool %x kernel [2] strides [2] : tensor<1x2x6xbf16> -> tensor<1x2x3xbf16>
  %1 = pool.max_pool %y kernel [2] strides [2] : tensor<1x2x6xui8> -> tensor<1x2x3xui8>
  return %0, %1 : tensor<1x2x3xbf16>, tensor<1x2x3xui8>
}

func.func @unpool(%v: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>)
    -> tensor<1x8x32x32xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x32x32xf32>
  return %0 : tensor<1x8x32x32xf32>
}

func.func @scalar(%i: index) -> index {
  return %i : index
}
