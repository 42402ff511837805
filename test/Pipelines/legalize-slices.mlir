// pool-legalize-slices must rewrite slices, pads and concatenations that
// upstream passes would make invalid or compute wrongly. All others must stay.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-legalize-slices | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=LLVM
// LLVM-NOT: memrefCopy

// CHECK-LABEL: func.func @extract(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [%{{.*}}, 2, 1] [1, 1, 1] : tensor<4x2x8xf32> to tensor<?x2x1xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]] : tensor<?x2x1xf32> into tensor<?x2xf32>
func.func @extract(%x: tensor<4x2x8xf32>, %n: index) -> tensor<?x2xf32> {
  %s = tensor.extract_slice %x[0, 0, 0] [%n, 2, 1] [1, 1, 1]
      : tensor<4x2x8xf32> to tensor<?x2xf32>
  return %s : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @insert(
// CHECK: %[[S:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 2, 1]
// CHECK: tensor.insert_slice %[[S]] into %{{.*}} : tensor<?x2x1xf32> into tensor<4x2x8xf32>
func.func @insert(%x: tensor<?x2xf32>, %y: tensor<4x2x8xf32>, %n: index)
    -> tensor<4x2x8xf32> {
  %s = tensor.insert_slice %x into %y[0, 0, 0] [%n, 2, 1] [1, 1, 1]
      : tensor<?x2xf32> into tensor<4x2x8xf32>
  return %s : tensor<4x2x8xf32>
}

// CHECK-LABEL: func.func @parallel(
// CHECK: %[[S:.*]] = tensor.expand_shape
// CHECK-NEXT: scf.forall.in_parallel
// CHECK-NEXT: tensor.parallel_insert_slice %[[S]]
func.func @parallel(%x: tensor<?x2xf32>, %y: tensor<4x2x8xf32>, %n: index)
    -> tensor<4x2x8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %y) -> tensor<4x2x8xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i, 0, 0] [%n, 2, 1] [1, 1, 1]
          : tensor<?x2xf32> into tensor<4x2x8xf32>
    }
  }
  return %r : tensor<4x2x8xf32>
}

// These slices stay. For the first two, upstream drops the same dimensions as
// the type; the third has no unknown size.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @kept(%x: tensor<1x4x2x1xf32>, %y: tensor<4x4x2x2xf32>, %n: index)
    -> (tensor<?x2x1xf32>, tensor<?x2xf32>, tensor<4x2xf32>) {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, %n, 2, 1] [1, 1, 1, 1]
      : tensor<1x4x2x1xf32> to tensor<?x2x1xf32>
  %b = tensor.extract_slice %y[0, 0, 0, 0] [%n, 1, 1, 2] [1, 1, 1, 1]
      : tensor<4x4x2x2xf32> to tensor<?x2xf32>
  %c = tensor.extract_slice %x[0, 0, 0, 0] [1, 4, 2, 1] [1, 1, 1, 1]
      : tensor<1x4x2x1xf32> to tensor<4x2xf32>
  return %a, %b, %c : tensor<?x2x1xf32>, tensor<?x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @pad(
// CHECK-NOT: tensor.pad
// CHECK: tensor.generate %{{.*}} {
// CHECK: } : tensor<2x?xf32>
func.func @pad(%x: tensor<0x?xf32>, %v: f32) -> tensor<2x?xf32> {
  %p = tensor.pad %x low[2, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<0x?xf32> to tensor<2x?xf32>
  return %p : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[A:.*]]: tensor<3xf32>, %[[B:.*]]: tensor<0xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: %[[C:.*]] = tensor.concat dim(0) %[[A]], %[[A]]
// CHECK: return %[[A]], %[[E]], %[[C]]
func.func @concat(%a: tensor<3xf32>, %b: tensor<0xf32>)
    -> (tensor<3xf32>, tensor<0xf32>, tensor<6xf32>) {
  %0 = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<0xf32>) -> tensor<3xf32>
  %1 = tensor.concat dim(0) %b, %b : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %2 = tensor.concat dim(0) %a, %b, %a
      : (tensor<3xf32>, tensor<0xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<0xf32>, tensor<6xf32>
}

// The result has no elements, so it becomes an empty tensor. Its extent is the
// sum over all operands; operands without elements must not be left out of it.
// CHECK-LABEL: func.func @concat_of_nothing(
// CHECK-SAME: %[[B:[^ ]*]]: tensor<0x?xf32>)
// CHECK: %[[N:.*]] = affine.apply
// CHECK: tensor.empty(%[[N]]) : tensor<0x?xf32>
// CHECK-NOT: tensor.concat
func.func @concat_of_nothing(%a: tensor<0x1xf32>, %b: tensor<0x?xf32>) -> tensor<0x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<0x1xf32>, tensor<0x?xf32>) -> tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// In the whole pipeline, a clean-up pass meets a view of unknown strides, which
// must stay valid.
// LLVM: llvm.func @view(
func.func @view(%x: tensor<?x3x?x?xi16>) -> tensor<1x?x3x?x?xi16> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %y = tensor.cast %x : tensor<?x3x?x?xi16> to tensor<1x?x?x?xi16>
  %n = tensor.dim %y, %c1 : tensor<1x?x?x?xi16>
  %k = arith.divui %n, %c3 : index
  %h = tensor.dim %y, %c2 : tensor<1x?x?x?xi16>
  %w = tensor.dim %y, %c3 : tensor<1x?x?x?xi16>
  %z = tensor.expand_shape %y [[0], [1, 2], [3], [4]] output_shape [1, %k, 3, %h, %w]
      : tensor<1x?x?x?xi16> into tensor<1x?x3x?x?xi16>
  return %z : tensor<1x?x3x?x?xi16>
}
