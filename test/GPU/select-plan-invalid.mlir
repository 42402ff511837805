// pool-select-plan for a GPU must reject pinned plans that do not fit, and
// options that are only for CPUs; for a CPU, it must reject options and plans
// for GPUs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-select-plan=target=nvptx64-nvidia-cuda --split-input-file --verify-diagnostics -o /dev/null
// RUN: not pool-opt %s --pool-select-plan --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not pool-opt %s --pool-select-plan="target=nvptx64-nvidia-cuda mcpu=sm_11" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pool-opt %s --pool-select-plan="target=nvptx64-nvidia-cuda vector-bits=256" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not pool-opt %s --pool-select-plan="target=amdgcn-amd-amdhsa costs=loop-ops:4" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not pool-opt %s --pool-select-plan="target=x86_64-linux-gnu block=256" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not pool-opt %s --pool-select-plan="target=nvptx64-nvidia-cuda block=-32" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not pool-opt %s --pool-select-plan="target=nvptx64-nvidia-cuda block=4096" 2>&1 | FileCheck %s --check-prefix=NUMBER

// CPU: no strategy for this operation is named gpu-output, only global, planes,
// CHIP: target=nvptx64-nvidia-cuda mcpu=sm_11: unknown cpu 'sm_11'
// OPTIONS: is a GPU: vector-bits and costs are for CPUs
// BLOCK: target=x86_64-linux-gnu is no GPU: block is for GPUs
// NUMBER: block={{-32|4096}} is not between 1 and 1024 threads

func.func @sum(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  // expected-error@+1 {{cannot be lowered by pool.plan: gpu-output: coordinates cannot be clamped: a sum counts each element once}}
  pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output", clamp = true>}
  return
}

// -----

func.func @other(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  // expected-error@+1 {{no strategy for this operation is named planes, only gpu-subgroup, gpu-output}}
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"planes">}
  return
}

// -----

func.func @parameter(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>) {
  // expected-error@+1 {{gpu-output: lanes is no parameter of it}}
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x8xf32>)
    kernel [3] strides [1] dilations [1] pads_begin [1] pads_end [1]
    {pool.plan = #pool.plan<"gpu-output", lanes = 4>}
  return
}

// -----

func.func @width(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x1x1xf32> {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: gpu-subgroup: width is 64, must be 32, that of the target's subgroups}}
  %y = pool.avg_pool %x kernel [8, 8] {pool.plan = #pool.plan<"gpu-subgroup", width = 64>} : tensor<1x3x8x8xf32> -> tensor<1x3x1x1xf32>
  return %y : tensor<1x3x1x1xf32>
}

// -----

func.func @part(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x2x2xf32> {
  // expected-error@+1 {{gpu-subgroup: windows are no whole planes}}
  %y = pool.avg_pool %x kernel [7, 7] {pool.plan = #pool.plan<"gpu-subgroup", width = 32>} : tensor<1x3x8x8xf32> -> tensor<1x3x2x2xf32>
  return %y : tensor<1x3x2x2xf32>
}

// -----

func.func @otherwise(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x1x1xf32> {
  // expected-error@+1 {{gpu-subgroup: it is for all extents: fallback has no meaning}}
  %y = pool.avg_pool %x kernel [8, 8] {pool.plan = #pool.plan<"gpu-subgroup", width = 32, fallback = #pool.plan<"gpu-output">>} : tensor<1x3x8x8xf32> -> tensor<1x3x1x1xf32>
  return %y : tensor<1x3x1x1xf32>
}
