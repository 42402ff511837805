// pool-arithmetic-to-linalg turns arithmetic on tensors into linalg.generic, so
// that it can be fused into pooling. Fast-math flags and the meaning must stay.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-arithmetic-to-linalg))' | FileCheck %s
// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-arithmetic-to-linalg,convert-pool-to-vector))' | FileCheck %s --check-prefix=FUSED

// CHECK: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[$SCALAR:.*]] = affine_map<(d0, d1, d2) -> ()>

// Splat constants become scalars. Fast-math flags stay.
// CHECK-LABEL: func.func @fused(
// CHECK-SAME:    %{{[^:]*}}: tensor<1x?x8xf32>, %[[B:[^:]*]]: tensor<1x?x7xf32>)
// CHECK:         %[[Y:.*]] = pool.max_pool
// CHECK-NOT:     tensor.dim %[[Y]]
// CHECK:         %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<1x?x7xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]]
// CHECK-SAME:      ins(%[[Y]], %[[B]] : {{.*}}) outs(%[[E]] :
// CHECK:           arith.addf %{{.*}}, %{{.*}} fastmath<nnan> : f32
// CHECK:         %{{.*}} = linalg.generic
// CHECK-SAME:      ins(%[[SUM]] :
// CHECK:           math.absf
// FUSED-LABEL: func.func @fused(
// FUSED-NOT:     linalg.generic
// FUSED:         return
func.func @fused(%x: tensor<1x?x8xf32>, %b: tensor<1x?x7xf32>) -> tensor<1x?x7xf32> {
  %y = pool.max_pool %x kernel [2] : tensor<1x?x8xf32> -> tensor<1x?x7xf32>
  %sum = arith.addf %y, %b fastmath<nnan> : tensor<1x?x7xf32>
  %r = math.absf %sum : tensor<1x?x7xf32>
  return %r : tensor<1x?x7xf32>
}

// CHECK-LABEL: func.func @constants(
// CHECK:         %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$SCALAR]], #[[$ID]]]
// CHECK-SAME:      ins(%{{.*}}, %[[TWO]] : tensor<1x1x2xf32>, f32)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
// CHECK:         linalg.generic
// CHECK:           arith.cmpf
// CHECK:           linalg.yield %{{.*}} : i1
// FUSED-LABEL: func.func @constants(
// FUSED-NOT:     linalg.generic
// FUSED:         arith.mulf
func.func @constants(%x: tensor<1x1x3xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x2xi1>) {
  %twos = arith.constant dense<2.0> : tensor<1x1x2xf32>
  %others = arith.constant dense<[[[1.0, 3.0]]]> : tensor<1x1x2xf32>
  %y = pool.max_pool %x kernel [2] : tensor<1x1x3xf32> -> tensor<1x1x2xf32>
  %a = arith.mulf %y, %twos : tensor<1x1x2xf32>
  %b = arith.addf %a, %others : tensor<1x1x2xf32>
  %c = arith.cmpf ogt, %b, %others : tensor<1x1x2xf32>
  return %b, %c : tensor<1x1x2xf32>, tensor<1x1x2xi1>
}

// Operations that are not elementwise, or not on tensors, stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     linalg.generic
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         arith.addf %{{.*}} : vector<4xf32>
func.func @others(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>, %s: f32, %v: vector<4xf32>)
    -> (tensor<4xf32>, f32, vector<4xf32>) {
  %a = arith.select %c, %x, %y : tensor<4xf32>
  %b = arith.addf %s, %s : f32
  %d = arith.addf %v, %v : vector<4xf32>
  return %a, %b, %d : tensor<4xf32>, f32, vector<4xf32>
}

// Softmax becomes a maximum, exponentials, a sum and divisions.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT:     linalg.softmax
// CHECK:         arith.maxnumf
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK:         arith.divf
func.func @softmax(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %e = tensor.empty() : tensor<2x6xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<2x6xf32>) outs(%e : tensor<2x6xf32>) -> tensor<2x6xf32>
  return %s : tensor<2x6xf32>
}

// Upstream's decomposition supports only tensors of floats.
// CHECK-LABEL: func.func @other_softmax(
// CHECK:         linalg.softmax
// CHECK:         linalg.softmax
func.func @other_softmax(%x: tensor<4xi32>, %b: memref<4xf32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %s = linalg.softmax dimension(0) ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  linalg.softmax dimension(0) ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)
  return %s : tensor<4xi32>
}
