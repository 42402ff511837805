// Plans of windows for GPUs, and what convert-pool-to-loops makes of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-select-gpu-plan | FileCheck %s
// RUN: pool-opt %s --pool-select-gpu-plan --remarks-filter=pool-select-gpu-plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pool-opt %s --pool-select-gpu-plan --convert-pool-to-loops --lower-affine --canonicalize --cse | FileCheck %s --check-prefix=LOOPS

// REMARK: clamped coordinates give all threads the same code
// REMARK: taps outside of the input are left out, because a sum counts each element once

// All windows have three taps, at coordinates from 0 to 7.
// CHECK-LABEL: func.func @padded(
// CHECK: pool.plan = #pool.plan<"gpu-output", clamp = true>
// LOOPS-LABEL: func.func @padded(
// LOOPS-DAG: %[[C0:.*]] = arith.constant 0 : index
// LOOPS-DAG: %[[C1:.*]] = arith.constant 1 : index
// LOOPS-DAG: %[[C3:.*]] = arith.constant 3 : index
// LOOPS-DAG: %[[C7:.*]] = arith.constant 7 : index
// LOOPS: scf.for %{{.*}} = %[[C0]] to %[[C3]] step %[[C1]]
// LOOPS: %[[LOW:.*]] = arith.maxsi %{{.*}}, %[[C0]]
// LOOPS: %[[X:.*]] = arith.minsi %[[LOW]], %[[C7]]
// LOOPS: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %[[X]]]
func.func @padded(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
  return
}

// CHECK-LABEL: func.func @sum(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @sum(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
  return
}

// A clamped coordinate might lie between the taps of a dilated window.
// CHECK-LABEL: func.func @dilated(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @dilated(%x: memref<1x3x8xf32>, %y: memref<1x3x6xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x6xf32>)
    kernel [3] strides [1] dilations [2] pads_begin [1] pads_end [1]
  return
}

// The extent may be 0: then all windows are padding.
// CHECK-LABEL: func.func @maybe_empty(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @maybe_empty(%x: memref<1x3x?xf32>, %y: memref<1x3x?xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x3x?xf32>) outs(%y : memref<1x3x?xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [2] pads_end [2]
  return
}
