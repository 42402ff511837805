// PoolPlugin.so in the stock mlir-opt: the dialect must parse and verify, and
// its passes and pipelines must run beside upstream's. The test is unsupported
// with sanitizers, because mlir-opt lacks their runtime.
// UNSUPPORTED: sanitizer

// RUN: mlir-opt %s --load-dialect-plugin=%pool_plugin | FileCheck %s --check-prefix=PARSE
// RUN: mlir-opt %s --load-dialect-plugin=%pool_plugin --load-pass-plugin=%pool_plugin \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-pool-to-linalg{runtime-checks=true}),canonicalize)' \
// RUN:   | FileCheck %s --check-prefix=LINALG
// RUN: mlir-opt %s --load-dialect-plugin=%pool_plugin --load-pass-plugin=%pool_plugin \
// RUN:   --pass-pipeline='builtin.module(pool-to-llvm{path=linalg})' \
// RUN:   | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// PARSE-LABEL: func.func @max_pool(
// PARSE:         pool.max_pool %{{.*}} kernel [2, 2] strides [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>

// LINALG-LABEL: func.func @max_pool(
// LINALG-NOT:     pool.
// LINALG:         linalg.

// LLVM: define {{.*}} @max_pool(
func.func @max_pool(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
