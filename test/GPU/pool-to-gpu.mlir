// The pipeline pool-to-gpu must make kernels for each target (nvvm, rocdl,
// vulkan, opencl) in each format, with the options chip, features and block.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-gpu=target=nvvm | FileCheck %s --check-prefixes=CHECK,NVVM
// RUN: pool-opt %s --pool-to-gpu="target=nvvm chip=sm_90 features=+ptx83 block=64" | FileCheck %s --check-prefix=CHIP
// RUN: pool-opt %s --pool-to-gpu=target=rocdl | FileCheck %s --check-prefixes=CHECK,ROCDL
// RUN: pool-opt %s --pool-to-gpu=target=vulkan | FileCheck %s --check-prefixes=CHECK,VULKAN
// RUN: pool-opt %s --pool-to-gpu="target=vulkan format=bin" | FileCheck %s --check-prefixes=CHECK,BIN --implicit-check-not=spirv.module
// RUN: pool-opt %s --pool-to-gpu=target=opencl | FileCheck %s --check-prefixes=CHECK,BIN

// A maximum with its elementwise consumer is one kernel.
// CHECK-LABEL: func.func @max_relu(
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @max_relu_kernel::@max_relu_kernel
// CHECK-NOT: gpu.launch_func
// CHECK: return
// NVVM: gpu.binary @max_relu_kernel [#gpu.object<#nvvm.target<{{.*}}chip = "sm_80"{{.*}}assembly = "{{.*}}.entry max_relu_kernel
// CHIP: gpu.launch_func {{.*}} threads in (%c64
// CHIP: chip = "sm_90", features = "+ptx83"{{.*}}.target sm_90
// ROCDL: gpu.binary @max_relu_kernel [#gpu.object<#rocdl.target<chip = "gfx90a">{{.*}}assembly = "{{.*}}max_relu_kernel
// VULKAN: spirv.module @__spv__max_relu_kernel Logical GLSL450
// VULKAN: spirv.GlobalVariable @{{.*}} bind(0, 5) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
// VULKAN: spirv.ExecutionMode @max_relu_kernel "LocalSize", 128, 1, 1
// BIN: gpu.binary @max_relu_kernel [#gpu.object<#spirv.target_env<{{.*}}, bin = "\03\02#\07
func.func @max_relu(%x: tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32> {
  %p = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] : tensor<?x8x?x?xf32> -> tensor<?x8x?x?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %p, %c0 : tensor<?x8x?x?xf32>
  %h = tensor.dim %p, %c2 : tensor<?x8x?x?xf32>
  %w = tensor.dim %p, %c3 : tensor<?x8x?x?xf32>
  %e = tensor.empty(%n, %h, %w) : tensor<?x8x?x?xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%p : tensor<?x8x?x?xf32>) outs(%e : tensor<?x8x?x?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %m = arith.maximumf %v, %z : f32
    linalg.yield %m : f32
  } -> tensor<?x8x?x?xf32>
  return %r : tensor<?x8x?x?xf32>
}

// The scatter follows the zeros. It has a thread for each of 2 * 8 planes.
// CHECK-LABEL: func.func @unpool(
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// NVVM: gpu.binary @unpool_kernel_0 {{.*}}setp.gt.u32 {{[^;]+}}, 15;
func.func @unpool(%x: tensor<2x8x4x4xui8>, %at: tensor<2x8x4x4xi64>) -> tensor<2x8x8x8xui8> {
  %y = pool.max_unpool %x, %at axis 2 : tensor<2x8x4x4xui8>, tensor<2x8x4x4xi64> -> tensor<2x8x8x8xui8>
  return %y : tensor<2x8x8x8xui8>
}

// Drivers for Vulkan may not reassociate the sum.
// CHECK-LABEL: func.func @average(
// VULKAN: spirv.module @__spv__average_kernel
// VULKAN: spirv.FAdd {{.*}} {no_contraction} : f32
// VULKAN: spirv.FDiv {{.*}} {no_contraction} : f32
func.func @average(%x: tensor<2x8x4x4xf32>) -> tensor<2x8x2x2xf32> {
  %y = pool.avg_pool %x kernel [3, 3] : tensor<2x8x4x4xf32> -> tensor<2x8x2x2xf32>
  return %y : tensor<2x8x2x2xf32>
}

// The kernel computes with the offset, and Vulkan takes the whole argument.
// CHECK-LABEL: func.func @slice(
// VULKAN: spirv.module @__spv__slice_kernel
// VULKAN-DAG: spirv.GlobalVariable @{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
func.func @slice(%x: tensor<?x8x8x8xf32>, %at: index, %n: index) -> tensor<?x8x4x4xf32> {
  %s = tensor.extract_slice %x[%at, 0, 0, 0] [%n, 8, 8, 8] [1, 1, 1, 1] : tensor<?x8x8x8xf32> to tensor<?x8x8x8xf32>
  %y = pool.max_pool %s kernel [2, 2] strides [2, 2] : tensor<?x8x8x8xf32> -> tensor<?x8x4x4xf32>
  return %y : tensor<?x8x4x4xf32>
}

// PTX takes neither spaces nor dashes in names.
// CHECK-LABEL: func.func @"odd-name 1"(
// CHECK: gpu.launch_func @odd_name_1_kernel::@odd_name_1_kernel
func.func @"odd-name 1"(%x: tensor<2x8x4x4xf32>) -> tensor<2x8x2x2xf32> {
  %y = pool.max_pool %x kernel [3, 3] : tensor<2x8x4x4xf32> -> tensor<2x8x2x2xf32>
  return %y : tensor<2x8x2x2xf32>
}

// Windows on buffers need no conversion before.
// CHECK-LABEL: func.func @buffers(
// CHECK: gpu.launch_func @buffers_kernel::@buffers_kernel
func.func @buffers(%x: memref<2x8x4x4xf32>, %y: memref<2x8x2x2xf32>) {
  pool.window_reduce <max> ins(%x : memref<2x8x4x4xf32>) outs(%y : memref<2x8x2x2xf32>)
    kernel [3, 3] strides [1, 1] dilations [1, 1] pads_begin [0, 0] pads_end [0, 0]
  return
}
