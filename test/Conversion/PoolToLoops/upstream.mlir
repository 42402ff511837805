// pool.window_reduce on buffers has upstream's TilingInterface, so that
// upstream can make loops of it. Tests scf::lowerToLoopsUsingSCFForOp, which a
// transform op calls.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --transform-interpreter --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @max(
// CHECK-SAME: %[[X:.*]]: memref<1x2x8xf32>, %[[Y:.*]]: memref<1x2x4xf32>
// CHECK: scf.for %[[C:.*]] = %c0 to %c2
// CHECK: scf.for %[[O:.*]] = %c0 to %c4
// CHECK: %[[MAX:.*]] = scf.for %[[TAP:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[O]], %[[TAP]]]
// CHECK: memref.load %[[X]][%c0, %[[C]], %[[AT]]]
// CHECK: memref.store %[[MAX]], %[[Y]][%c0, %[[C]], %[[O]]]
// CHECK-NOT: pool.window_reduce <
func.func @max(%x: memref<1x2x8xf32>, %y: memref<1x2x4xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x2x8xf32>) outs(%y : memref<1x2x4xf32>)
    kernel [3] strides [2] dilations [1] pads_begin [1] pads_end [0]
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %window = transform.structured.match ops{["pool.window_reduce"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %window
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
