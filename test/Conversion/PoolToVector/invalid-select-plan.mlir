// pool-select-plan must keep plans that are pinned by hand and fit. Like the
// conversion, it must reject pinned plans that do not fit, and wrong options.

// RUN: pool-opt %s --pool-select-plan --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not pool-opt %s --pool-select-plan=vector-bits=100 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not pool-opt %s --pool-select-plan="target=x86_64-linux-gnu mcpu=nothing" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not pool-opt %s --pool-select-plan=costs=loop-ops:4,tap-ops:3 2>&1 | FileCheck %s --check-prefix=WEIGHT
// RUN: not pool-opt %s --pool-select-plan=costs=loop-ops:-4 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not pool-opt %s --pool-select-plan=costs=loop-ops 2>&1 | FileCheck %s --check-prefix=NUMBER

// BITS: error: vector-bits must be a power of two from 64 to 65536, but is 100
// CPU: error: {{.*}}unknown cpu 'nothing'
// WEIGHT: error: costs has 'tap-ops:3', which must be NAME:NUMBER, with a name of loop-ops, stage-ops,
// VALUE: error: costs has 'loop-ops:-4', whose value must be a finite number that is not negative
// NUMBER: error: costs has 'loop-ops', whose value must be a finite number that is not negative

// CHECK-LABEL: func.func @pinned(
// CHECK:         {pool.plan = #pool.plan<"direct", lanes = 2>}
func.func @pinned(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// -----

func.func @window(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 3, must be a power of two up to 16}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 3>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// -----

func.func @on_buffers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error@+1 {{'pool.on_buffers' op cannot be lowered by pool.plan: its code works on buffers already}}
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %c0 = arith.constant 0 : index
    %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %lanes, %out[%c0] : memref<8xf32>, vector<8xf32>
  } {pool.plan = #pool.plan<"slices">} -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
