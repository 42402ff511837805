// pool-reduce must make a module with pooling operations smaller while the test
// script still finds it interesting. The test does not use reduction-tree: in
// MLIR 22.1, it crashes on every function with a body, even with only
// upstream's dialects.

// RUN: pool-reduce %s --pass-pipeline='builtin.module( \
// RUN:   opt-reduction-pass{opt-pass=symbol-dce test=%S/Inputs/interesting-average.sh}, \
// RUN:   opt-reduction-pass{opt-pass=canonicalize test=%S/Inputs/interesting-average.sh})' \
// RUN:   | FileCheck %s

// A module without the average is not interesting, so the average must remain.
// RUN: pool-reduce %s --opt-reduction-pass='opt-pass=convert-pool-to-linalg test=%S/Inputs/interesting-average.sh' \
// RUN:   | FileCheck %s --check-prefix=KEPT

// CHECK-NOT:  func.func private @unrelated
// CHECK:      func.func @wanted
// CHECK-NOT:    pool.max_pool
// CHECK:        pool.avg_pool {{.*}} divisor kernel
// CHECK-NOT:    pool.

// KEPT:       func.func private @unrelated
// KEPT:       pool.max_pool
// KEPT:       pool.avg_pool
func.func private @unrelated(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

func.func @wanted(%x: tensor<1x1x8x8xf32>) -> tensor<1x1x5x5xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x8x8xf32> -> tensor<1x1x4x4xf32>
  %1 = pool.avg_pool %x kernel [2, 2] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] divisor kernel : tensor<1x1x8x8xf32> -> tensor<1x1x5x5xf32>
  return %1 : tensor<1x1x5x5xf32>
}
