// Pooling operations have no side effects. So upstream must be able to remove
// unused ones, merge equal ones, and hoist loop invariants.

// RUN: pool-opt %s --canonicalize --cse --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: func @unused(
// CHECK-NEXT:    return
func.func @unused(%x: tensor<1x2x8xf32>, %y: tensor<*xf32>) {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %1, %2 = pool.max_pool %x kernel [2]
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
  %3 = pool.avg_pool %y kernel [2] : tensor<*xf32> -> tensor<*xf32>
  return
}

// CHECK-LABEL: func @equal(
// CHECK:         %[[V:.+]] = pool.max_pool
// CHECK:         %[[A:.+]] = pool.avg_pool
// CHECK-NOT:     pool.
// CHECK:         return %[[V]], %[[V]], %[[A]], %[[A]]
func.func @equal(%x: tensor<1x2x?xf32>)
    -> (tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>,
        tensor<1x2x?xf32>) {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  %1 = pool.max_pool %x kernel [2] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  %2 = pool.avg_pool %x kernel [2] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  %3 = pool.avg_pool %x kernel [2] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
  return %0, %1, %2, %3 : tensor<1x2x?xf32>, tensor<1x2x?xf32>,
         tensor<1x2x?xf32>, tensor<1x2x?xf32>
}

// Operations with different properties are not merged.

// CHECK-LABEL: func @different(
// CHECK:         pool.max_pool %{{.+}} kernel [2] :
// CHECK:         pool.max_pool %{{.+}} kernel [2] nan_mode propagate :
// CHECK:         pool.max_pool %{{.+}} kernel [3] pads_end [1] :
// CHECK:         pool.max_pool %{{.+}} kernel [3] pads_end [1] pad_value zero :
// CHECK:         pool.max_pool %{{.+}} kernel [3] pads_begin [1] :
// CHECK:         pool.max_pool %{{.+}} kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
// CHECK:         pool.max_pool %{{.+}} kernel [2] axis 2 : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
func.func @different(%x: tensor<1x2x8xf32>)
    -> (tensor<1x2x7xf32>, tensor<1x2x7xf32>, tensor<1x2x7xf32>,
        tensor<1x2x7xf32>, tensor<1x2x7xf32>, tensor<1x2x7xi64>,
        tensor<1x2x7xi64>) {
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %1 = pool.max_pool %x kernel [2] nan_mode propagate
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %2 = pool.max_pool %x kernel [3] pads_end [1]
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %3 = pool.max_pool %x kernel [3] pads_end [1] pad_value zero
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %4 = pool.max_pool %x kernel [3] pads_begin [1]
     : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %5, %6 = pool.max_pool %x kernel [2]
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
  %7, %8 = pool.max_pool %x kernel [2] axis 2
         : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi64>
  return %0, %1, %2, %3, %4, %6, %8 : tensor<1x2x7xf32>, tensor<1x2x7xf32>,
         tensor<1x2x7xf32>, tensor<1x2x7xf32>, tensor<1x2x7xf32>,
         tensor<1x2x7xi64>, tensor<1x2x7xi64>
}

// CHECK-LABEL: func @loop_invariant(
// CHECK:         %[[V:.+]] = pool.max_pool
// CHECK:         scf.for
// CHECK-NOT:       pool.max_pool
// CHECK:           arith.addf %{{.+}}, %[[V]]
func.func @loop_invariant(%x: tensor<1x2x8xf32>, %init: tensor<1x2x7xf32>,
                          %count: index) -> tensor<1x2x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %init)
      -> tensor<1x2x7xf32> {
    %0 = pool.max_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
    %1 = arith.addf %acc, %0 : tensor<1x2x7xf32>
    scf.yield %1 : tensor<1x2x7xf32>
  }
  return %sum : tensor<1x2x7xf32>
}
