// pool-query must find pooling operations by name, by interface, and by the
// definitions of their operands, and extract them into a function.

// RUN: pool-query %s -c 'match hasOpName("pool.avg_pool")' | FileCheck %s --check-prefix=NAME
// RUN: pool-query %s -c 'match isWindowOp()' | FileCheck %s --check-prefix=WINDOW

// RUN: pool-query %s -c 'match getDefinitions(hasOpName("pool.avg_pool"), 2, true, false, false)' | FileCheck %s --check-prefix=DEFINITIONS
// RUN: pool-query %s -c 'match isWindowOp().extract("pooling")' | FileCheck %s --check-prefix=EXTRACT

// NAME:     Match #1:
// NAME:     pool.avg_pool
// NAME-NOT: Match #2:

// WINDOW:     Match #1:
// WINDOW:     pool.max_pool
// WINDOW:     Match #2:
// WINDOW:     pool.avg_pool
// WINDOW-NOT: Match #3:

// DEFINITIONS:     Match #1:
// DEFINITIONS:     pool.max_pool
// DEFINITIONS:     note: "root" binds here
// DEFINITIONS-NEXT: pool.avg_pool
// DEFINITIONS-NOT: Match #2:

// EXTRACT:      func.func @pooling(%[[X:.+]]: tensor<1x1x8x8xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>)
// EXTRACT-NEXT:   %[[MAX:.+]] = pool.max_pool %[[X]]
// EXTRACT-NEXT:   %[[AVG:.+]] = pool.avg_pool %[[MAX]]
// EXTRACT-NEXT:   return %[[MAX]], %[[AVG]]
func.func @both(%x: tensor<1x1x8x8xf32>) -> tensor<1x1x2x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x1x8x8xf32> -> tensor<1x1x4x4xf32>
  %1 = pool.avg_pool %0 kernel [2, 2] strides [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %1 : tensor<1x1x2x2xf32>
}
