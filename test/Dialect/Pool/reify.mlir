// Upstream's passes must turn tensor.dim of a result into affine arithmetic on
// the input's extents, by the rule of the rounding. The operation itself is
// then removed.

// RUN: pool-opt %s --resolve-ranked-shaped-type-result-dims --cse --split-input-file | FileCheck %s
// RUN: pool-opt %s --resolve-shaped-type-result-dims --cse --split-input-file | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --resolve-shaped-type-result-dims --cse --split-input-file | FileCheck %t.mlir

// CHECK-DAG:   #[[$HEIGHT:.+]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-DAG:   #[[$WIDTH:.+]] = affine_map<()[s0] -> ((s0 - 3) floordiv 4 + 1)>
// CHECK-LABEL: func @floor(
// CHECK-SAME:    %[[X:.+]]: tensor<?x3x?x?xf32>)
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[C3:.+]] = arith.constant 3 : index
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[H:.+]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG:     %[[W:.+]] = tensor.dim %[[X]], %[[C3]]
// CHECK-DAG:     %[[OUT_H:.+]] = affine.apply #[[$HEIGHT]]()[%[[H]]]
// CHECK-DAG:     %[[OUT_W:.+]] = affine.apply #[[$WIDTH]]()[%[[W]]]
// CHECK-NOT:     pool.max_pool
// CHECK:         return %[[N]], %[[C3]], %[[OUT_H]], %[[OUT_W]]
func.func @floor(%x: tensor<?x3x?x?xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // floor((H + 1 - 3) / 2) + 1 and floor((W + 1 + 1 - 5) / 4) + 1.
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 4] dilations [1, 2]
         pads_begin [1, 1] pads_end [0, 1]
     : tensor<?x3x?x?xf32> -> tensor<?x?x?x?xf32>
  %n = tensor.dim %0, %c0 : tensor<?x?x?x?xf32>
  %c = tensor.dim %0, %c1 : tensor<?x?x?x?xf32>
  %h = tensor.dim %0, %c2 : tensor<?x?x?x?xf32>
  %w = tensor.dim %0, %c3 : tensor<?x?x?x?xf32>
  return %n, %c, %h, %w : index, index, index, index
}

// -----

// ceil, and ceil under valid, which has no pads

// CHECK-DAG:   #[[$EXPLICIT:.+]] = affine_map<()[s0] -> ((s0 + 1) ceildiv 2 + 1)>
// CHECK-DAG:   #[[$VALID:.+]] = affine_map<()[s0] -> ((s0 - 3) ceildiv 2 + 1)>
// CHECK-LABEL: func @ceil(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x?xf32>)
// CHECK:         %[[W:.+]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[A:.+]] = affine.apply #[[$EXPLICIT]]()[%[[W]]]
// CHECK-DAG:     %[[B:.+]] = affine.apply #[[$VALID]]()[%[[W]]]
// CHECK:         return %[[A]], %[[B]]
func.func @ceil(%x: tensor<1x3x?xf32>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %0 = pool.avg_pool %x kernel [3] strides [2] pads_begin [2] pads_end [2]
         rounding_type ceil divisor kernel
     : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  %1 = pool.avg_pool %x kernel [3] strides [2] pads_begin [2] pads_end [2]
         rounding_type ceil auto_pad valid divisor kernel
     : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  %a = tensor.dim %0, %c2 : tensor<1x3x?xf32>
  %b = tensor.dim %1, %c2 : tensor<1x3x?xf32>
  return %a, %b : index, index
}

// -----

// ceil_torch: the number of windows that start before the end padding, but at
// least the number of ceil minus one.

