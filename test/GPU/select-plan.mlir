// The plans that pool-select-plan writes for windows on each kind of GPU, with
// the remarks, and the loops that pool-lower-gpu-windows makes of them. Only
// whole planes may be given to a subgroup of threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-select-plan="target=nvptx64-nvidia-cuda mcpu=sm_90" | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: pool-opt %s --pool-select-plan="target=amdgcn-amd-amdhsa mcpu=gfx90a" | FileCheck %s --check-prefixes=CHECK,WAVE64
// RUN: pool-opt %s --pool-select-plan="target=amdgcn-amd-amdhsa mcpu=gfx1100" | FileCheck %s --check-prefixes=CHECK,WAVE32
// RUN: pool-opt %s --pool-select-plan="target=amdgcn-amd-amdhsa mcpu=gfx1100 mattr=+wavefrontsize64" | FileCheck %s --check-prefixes=CHECK,WAVE64
// RUN: pool-opt %s --pool-select-plan=target=spirv-unknown-vulkan | FileCheck %s --check-prefixes=CHECK,SPIRV
// RUN: pool-opt %s --pool-select-plan=target=spirv64v1.2-unknown-unknown | FileCheck %s --check-prefixes=CHECK,SPIRV
// RUN: pool-opt %s --pool-select-plan=target=nvptx64-nvidia-cuda --remarks-filter=pool-select-plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pool-opt %s --pool-select-plan=target=spirv-unknown-vulkan --remarks-filter=pool-select-plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPIRV-REMARK
// RUN: pool-opt %s --pool-select-plan="target=nvptx64-nvidia-cuda block=100" --remarks-filter=pool-select-plan -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCK-REMARK
// RUN: pool-opt %s --pool-select-plan=target=nvptx64-nvidia-cuda --pool-lower-gpu-windows --convert-pool-to-loops --lower-affine --canonicalize --cse | FileCheck %s --check-prefix=LOOPS

// REMARK: [Analysis] Rejected {{.*}}"windows are no whole planes"{{.*}} not lowered by gpu-subgroup
// REMARK: [Passed] Planned {{.*}}"3.00 loads and shuffles of a thread; clamped coordinates give all threads the same code"
// REMARK: taps outside of the input are left out, because a sum counts each element once
// REMARK: taps outside of the input are left out, because its windows are dilated and padded
// REMARK: taps outside of the input are left out, because a window may contain only padding
// REMARK: windows have no padding
// REMARK: taps outside of the input are left out, because rows of more than 14 taps with clamped coordinates are not unrolled
// REMARK: rows of more than 10 taps with clamped coordinates are not unrolled
// REMARK: [Analysis] Rejected {{.*}}"it takes 49.00 loads and shuffles of a thread, gpu-subgroup 7.00"{{.*}} not lowered by gpu-output
// REMARK: [Passed] Planned {{.*}}"7.00 loads and shuffles of a thread; neighbouring threads read neighbouring elements"
// REMARK: planes leave most threads of a subgroup idle
// REMARK: extents are unknown, so windows may be no whole planes
// REMARK: threads of neighbouring channels read neighbouring elements
// REMARK: pool.uniform_sums asks for another order of additions
// REMARK: it takes 21.00 loads and shuffles of a thread, gpu-output 16.00
// REMARK: it is in a loop, whose iterations become threads
// REMARK: [Missed] LeftAlone {{.*}}"its loops become kernels without a plan"
// BLOCK-REMARK: a block of 100 threads is no whole number of subgroups of 32
// SPIRV-REMARK: subgroups of this target have no fixed width

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

// CHECK-LABEL: func.func @no_padding(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @no_padding(%x: memref<1x3x8xf32>, %y: memref<1x3x4xf32>) {
  pool.window_reduce <max> ins(%x : memref<1x3x8xf32>) outs(%y : memref<1x3x4xf32>)
    kernel [2] strides [2] dilations [1] pads_begin [0] pads_end [0]
  return
}

// CHECK-LABEL: func.func @rows_of_14(
// CHECK: pool.plan = #pool.plan<"gpu-output", clamp = true>
func.func @rows_of_14(%x: tensor<1x3x32x32xf32>) -> tensor<1x3x32x32xf32> {
  %y = pool.max_pool %x kernel [31, 14] pads_begin [15, 7] pads_end [15, 6] : tensor<1x3x32x32xf32> -> tensor<1x3x32x32xf32>
  return %y : tensor<1x3x32x32xf32>
}

// CHECK-LABEL: func.func @rows_of_15(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @rows_of_15(%x: tensor<1x3x32x32xf32>) -> tensor<1x3x32x32xf32> {
  %y = pool.max_pool %x kernel [3, 15] pads_begin [1, 7] pads_end [1, 7] : tensor<1x3x32x32xf32> -> tensor<1x3x32x32xf32>
  return %y : tensor<1x3x32x32xf32>
}

// CHECK-LABEL: func.func @unknown_rows_of_11(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @unknown_rows_of_11(%x: tensor<1x3x32x?xf32>) -> tensor<1x3x32x?xf32> {
  %y = pool.max_pool %x kernel [3, 11] pads_begin [1, 5] pads_end [1, 5] : tensor<1x3x32x?xf32> -> tensor<1x3x32x?xf32>
  return %y : tensor<1x3x32x?xf32>
}

