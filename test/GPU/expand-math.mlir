// pool-expand-math replaces functions that Vulkan or OpenCL lack, such as erf,
// by polynomials or other functions. Targets with a library must keep the
// functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-gpu=target=vulkan | FileCheck %s --check-prefixes=CHECK,VULKAN
// RUN: pool-opt %s --pool-to-gpu=target=opencl | FileCheck %s
// RUN: pool-opt %s --pool-expand-math=target=vulkan | FileCheck %s --check-prefix=EXPAND
// RUN: pool-opt %s --pool-expand-math=target=nvvm | FileCheck %s --check-prefix=LIBRARY

// CHECK-LABEL: func.func @functions(
// CHECK: gpu.launch_func
// VULKAN: spirv.module @__spv__functions_kernel
// VULKAN: spirv.GL.FAbs {{.*}} : f64
func.func @functions(%x: tensor<8xf16>, %d: tensor<8xf64>) -> (tensor<8xf16>, tensor<8xf64>) {
  %y = math.erf %x : tensor<8xf16>
  %z = math.erfc %y : tensor<8xf16>
  %r = math.exp2 %z : tensor<8xf16>
  %a = math.absf %d : tensor<8xf64>
  return %r, %a : tensor<8xf16>, tensor<8xf64>
}

// EXPAND-LABEL: func.func @numbers(
// EXPAND-NOT: math.{{erf|exp2}}
// EXPAND: math.exp %
// EXPAND-NOT: math.{{erf|exp2}}
// LIBRARY-LABEL: func.func @numbers(
// LIBRARY: math.erf
// LIBRARY: math.exp2
// LIBRARY: math.erfc
func.func @numbers(%x: f32, %z: f16) -> (f32, f16) {
  %y = math.erf %x : f32
  %e = math.exp2 %y : f32
  %a = math.erfc %z : f16
  return %e, %a : f32, f16
}
