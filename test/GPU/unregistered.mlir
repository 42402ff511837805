// The GPU passes on operations that are not registered, and so have no dialect
// to ask. The passes must not crash. Such operations stay on the host; in a
// kernel they must be errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: split-file %s %t
// RUN: pool-opt %t/function.mlir --allow-unregistered-dialect --pool-expand-math=target=vulkan | FileCheck %s --check-prefix=EXPAND
// RUN: pool-opt %t/function.mlir --allow-unregistered-dialect --pool-expand-math=target=opencl | FileCheck %s --check-prefix=EXPAND
// RUN: not pool-opt %t/function.mlir --allow-unregistered-dialect --pool-to-gpu=target=nvvm 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not pool-opt %t/function.mlir --allow-unregistered-dialect --pool-to-gpu=target=rocdl 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not pool-opt %t/function.mlir --allow-unregistered-dialect --pool-to-gpu=target=vulkan 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not pool-opt %t/function.mlir --allow-unregistered-dialect --pool-to-gpu=target=opencl 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: pool-opt %t/loop.mlir --allow-unregistered-dialect --pool-map-to-gpu | FileCheck %s --check-prefix=MAP
// RUN: not pool-opt %t/kernel.mlir --allow-unregistered-dialect --pool-check-gpu-target=target=vulkan 2>&1 | FileCheck %s --check-prefix=CHECK-TARGET
// RUN: not pool-opt %t/kernel.mlir --allow-unregistered-dialect --pool-check-gpu-target="target=nvvm chip=sm_80" 2>&1 | FileCheck %s --check-prefix=CHECK-TARGET

// EXPAND: "other.size"
// EXPAND-NOT: math.erf
// PIPELINE: function.mlir:2:8: error: 'other.size' op is not lowered: it is not registered
//--- function.mlir
func.func @f(%x: f32) -> f32 {
  %n = "other.size"() : () -> index
  %y = math.erf %x : f32
  return %y : f32
}

// The kernel uses the value, whose operation stays outside.
// MAP: %[[OTHER:.*]] = "other.value"
// MAP: gpu.launch
// MAP: memref.store %[[OTHER]]
//--- loop.mlir
func.func @f(%y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = "other.value"() : () -> f32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}

// CHECK-TARGET: kernel.mlir:5:10: error: target={{vulkan|nvvm}} does not support 'other.value', which is not registered
//--- kernel.mlir
func.func @f() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = "other.value"() : () -> f32
    gpu.terminator
  }
  return
}
