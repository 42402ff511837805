// Upstream's transform ops tile pooling of types that are quantised per axis.
// Tiling along another axis must work. Tiling along the quantised axis must be
// an error, because each of its elements has a scale of its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: scf.for
// CHECK: pool.window_reduce <max> {{.*}} outs({{.*}} : tensor<1x2x4xi8>)
// CHECK: quant.scast {{.*}} : tensor<1x2x4xi8> to tensor<1x2x4x!quant.uniform<i8:f32:1
!q = !quant.uniform<i8:f32:1, {0.5:3, 0.25:-2}>
func.func @rows(%x: tensor<1x2x17x!q>) -> tensor<1x2x16x!q> {
  %y = pool.max_pool %x kernel [2] : tensor<1x2x17x!q> -> tensor<1x2x16x!q>
  return %y : tensor<1x2x16x!q>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The number of channels is unknown, and a tile has all of them.
// CHECK-LABEL: func.func @unknown_channels(
// CHECK: scf.for
// CHECK: quant.scast {{.*}} : tensor<1x?x4xi8> to tensor<1x?x4x!quant.uniform<i8:f32:1
!q = !quant.uniform<i8:f32:1, {0.5:3, 0.25:-2}>
func.func @unknown_channels(%x: tensor<1x?x17x!q>) -> tensor<1x?x16x!q> {
  %y = pool.min_pool %x kernel [2] : tensor<1x?x17x!q> -> tensor<1x?x16x!q>
  return %y : tensor<1x?x16x!q>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.min_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

!q = !quant.uniform<i8:f32:1, {0.5:3, 0.25:-2}>
func.func @channels(%x: tensor<1x2x16x!q>) -> tensor<1x2x15x!q> {
  // expected-error @+3 {{'pool.max_pool' op cannot be tiled in dimension 1: each of its elements has a scale of its own}}
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %y = pool.max_pool %x kernel [2] : tensor<1x2x16x!q> -> tensor<1x2x15x!q>
  return %y : tensor<1x2x15x!q>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["pool.max_pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
