// Plans that convert-pool-to-vector must reject because this run has vectors of
// only 128 bits. invalid-plans.mlir has plans that are invalid on every
// machine.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 --split-input-file --verify-diagnostics

func.func @van_herk_long_rows(%x: tensor<1x1x64x4000xf64>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: 300 vectors are kept along a row, more than 64}}
  %0 = pool.max_pool %x kernel [3, 601] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x1x64x4000xf64> -> tensor<1x1x62x3400xf64>
  return
}

// -----

// The plan's number of lanes is right for another machine only.

func.func @direct_lanes(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 16, must be a power of two up to 4}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 16>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}
