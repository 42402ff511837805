// Pinned plans that do not fit.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-select-gpu-plan --split-input-file --verify-diagnostics -o /dev/null

func.func @sum(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  // expected-error@+1 {{coordinates cannot be clamped: a sum counts each element once}}
  pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output", clamp = true>}
  return
}

// -----

func.func @other(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  // expected-error@+1 {{strategy "planes" is not for GPUs; use "gpu-output"}}
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"planes">}
  return
}

// -----

func.func @parameter(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  // expected-error@+1 {{strategy "gpu-output" has one parameter, the flag 'clamp', and not "lanes" = 4}}
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output", lanes = 4>}
  return
}
