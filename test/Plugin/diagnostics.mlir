// The stock mlir-opt with PoolPlugin.so must print the same messages of the
// verifier as pool-opt.
// UNSUPPORTED: sanitizer

// RUN: not mlir-opt %s --load-dialect-plugin=%pool_plugin 2>&1 | FileCheck %s

// CHECK: [[#@LINE+2]]:{{[0-9]+}}: error: 'pool.max_pool' op
func.func @zero_stride(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [0, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
