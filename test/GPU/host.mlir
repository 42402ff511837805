// pool-to-gpu with host=true turns host code into calls of MLIR's runtime
// functions for GPUs. It must copy inputs to the device, launch the kernels,
// copy only results back, and free what it allocated.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-gpu="target=nvvm host=true" | mlir-translate --mlir-to-llvmir | FileCheck %s
// RUN: pool-opt %s --pool-to-gpu="target=rocdl host=true" | mlir-translate --mlir-to-llvmir | FileCheck %s
// RUN: pool-opt %s --pool-map-to-gpu --pool-device-buffers --verify-each | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: define {{.*}} @pool(
// CHECK: call ptr @mgpuStreamCreate()
// CHECK-DAG: call ptr @mgpuMemAlloc(
// CHECK-DAG: call void @mgpuMemcpy(
// CHECK: call void @mgpuLaunchKernel(
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuMemFree(
// CHECK: ret
func.func @pool(%x: tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<?x8x?x?xf32> -> tensor<?x8x?x?xf32>
  return %y : tensor<?x8x?x?xf32>
}

// The whole of the argument is copied, and the kernel takes its slice.
// Only the result is copied back.
// CHECK-LABEL: define {{.*}} @slice(
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuLaunchKernel(
// CHECK: call void @mgpuMemcpy(
// CHECK-NOT: call void @mgpuMemcpy(
// CHECK: ret
func.func @slice(%x: tensor<4x8x8x8xf32>) -> tensor<2x8x4x4xf32> {
  %s = tensor.extract_slice %x[1, 0, 0, 0] [2, 8, 8, 8] [1, 1, 1, 1] : tensor<4x8x8x8xf32> to tensor<2x8x8x8xf32>
  %y = pool.max_pool %s kernel [2, 2] strides [2, 2] : tensor<2x8x8x8xf32> -> tensor<2x8x4x4xf32>
  return %y : tensor<2x8x4x4xf32>
}

// The whole argument is on the device, and the kernel sees each plane as one
// dimension.
// CHECK-LABEL: define {{.*}} @global(
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuLaunchKernel(
// CHECK: call void @mgpuMemcpy(
// CHECK: ret
func.func @global(%x: tensor<?x8x4x6x8xf32>) -> tensor<?x8x1x1x1xf32> {
  %y = pool.avg_pool %x kernel [4, 6, 8] : tensor<?x8x4x6x8xf32> -> tensor<?x8x1x1x1xf32>
  return %y : tensor<?x8x1x1x1xf32>
}

// A constant is copied to the device and not back. Both operations are one
// kernel, because nothing stores to a constant.
// CHECK-LABEL: define {{.*}} @constant(
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuLaunchKernel(
// CHECK-NOT: call void @mgpuLaunchKernel(
// CHECK: call void @mgpuMemcpy(
// CHECK-NOT: call void @mgpuMemcpy(
// CHECK: ret
func.func @constant(%x: tensor<1x1x9xf32>) -> tensor<1x1x3xf32> {
  %c = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %y = pool.max_pool %x kernel [3] strides [3] : tensor<1x1x9xf32> -> tensor<1x1x3xf32>
  %z = arith.addf %y, %c : tensor<1x1x3xf32>
  return %z : tensor<1x1x3xf32>
}

// The host returns a view of its own buffer.
// CHECK-LABEL: define {{.*}} @view(
// CHECK: call void @mgpuMemcpy(
// CHECK: call void @mgpuLaunchKernel(
// CHECK: call void @mgpuMemcpy(
// CHECK: ret
func.func @view(%x: tensor<1x4x9xf32>) -> tensor<12xf32> {
  %y = pool.max_pool %x kernel [3] strides [3] : tensor<1x4x9xf32> -> tensor<1x4x3xf32>
  %z = tensor.collapse_shape %y [[0, 1, 2]] : tensor<1x4x3xf32> into tensor<12xf32>
  return %z : tensor<12xf32>
}

// What the host frees is not copied back.
// BUFFERS-LABEL: func.func @freed(
// BUFFERS: gpu.launch
// BUFFERS: memref.dealloc
// BUFFERS-NOT: gpu.memcpy
// BUFFERS: return
func.func @freed(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %v = memref.load %x[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<16xf32>
  }
  memref.dealloc %y : memref<16xf32>
  return
}

// Buffers between kernels stay on the device.
// BUFFERS-LABEL: func.func @between(
// BUFFERS-SAME: %[[X:.*]]: memref<?xf32>, %[[Z:.*]]: memref<64xf32>)
// BUFFERS-DAG: %[[DX:.*]] = gpu.alloc (%{{.*}}) : memref<?xf32>
// BUFFERS-DAG: gpu.memcpy  %[[DX]], %[[X]]
// BUFFERS-DAG: %[[DZ:.*]] = gpu.alloc () : memref<64xf32>
// BUFFERS-DAG: gpu.memcpy  %[[DZ]], %[[Z]]
// BUFFERS-DAG: %[[T:.*]] = gpu.alloc () : memref<64xf32>
// BUFFERS-DAG: %[[Y:.*]] = memref.alloc() : memref<64xf32>
// BUFFERS-DAG: %[[DY:.*]] = gpu.alloc () : memref<64xf32>
// BUFFERS-NOT: gpu.memcpy
// BUFFERS: gpu.launch
// BUFFERS: memref.load %[[DX]]
// BUFFERS: memref.store %{{.*}}, %[[T]]
// BUFFERS: memref.store %{{.*}}, %[[DZ]]
// BUFFERS: gpu.launch
// BUFFERS-DAG: gpu.memcpy  %[[Y]], %[[DY]]
// BUFFERS-DAG: gpu.memcpy  %[[Z]], %[[DZ]]
// BUFFERS-DAG: gpu.dealloc  %[[T]]
// BUFFERS-DAG: gpu.dealloc  %[[DX]]
// BUFFERS: return %[[Y]]
func.func @between(%x: memref<?xf32>, %z: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %t[%i] : memref<64xf32>
    memref.store %v, %z[%i] : memref<64xf32>
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %r = arith.subi %c63, %i : index
    %v = memref.load %t[%r] : memref<64xf32>
    memref.store %v, %y[%i] : memref<64xf32>
  }
  return %y : memref<64xf32>
}
