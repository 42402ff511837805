// pool-to-gpu must reject options, types and functions that a target does not
// have. Each error must name what is missing, and for an operation its
// location.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: split-file %s %t
// RUN: not pool-opt %t/max.mlir --pool-to-gpu 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pool-opt %t/max.mlir --pool-to-gpu=target=cuda 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=nvvm format=spirv" 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=opencl format=isa" 2>&1 | FileCheck %s --check-prefix=OPENCL-FORMAT
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=nvvm chip=sm_11" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=rocdl features=+fast" 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=vulkan chip=gfx90a" 2>&1 | FileCheck %s --check-prefix=NO-CHIPS
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=vulkan host=true" 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=nvvm block=2000" 2>&1 | FileCheck %s --check-prefix=BLOCK

// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=nvvm chip=sm_100 features=+ptx60" 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=nvvm features=+sm_90" 2>&1 | FileCheck %s --check-prefix=NOT-PTX
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=rocdl chip=gfx704" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="target=rocdl features=+wavefrontsize32" 2>&1 | FileCheck %s --check-prefix=WAVES
// RUN: not pool-opt %t/max.mlir --pool-emit-kernels=target=foo 2>&1 | FileCheck %s --check-prefix=EMIT

// RUN: env ROCM_PATH=/nowhere not pool-opt %t/max.mlir --pool-to-gpu="target=rocdl format=bin" 2>&1 | FileCheck %s --check-prefix=LLD
// RUN: not pool-opt %t/max.mlir --pool-to-gpu="targets=nvvm" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: unknown option 'targets'; did you mean 'target'?
// NONE: unknown target '': target= is one of nvvm, rocdl, vulkan and opencl
// TARGET: unknown target 'cuda': target= is one of nvvm, rocdl, vulkan and opencl
// FORMAT: target=nvvm has no format 'spirv': format= is one of isa, bin
// OPENCL-FORMAT: target=opencl has no format 'isa': format= is one of spirv
// CHIP: unknown cpu 'sm_11' for target 'nvptx64-nvidia-cuda'
// FEATURE: unknown feature '+fast' for target 'amdgcn-amd-amdhsa'
// NO-CHIPS: target=vulkan has no chips or features: omit chip= and features=
// HOST: target=vulkan has no host code: host=true is for nvvm and rocdl
// BLOCK: block=2000 is not between 1 and 1024 threads
// PTX: chip=sm_100 needs features=+ptx86 or newer, and not +ptx60
// NOT-PTX: target=nvvm does not support '+sm_90': features= is a version of PTX, such as +ptx80
// OLD: target=rocdl has no chip 'gfx704': chip= is one from gfx801 on
// WAVES: target=rocdl does not support '+wavefrontsize32': features= may switch xnack, sramecc, cumode and tgsplit
// EMIT: unknown target 'foo': target= is one of nvvm, rocdl, vulkan and opencl
// LLD: target=rocdl format=bin links with ROCM_PATH/llvm/bin/ld.lld, and there is no /nowhere/llvm/bin/ld.lld: let ROCM_PATH name a folder that has one

// RUN: not pool-opt %t/host-reads.mlir --pool-to-gpu="target=nvvm host=true" 2>&1 | FileCheck %s --check-prefix=HOST-READS
// HOST-READS: host-reads.mlir:[[#]]:3: error: host=true expects buffers of kernels to be used by kernels alone, and returned

// RUN: not pool-opt %t/gaps.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=GAPS
// GAPS: gaps.mlir:6:10: error: {{.*}}a kernel for SPIR-V takes no buffer of dynamic shape or strides but whole ones and their slices: 'memref<8xf32, strided<[?], offset: ?>>'

// RUN: not pool-opt %t/bf16.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=BF16
// RUN: not pool-opt %t/bf16.mlir --pool-to-gpu=target=opencl 2>&1 | FileCheck %s --check-prefix=BF16
// RUN: not pool-opt %t/large.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not pool-opt %t/large-rows.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=LARGE-ROWS
// RUN: not pool-opt %t/i64.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=I128
// RUN: not pool-opt %t/norm-f64.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=POW64
// RUN: not pool-opt %t/root-f64.mlir --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=POW64
// RUN: env CUDA_HOME= CUDA_ROOT= CUDA_PATH=/nowhere not pool-opt %t/norm.mlir --pool-to-gpu=target=nvvm 2>&1 | FileCheck %s --check-prefix=LIBDEVICE
// RUN: env ROCM_PATH=/nowhere not pool-opt %t/norm.mlir --pool-to-gpu=target=rocdl 2>&1 | FileCheck %s --check-prefix=OCML
// RUN: pool-opt %t/root.mlir --pool-to-gpu=target=nvvm | FileCheck %s --check-prefix=ROOT

