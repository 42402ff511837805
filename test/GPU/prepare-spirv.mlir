// pool-prepare-spirv changes kernels before upstream converts them to SPIR-V.
// They become entry points, loops without iterations must keep their initial
// values, and powers must be as in C. test/Integration/gpu_math.py compares
// numbers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-prepare-spirv | FileCheck %s

// CHECK: gpu.func @kernel(%{{.*}}, %[[N:.*]]: index, %[[INIT:.*]]: f32)
// CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [64, 1, 1]>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[C0]], %[[N]]
// CHECK: %[[SELECTED:.*]] = arith.select %[[RUNS]], %[[SUM]], %[[INIT]]
// CHECK: %[[KNOWN:.*]] = scf.for
// CHECK-NOT: arith.select
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[INIT]]
// CHECK: %[[POWER:.*]] = math.powf %[[MAGNITUDE]], %[[SELECTED]]
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[POWER]]
// CHECK-NOT: math.powf
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[INIT]], %[[SELECTED]]
// CHECK: arith.select %[[NAN]]
// CHECK: %[[BY_ZERO:.*]] = arith.cmpf oeq, %[[SELECTED]]
// CHECK: %[[MENDED:.*]] = arith.select %[[BY_ZERO]]
// CHECK: memref.store %[[MENDED]]
// CHECK: memref.store %[[SELECTED]]
// CHECK: memref.store %[[KNOWN]]
gpu.module @kernels {
  gpu.func @kernel(%x: memref<8xf32>, %n: index, %init: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> f32 {
      %v = memref.load %x[%i] : memref<8xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    %t = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %init) -> f32 {
      %v = memref.load %x[%i] : memref<8xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    %p = math.powf %init, %s : f32
    memref.store %p, %x[%c8] : memref<8xf32>
    memref.store %s, %x[%c0] : memref<8xf32>
    memref.store %t, %x[%c1] : memref<8xf32>
    gpu.return
  }
}
