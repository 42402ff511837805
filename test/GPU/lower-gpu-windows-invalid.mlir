// pool-lower-gpu-windows must reject plans (`pool.plan`) that do not fit their
// operation, with the strategy and the reason.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-lower-gpu-windows --split-input-file --verify-diagnostics

func.func @sum(%x: memref<2x96x8xf32>, %y: memref<2x96x8xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: gpu-output: coordinates cannot be clamped: a sum counts each element once}}
  pool.window_reduce <sum> ins(%x : memref<2x96x8xf32>) outs(%y : memref<2x96x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output", clamp = true>}
  return
}

// -----

func.func @no_plane(%x: memref<2x96x8xf32>, %y: memref<2x96x6xf32>) {
  // expected-error@+1 {{gpu-subgroup: windows are no whole planes}}
  pool.window_reduce <sum> ins(%x : memref<2x96x8xf32>) outs(%y : memref<2x96x6xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [0]
    {pool.plan = #pool.plan<"gpu-subgroup", width = 32>}
  return
}

// -----

func.func @width(%x: memref<2x96x8xf32>, %y: memref<2x96x1xf32>) {
  // expected-error@+1 {{gpu-subgroup: width is 3, must be a power of two}}
  pool.window_reduce <sum> ins(%x : memref<2x96x8xf32>) outs(%y : memref<2x96x1xf32>)
    kernel [8] strides [1] dilations [1] pads_begin [0] pads_end [0]
    {pool.plan = #pool.plan<"gpu-subgroup", width = 3>}
  return
}

// -----

func.func @of_cpus(%x: memref<2x96x8xf32>, %y: memref<2x96x6xf32>) {
  // expected-error@+1 {{no strategy for this operation is named direct, only gpu-subgroup, gpu-output}}
  pool.window_reduce <max> ins(%x : memref<2x96x8xf32>) outs(%y : memref<2x96x6xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [0] pads_end [0]
    {pool.plan = #pool.plan<"direct", lanes = 4>}
  return
}