// BF16: bf16.mlir:2:8: error: {{.*}}target={{vulkan|opencl}} does not support bf16
// LARGE: {{.*}}target=vulkan does not support buffers of more than 2147483647 elements
// LARGE-ROWS: large-rows.mlir:2:8: error: {{.*}}target=vulkan does not support extents, strides and indices of more than 32 bits, such as {{[0-9]+}}
// I128: i64.mlir:2:8: error: {{.*}}target=vulkan does not support integers of more than 64 bits
// POW64: {{(norm|root)}}-f64.mlir:2:8: error: {{.*}}target=vulkan does not support powers, roots, exponentials and other such functions of f64
// LIBDEVICE: norm.mlir:2:8: error: {{.*}}target=nvvm needs __nv_powf of libdevice: let CUDA_HOME name a CUDA toolkit
// OCML: norm.mlir:2:8: error: {{.*}}target=rocdl needs __ocml_pow_f32 of ROCm's device libraries: let ROCM_PATH name
// ROOT: sqrt.rn.f32

//--- max.mlir
func.func @f(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x8x4x4xf32> -> tensor<1x8x2x2xf32>
  return %y : tensor<1x8x2x2xf32>
}

//--- bf16.mlir
func.func @f(%x: tensor<1x8x4x4xbf16>) -> tensor<1x8x2x2xbf16> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x8x4x4xbf16> -> tensor<1x8x2x2xbf16>
  return %y : tensor<1x8x2x2xbf16>
}

//--- i64.mlir
func.func @f(%x: tensor<1x8x4x4xi64>) -> tensor<1x8x2x2xi64> {
  %y = pool.avg_pool %x kernel [2, 2] strides [2, 2] : tensor<1x8x4x4xi64> -> tensor<1x8x2x2xi64>
  return %y : tensor<1x8x2x2xi64>
}

//--- norm-f64.mlir
func.func @f(%x: tensor<1x8x4x4xf64>) -> tensor<1x8x2x2xf64> {
  %y = pool.lp_pool %x kernel [2, 2] strides [2, 2] p 3 : tensor<1x8x4x4xf64> -> tensor<1x8x2x2xf64>
  return %y : tensor<1x8x2x2xf64>
}

//--- root-f64.mlir
func.func @f(%x: tensor<1x8x4x4xf64>) -> tensor<1x8x2x2xf64> {
  %y = pool.lp_pool %x kernel [2, 2] strides [2, 2] p 2 : tensor<1x8x4x4xf64> -> tensor<1x8x2x2xf64>
  return %y : tensor<1x8x2x2xf64>
}

//--- norm.mlir
func.func @f(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32> {
  %y = pool.lp_pool %x kernel [2, 2] strides [2, 2] p 3 : tensor<1x8x4x4xf32> -> tensor<1x8x2x2xf32>
  return %y : tensor<1x8x2x2xf32>
}

//--- root.mlir
func.func @f(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32> {
  %y = pool.lp_pool %x kernel [2, 2] strides [2, 2] p 2 : tensor<1x8x4x4xf32> -> tensor<1x8x2x2xf32>
  return %y : tensor<1x8x2x2xf32>
}

//--- large.mlir
func.func @f(%x: tensor<1x8x65536x8192xi8>) -> tensor<1x8x32768x4096xi8> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x8x65536x8192xi8> -> tensor<1x8x32768x4096xi8>
  return %y : tensor<1x8x32768x4096xi8>
}

//--- large-rows.mlir
func.func @f(%x: tensor<?x8589934592x64xf32>) -> tensor<?x8589934591x64xf32> {
  %y = pool.max_pool %x kernel [2] layout channels_last : tensor<?x8589934592x64xf32> -> tensor<?x8589934591x64xf32>
  return %y : tensor<?x8589934591x64xf32>
}

// The call would read the buffer through the cast before it is copied back.
//--- host-reads.mlir
func.func private @use(memref<?xf32>)
func.func @host_reads(%v: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %y = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %y[%i] : memref<8xf32>
  }
  %cast = memref.cast %y : memref<8xf32> to memref<?xf32>
  call @use(%cast) : (memref<?xf32>) -> ()
  return %y : memref<8xf32>
}

// The argument may have any strides, which a kernel for Vulkan does not get.
//--- gaps.mlir
func.func @gaps(%x: memref<8xf32, strided<[?], offset: ?>>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %x[%i] : memref<8xf32, strided<[?], offset: ?>>
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}
