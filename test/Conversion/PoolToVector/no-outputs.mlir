// convert-pool-to-vector and pool-to-llvm must not crash on an output without
// elements. A cast hides from the verifier that it has none. The code fails
// only at run time.

// RUN: pool-opt %s --split-input-file --convert-pool-to-vector | FileCheck %s
// RUN: pool-opt %s --split-input-file --pool-to-llvm -o /dev/null

// CHECK-LABEL: func @maximum(
// CHECK:         pool.max_pool
func.func @maximum(%x: tensor<1x2x8xf32>) -> tensor<1x2x?xf32> {
  %0 = tensor.cast %x : tensor<1x2x8xf32> to tensor<1x2x?xf32>
  %1 = pool.max_pool %0 kernel [9] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  return %1 : tensor<1x2x?xf32>
}

// -----

// CHECK-LABEL: func @average(
// CHECK:         pool.avg_pool
func.func @average(%x: tensor<1x2x5x8xf32>) -> tensor<1x2x?x?xf32> {
  %0 = tensor.cast %x : tensor<1x2x5x8xf32> to tensor<1x2x?x?xf32>
  %1 = pool.avg_pool %0 kernel [6, 3] strides [3, 1]
     : tensor<1x2x?x?xf32> -> tensor<1x2x?x?xf32>
  return %1 : tensor<1x2x?x?xf32>
}

// -----

// CHECK-LABEL: func @channels_last(
// CHECK:         pool.max_pool
func.func @channels_last(%x: tensor<1x5x8x32xi8>) -> (tensor<1x?x?x32xi8>, tensor<1x?x?x32xi32>) {
  %0 = tensor.cast %x : tensor<1x5x8x32xi8> to tensor<1x?x?x32xi8>
  %1:2 = pool.max_pool %0 kernel [6, 9] layout channels_last
     : tensor<1x?x?x32xi8> -> tensor<1x?x?x32xi8>, tensor<1x?x?x32xi32>
  return %1#0, %1#1 : tensor<1x?x?x32xi8>, tensor<1x?x?x32xi32>
}

// -----

// CHECK-LABEL: func @wide_sum(
func.func @wide_sum(%x: tensor<1x2x8xi64>) -> tensor<1x2x?xi64> {
  %0 = tensor.cast %x : tensor<1x2x8xi64> to tensor<1x2x?xi64>
  %1 = pool.avg_pool %0 kernel [20] strides [3]
     : tensor<1x2x?xi64> -> tensor<1x2x?xi64>
  return %1 : tensor<1x2x?xi64>
}