// CHECK-LABEL: func.func @global(
// NVIDIA: pool.plan = #pool.plan<"gpu-subgroup", width = 32>
// WAVE64: pool.plan = #pool.plan<"gpu-subgroup", width = 64>
// WAVE32: pool.plan = #pool.plan<"gpu-subgroup", width = 32>
// SPIRV: pool.plan = #pool.plan<"gpu-output">
func.func @global(%x: tensor<?x3x7x7xf32>) -> tensor<?x3x1x1xf32> {
  %y = pool.avg_pool %x kernel [7, 7] : tensor<?x3x7x7xf32> -> tensor<?x3x1x1xf32>
  return %y : tensor<?x3x1x1xf32>
}

// CHECK-LABEL: func.func @global_indices(
// NVIDIA: pool.plan = #pool.plan<"gpu-subgroup", width = 32>
func.func @global_indices(%x: tensor<2x3x100xi8>) -> (tensor<2x3x1xi8>, tensor<2x3x1xi64>) {
  %y, %i = pool.max_pool %x kernel [100] axis 2 : tensor<2x3x100xi8> -> tensor<2x3x1xi8>, tensor<2x3x1xi64>
  return %y, %i : tensor<2x3x1xi8>, tensor<2x3x1xi64>
}

// CHECK-LABEL: func.func @small_plane(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @small_plane(%x: tensor<1x3x2x2xf32>) -> tensor<1x3x1x1xf32> {
  %y = pool.avg_pool %x kernel [2, 2] : tensor<1x3x2x2xf32> -> tensor<1x3x1x1xf32>
  return %y : tensor<1x3x1x1xf32>
}

// CHECK-LABEL: func.func @unknown_plane(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @unknown_plane(%x: tensor<1x3x?x?xf32>) -> tensor<1x3x?x?xf32> {
  %y = pool.avg_pool %x kernel [7, 7] : tensor<1x3x?x?xf32> -> tensor<1x3x?x?xf32>
  return %y : tensor<1x3x?x?xf32>
}

// CHECK-LABEL: func.func @channels_last(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @channels_last(%x: tensor<1x7x7x3xf32>) -> tensor<1x1x1x3xf32> {
  %y = pool.avg_pool %x kernel [7, 7] layout channels_last : tensor<1x7x7x3xf32> -> tensor<1x1x1x3xf32>
  return %y : tensor<1x1x1x3xf32>
}

// CHECK-LABEL: func.func @uniform_sums(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @uniform_sums(%x: tensor<1x3x7x7xf32>) -> tensor<1x3x1x1xf32> {
  %y = pool.avg_pool %x kernel [7, 7] {pool.uniform_sums} : tensor<1x3x7x7xf32> -> tensor<1x3x1x1xf32>
  return %y : tensor<1x3x1x1xf32>
}

// Values and indices are two words each, so a subgroup has 20 shuffles.
// CHECK-LABEL: func.func @wide_indices(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @wide_indices(%x: tensor<2x2x4x4xf64>) -> (tensor<2x2x1x1xf64>, tensor<2x2x1x1xi64>) {
  %y, %i = pool.max_pool %x kernel [4, 4] axis 2 : tensor<2x2x4x4xf64> -> tensor<2x2x1x1xf64>, tensor<2x2x1x1xi64>
  return %y, %i : tensor<2x2x1x1xf64>, tensor<2x2x1x1xi64>
}

// CHECK-LABEL: func.func @tile(
// CHECK: pool.plan = #pool.plan<"gpu-output">
func.func @tile(%x: tensor<4x3x7x7xf32>, %y: tensor<4x3x1x1xf32>) -> tensor<4x3x1x1xf32> {
  %z = scf.forall (%n) in (4) shared_outs(%out = %y) -> tensor<4x3x1x1xf32> {
    %slice = tensor.extract_slice %x[%n, 0, 0, 0] [1, 3, 7, 7] [1, 1, 1, 1] : tensor<4x3x7x7xf32> to tensor<1x3x7x7xf32>
    %max = pool.max_pool %slice kernel [7, 7] : tensor<1x3x7x7xf32> -> tensor<1x3x1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %max into %out[%n, 0, 0, 0] [1, 3, 1, 1] [1, 1, 1, 1] : tensor<1x3x1x1xf32> into tensor<4x3x1x1xf32>
    }
  }
  return %z : tensor<4x3x1x1xf32>
}

// CHECK-LABEL: func.func @unpool(
// CHECK-NOT: pool.plan
func.func @unpool(%x: tensor<1x3x2x2xf32>, %i: tensor<1x3x2x2xi64>) -> tensor<1x3x4x4xf32> {
  %y = pool.max_unpool %x, %i axis 2 : tensor<1x3x2x2xf32>, tensor<1x3x2x2xi64> -> tensor<1x3x4x4xf32>
  return %y : tensor<1x3x4x4xf32>
}

// SPIRV-REMARK: [Missed] LeftAlone {{.*}}"its code works on buffers already", Remark="pool.on_buffers left alone"
func.func @on_buffers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = pool.on_buffers ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
