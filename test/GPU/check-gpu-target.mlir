// pool-check-gpu-target must reject types and operations in kernels that a
// target cannot compute with, at their location. Otherwise later passes would
// fail without a location, or give wrong code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: split-file %s %t
// RUN: pool-opt %t/all.mlir --pool-check-gpu-target="target=nvvm chip=sm_80" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/all.mlir --pool-check-gpu-target="target=rocdl chip=gfx90a" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/all.mlir --pool-check-gpu-target="target=vulkan" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/all.mlir --pool-check-gpu-target="target=opencl" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/spirv.mlir --pool-check-gpu-target="target=vulkan" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/spirv.mlir --pool-check-gpu-target="target=opencl" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/spirv.mlir --pool-check-gpu-target="target=nvvm chip=sm_80" --split-input-file -o /dev/null
// RUN: pool-opt %t/vulkan.mlir --pool-check-gpu-target="target=vulkan" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pool-opt %t/vulkan.mlir --pool-check-gpu-target="target=nvvm chip=sm_80" --split-input-file -o /dev/null

//--- all.mlir
func.func @f(%x: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support floats other than f16,}}
    %v = memref.load %x[%tx] : memref<8xf8E4M3FN>
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support buffers of unknown rank}}
    %v = memref.cast %x : memref<*xf32> to memref<8xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: memref<8x8xf32, affine_map<(i, j) -> (i mod 2, j)>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support buffers whose layout is not one of strides}}
    %v = memref.load %x[%tx, %tx] : memref<8x8xf32, affine_map<(i, j) -> (i mod 2, j)>>
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: i200) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support integers of more than}}
    %v = arith.addi %x, %x : i200
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'arith.fptosi' of i1}}
    %v = arith.fptosi %x : f32 to i1
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.ipowi' of i32}}
    %v = math.ipowi %x, %x : i32
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.isnormal' of i1}}
    %v = math.isnormal %x : f32
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.ctlz' of index}}
    %v = math.ctlz %x : index
    gpu.terminator
  }
  return
}

//--- spirv.mlir
func.func @f(%x: i4) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support integers that do not have 1, 8, 16, 32 or 64 bits}}
    %v = arith.addi %x, %x : i4
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.erf' of f64}}
    %v = math.erf %x : f64
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.ctpop' of i1}}
    %v = math.ctpop %x : i1
    gpu.terminator
  }
  return
}

//--- vulkan.mlir
func.func @f(%x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support vectors}}
    %v = arith.addf %x, %x : vector<4xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'arith.addi' of i1}}
    %v = arith.addi %x, %x : i1
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.trunc' of f32}}
    %v = math.trunc %x : f32
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.atan2' of f32}}
    %v = math.atan2 %x, %x : f32
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support 'math.absi' of i64}}
    %v = math.absi %x : i64
    gpu.terminator
  }
  return
}

// -----

func.func @f(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{does not support powers, roots, exponentials and other such functions of f64}}
    %v = math.exp %x : f64
    gpu.terminator
  }
  return
}
