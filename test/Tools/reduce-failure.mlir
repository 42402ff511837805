// pool-reduce must make a module smaller while its lowering still fails. The
// operation that cannot be lowered must remain.

// RUN: not pool-opt %s --convert-pool-to-linalg 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: 'pool.avg_pool' op cannot be lowered

// RUN: pool-reduce %s --pass-pipeline='builtin.module( \
// RUN:   opt-reduction-pass{opt-pass=symbol-dce test=%S/Inputs/fails-to-lower.sh}, \
// RUN:   opt-reduction-pass{opt-pass=canonicalize test=%S/Inputs/fails-to-lower.sh})' \
// RUN:   | FileCheck %s

// CHECK-NOT:  func.func
// CHECK:      func.func @wanted
// CHECK-NOT:    pool.max_pool
// CHECK:        pool.avg_pool {{.*}} divisor kernel : tensor<*xf32>
// CHECK-NOT:    pool.
// CHECK-NOT:  func.func

func.func private @unrelated(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %0 = pool.max_pool %x kernel [2, 2] auto_pad same_upper : tensor<1x1x4x4xf32> -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

func.func private @helper(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %0 = func.call @unrelated(%x) : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

func.func @wanted(%x: tensor<1x1x8x8xf32>, %y: tensor<*xf32>) -> tensor<*xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x8x8xf32> -> tensor<1x1x4x4xf32>
  %1 = pool.max_pool %0 kernel [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x3x3xf32>
  %2 = pool.avg_pool %y kernel [2, 2] strides [2, 2] pads_begin [1, 1] divisor kernel : tensor<*xf32> -> tensor<*xf32>
  return %2 : tensor<*xf32>
}
