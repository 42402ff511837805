// pool-strip-quant-types: operations that only move quantised elements (such as
// loops and slices) must move the stored integers instead, since no later pass
// knows quantised types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-strip-quant-types | FileCheck %s
// RUN: pool-opt %s --pass-pipeline='builtin.module(pool-tile-chains{grid=1,2},pool-to-llvm)' | FileCheck %s --check-prefix=LLVM
// RUN: pool-opt %s --pass-pipeline='builtin.module(pool-tile-chains{grid=1,2},pool-to-llvm{path=linalg})' | FileCheck %s --check-prefix=LLVM

!q = !quant.uniform<i8:f32, 0.5>

// CHECK-LABEL: func.func @loop(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x1x8xi8>) -> tensor<1x1x7xi8>
// CHECK-DAG:     %[[E:.*]] = tensor.empty() : tensor<1x1x7xi8>
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %[[E]]) -> (tensor<1x1x7xi8>)
// CHECK:           %[[S:.*]] = tensor.extract_slice %{{.*}} : tensor<1x1x8xi8> to tensor<1x1x3xi8>
// CHECK:           %[[Q:.*]] = quant.scast %[[S]]
// CHECK:           %[[Y:.*]] = pool.max_pool %[[Q]]
// CHECK:           %[[I:.*]] = quant.scast %[[Y]]
// CHECK:           tensor.insert_slice %[[I]] into %[[A]]
// CHECK:           scf.yield %{{.*}} : tensor<1x1x7xi8>
// CHECK-NOT:     quant.scast
// CHECK:         return
// LLVM-LABEL:  llvm.func @loop(
func.func @loop(%x: tensor<1x1x8x!q>) -> tensor<1x1x7x!q> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<1x1x7x!q>
  %l = scf.for %i = %c0 to %c6 step %c2 iter_args(%a = %e) -> tensor<1x1x7x!q> {
    %s = tensor.extract_slice %x[0, 0, %i] [1, 1, 3] [1, 1, 1] : tensor<1x1x8x!q> to tensor<1x1x3x!q>
    %y = pool.max_pool %s kernel [2] : tensor<1x1x3x!q> -> tensor<1x1x2x!q>
    %n = tensor.insert_slice %y into %a[0, 0, %i] [1, 1, 2] [1, 1, 1] : tensor<1x1x2x!q> into tensor<1x1x7x!q>
    scf.yield %n : tensor<1x1x7x!q>
  }
  return %l : tensor<1x1x7x!q>
}

// CHECK-LABEL: func.func @blocks(
// CHECK:         cf.cond_br %{{.*}}, ^[[NEXT:.*]](%{{.*}} : tensor<4xi8>), ^[[NEXT]](%{{.*}} : tensor<4xi8>)
// CHECK:       ^[[NEXT]](%{{.*}}: tensor<4xi8>):
// LLVM-LABEL:  llvm.func @blocks(
func.func @blocks(%c: i1, %x: tensor<4x!q>, %y: tensor<4x!q>) -> tensor<4x!q> {
  cf.cond_br %c, ^next(%x : tensor<4x!q>), ^next(%y : tensor<4x!q>)
^next(%r: tensor<4x!q>):
  return %r : tensor<4x!q>
}

// CHECK-LABEL: func.func @call(
// CHECK:         call @blocks(%{{.*}}) : (i1, tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
// CHECK:         constant @blocks : (i1, tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
func.func @call(%c: i1, %x: tensor<4x!q>) -> tensor<4x!q> {
  %r = call @blocks(%c, %x, %x) : (i1, tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  %f = constant @blocks : (i1, tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
  return %r : tensor<4x!q>
}

// pool-tile-chains turns this pooling into tiles of window_reduce.
// CHECK-LABEL: func.func @partitioned(
// LLVM-LABEL:  llvm.func @partitioned(
func.func @partitioned(%x: tensor<1x2x8x!q>) -> tensor<1x2x7x!q> {
  %y = pool.max_pool %x kernel [2] : tensor<1x2x8x!q> -> tensor<1x2x7x!q>
  return %y : tensor<1x2x7x!q>
}

// The lowering reads the extents of a quantised tensor.
// CHECK-LABEL: func.func @extents(
// LLVM-LABEL:  llvm.func @extents(
func.func @extents(%x: tensor<?x?x?x!q>) -> tensor<?x?x?xi32> {
  %v, %i = pool.min_pool %x kernel [3] axis 1 : tensor<?x?x?x!q> -> tensor<?x?x?x!q>, tensor<?x?x?xi32>
  %y = arith.muli %i, %i : tensor<?x?x?xi32>
  return %y : tensor<?x?x?xi32>
}