// CHECK-DAG:   #[[$STARTS:.+]] = affine_map<()[s0] -> ((s0 - 1) ceildiv 2 + 1, (s0 + 1) ceildiv 2)>
// CHECK-DAG:   #[[$LESS_ONE:.+]] = affine_map<()[s0, s1] -> ((s0 - 1) ceildiv 2, s1)>
// CHECK-LABEL: func @ceil_torch(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x?xf32>)
// CHECK:         %[[W:.+]] = tensor.dim %[[X]]
// CHECK:         %[[LEAST:.+]] = affine.min #[[$STARTS]]()[%[[W]]]
// CHECK:         %[[OUT:.+]] = affine.max #[[$LESS_ONE]]()[%[[W]], %[[LEAST]]]
// CHECK:         return %[[OUT]]
func.func @ceil_torch(%x: tensor<1x3x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.max_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
         rounding_type ceil_torch
     : tensor<1x3x?xf32> -> tensor<1x3x?xf32>
  %a = tensor.dim %0, %c2 : tensor<1x3x?xf32>
  return %a : index
}

// -----

// same_*: the result's extent is that of the input, or that of the input
// divided by the stride. Indices have the shape of the values.

// CHECK-DAG:   #[[$STRIDED:.+]] = affine_map<()[s0] -> (s0 ceildiv 3)>
// CHECK-LABEL: func @same(
// CHECK-SAME:    %[[X:.+]]: tensor<?x?x3xf32>)
// CHECK-DAG:     %[[C3:.+]] = arith.constant 3 : index
// CHECK-DAG:     %[[W:.+]] = tensor.dim %[[X]]
// CHECK-DAG:     %[[OUT:.+]] = affine.apply #[[$STRIDED]]()[%[[W]]]
// CHECK:         return %[[W]], %[[OUT]], %[[C3]]
func.func @same(%x: tensor<?x?x3xf32>) -> (index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0, %1 = pool.max_pool %x kernel [5] strides [3] auto_pad same_upper
             layout channels_last
         : tensor<?x?x3xf32> -> tensor<?x?x3xf32>, tensor<?x?x?xi32>
  %2, %3 = pool.max_pool %x kernel [5] strides [3] auto_pad same_lower
             same_output strided layout channels_last
         : tensor<?x?x3xf32> -> tensor<?x?x3xf32>, tensor<?x?x?xi32>
  %a = tensor.dim %1, %c1 : tensor<?x?x?xi32>
  %b = tensor.dim %2, %c1 : tensor<?x?x3xf32>
  %c = tensor.dim %3, %c2 : tensor<?x?x?xi32>
  return %a, %b, %c : index, index, index
}

// -----

// The result's extent is known, although its declared type does not show it.

// CHECK-LABEL: func @known(
// CHECK:         %[[C7:.+]] = arith.constant 7 : index
// CHECK:         return %[[C7]]
func.func @known(%x: tensor<1x3x8xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.max_pool %x kernel [2] : tensor<1x3x8xf32> -> tensor<?x?x?xf32>
  %a = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %a : index
}

// -----

// The extents of an unranked input are unknown at compile time. So the
// operation stays.

// CHECK-LABEL: func @unranked_input(
// CHECK:         %[[A:.+]] = pool.avg_pool %{{.+}} : tensor<*xf32> -> tensor<?x?x?xf32>
// CHECK:         tensor.dim %[[A]]
func.func @unranked_input(%x: tensor<*xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.avg_pool %x kernel [2] : tensor<*xf32> -> tensor<?x?x?xf32>
  %a = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %a : index
}

// -----

// CHECK-LABEL: func @unranked_result(
// CHECK:         %[[A:.+]] = pool.avg_pool %{{.+}} : tensor<1x3x?xf32> -> tensor<*xf32>
// CHECK:         tensor.dim %[[A]]
func.func @unranked_result(%x: tensor<1x3x?xf32>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %0 = pool.avg_pool %x kernel [2] : tensor<1x3x?xf32> -> tensor<*xf32>
  %1, %2 = pool.max_pool %x kernel [2]
         : tensor<1x3x?xf32> -> tensor<1x3x?xf32>, tensor<*xi64>
  %a = tensor.dim %0, %c2 : tensor<*xf32>
  %b = tensor.dim %1, %c2 : tensor<1x3x?xf32>
  return %a, %b : index, index
}
