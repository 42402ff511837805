// The remarks of convert-pool-to-linalg. For each operation, a remark names the
// op that results. If this is not a named op, the remark must say why. Without
// --remarks-filter, nothing is printed.

// RUN: pool-opt %s --convert-pool-to-linalg --remarks-filter=convert-pool-to-linalg \
// RUN:   -o /dev/null 2>&1 | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-linalg -o /dev/null 2>&1 | count 0

func.func @window_ops(%x: tensor<1x2x6x6xf32>, %u: tensor<1x2x6x6xui8>,
                      %d: tensor<1x2x6x6x6xf32>) {
  // CHECK: remarks.mlir:[[#@LINE+1]]:{{.*}} [Passed] Lowered | Category:convert-pool-to-linalg | Remark="pool.window_reduce lowered to linalg.pooling_nchw_max"
  %0 = pool.max_pool %x kernel [2, 2] nan_mode propagate
     : tensor<1x2x6x6xf32> -> tensor<1x2x5x5xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="named maxima propagate NaN, nan_mode is ignore", Remark="pool.window_reduce lowered to linalg.generic"
  %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x6xf32> -> tensor<1x2x5x5xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="no named op gives positions"
  %2, %3 = pool.max_pool %x kernel [2, 2] nan_mode propagate
     : tensor<1x2x6x6xf32> -> tensor<1x2x5x5xf32>, tensor<1x2x5x5xi64>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="named ops compute on signless integers"
  %4 = pool.max_pool %u kernel [2, 2]
     : tensor<1x2x6x6xui8> -> tensor<1x2x5x5xui8>
  // CHECK: [[#@LINE+1]]:{{.*}} Remark="pool.window_reduce lowered to linalg.pooling_nchw_sum"
  %5 = pool.avg_pool %x kernel [2, 2]
     : tensor<1x2x6x6xf32> -> tensor<1x2x5x5xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="there is no named op of this rank and layout"
  %6 = pool.avg_pool %d kernel [2, 2, 2]
     : tensor<1x2x6x6x6xf32> -> tensor<1x2x5x5x5xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="no named op sums powers"
  %7 = pool.lp_pool %x kernel [2, 2]
     : tensor<1x2x6x6xf32> -> tensor<1x2x5x5xf32>
  return
}

func.func @empty(%x: tensor<0x2x6xi8>) -> tensor<0x2x5xi8> {
  // CHECK: [[#@LINE+1]]:{{.*}} Remark="pool.window_reduce lowered to its output, which has no elements"
  %0 = pool.max_pool %x kernel [2] : tensor<0x2x6xi8> -> tensor<0x2x5xi8>
  return %0 : tensor<0x2x5xi8>
}

func.func @global(%x: tensor<1x2x?xf32>) {
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="the extent of its window is not known", Remark="pool.adaptive_avg_pool lowered to linalg.generic"
  %0 = pool.adaptive_avg_pool %x output_size [1]
     : tensor<1x2x?xf32> -> tensor<1x2x1xf32>
  return
}

func.func @others(%x: tensor<1x2x7xf32>, %g: tensor<1x2x6xf32>,
                  %i: tensor<1x2x6xi64>) {
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="its windows are not those of an ordinary operation", Remark="pool.adaptive_max_pool lowered to linalg.generic"
  %0 = pool.adaptive_max_pool %x output_size [4]
     : tensor<1x2x7xf32> -> tensor<1x2x4xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="no linalg op writes where an index says", Remark="pool.max_unpool lowered to loops"
  %1 = pool.max_unpool %g, %i axis 2
     : tensor<1x2x6xf32>, tensor<1x2x6xi64> -> tensor<1x2x7xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="no linalg op adds where an index says", Remark="pool.max_pool_grad lowered to loops"
  %2 = pool.max_pool_grad %x, %g, %i kernel [2] axis 2
     : tensor<1x2x7xf32>, tensor<1x2x6xf32>, tensor<1x2x6xi64>
     -> tensor<1x2x7xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} Reason="no linalg op adds to windows that overlap", Remark="pool.avg_pool_grad lowered to loops"
  %3 = pool.avg_pool_grad %g kernel [2]
     : tensor<1x2x6xf32> -> tensor<1x2x7xf32>
  return
}
