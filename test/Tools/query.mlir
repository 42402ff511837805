// pool-query finds pooling operations by name, by interface and by what
// defines them.

// RUN: pool-query %s -c 'match hasOpName("pool.avg_pool")' | FileCheck %s --check-prefix=NAME
// RUN: pool-query %s -c 'match isWindowOp()' | FileCheck %s --check-prefix=WINDOW

// NAME:     Match #1:
// NAME:     pool.avg_pool
// NAME-NOT: Match #2:

// WINDOW:     Match #1:
// WINDOW:     pool.max_pool
// WINDOW:     Match #2:
// WINDOW:     pool.avg_pool
// WINDOW-NOT: Match #3:
func.func @both(%x: tensor<1x1x8x8xf32>) -> tensor<1x1x2x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x8x8xf32> -> tensor<1x1x4x4xf32>
  %1 = pool.avg_pool %0 kernel [2, 2] strides [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %1 : tensor<1x1x2x2xf32>
}
