// Upstream's value bounds (ValueBoundsOpInterface) must know the extents of
// results. Then the affine.min of two equal extents folds. ValueBoundsTest.cpp
// tests bounds that are numbers.

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(affine-simplify-min-max,canonicalize))' --split-input-file | FileCheck %s

// Batch and channels of the result are those of the input, even if they are
// unknown.

// CHECK-LABEL: func.func @batch(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x?x8xf32>
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[X]], %[[ZERO]]
// CHECK:         return %[[N]], %[[N]]
func.func @batch(%x: tensor<?x?x8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = pool.max_pool %x kernel [2] : tensor<?x?x8xf32> -> tensor<?x?x7xf32>
  %n = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %m = tensor.dim %0, %c0 : tensor<?x?x7xf32>
  %min = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%n, %m]
  return %min, %n : index, index
}

// -----

// The result of window_reduce has the extents of its output operand. Results of
// max_unpool and avg_pool_grad have the extents that operands give. The result
// of max_pool_grad has the input's extents.

// CHECK-LABEL: func.func @given(
// CHECK-SAME:    %[[N:[^:]+]]: index
// CHECK-NOT:     affine.max
// CHECK:         return %[[N]], %[[N]], %[[N]], %[[N]]
func.func @given(%n: index, %x: tensor<1x3x?xf32>, %i: tensor<1x3x?xi32>,
                 %g: tensor<1x3x?xf32>) -> (index, index, index, index) {
  %c2 = arith.constant 2 : index
  %init = tensor.empty(%n) : tensor<1x3x?xf32>
  %0 = pool.window_reduce <max> ins(%x : tensor<1x3x?xf32>)
         outs(%init : tensor<1x3x?xf32>) kernel [2] strides [1] dilations [1]
         pads_begin [0] pads_end [0] -> tensor<1x3x?xf32>
  %1 = pool.max_unpool %x, %i extents(%n)
     : tensor<1x3x?xf32>, tensor<1x3x?xi32> -> tensor<1x3x?xf32>
  %2 = pool.avg_pool_grad %g extents(%n) kernel [2]
     : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  %3 = pool.max_pool_grad %init, %g kernel [2]
     : tensor<1x3x?xf32>, tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  %d0 = tensor.dim %0, %c2 : tensor<1x3x?xf32>
  %d1 = tensor.dim %1, %c2 : tensor<1x3x?xf32>
  %d2 = tensor.dim %2, %c2 : tensor<1x3x?xf32>
  %d3 = tensor.dim %3, %c2 : tensor<1x3x?xf32>
  %m0 = affine.max affine_map<()[s0, s1] -> (s0, s1)>()[%n, %d0]
  %m1 = affine.max affine_map<()[s0, s1] -> (s0, s1)>()[%n, %d1]
  %m2 = affine.max affine_map<()[s0, s1] -> (s0, s1)>()[%n, %d2]
  %m3 = affine.max affine_map<()[s0, s1] -> (s0, s1)>()[%n, %d3]
  return %m0, %m1, %m2, %m3 : index, index, index, index
}
