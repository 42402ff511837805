// RUN: pool-opt %s --split-input-file --pool-select-plan=vector-bits=128 | FileCheck %s --check-prefix PLAN
// RUN: pool-opt %s --split-input-file --convert-pool-to-vector=vector-bits=128 | FileCheck %s

// With `pool.uniform_sums`, the order of a sum must depend only on the kernel:
// the lanes of a vector never share a sum. The code divides and does not
// multiply by a reciprocal, so a separate division of the sums gives the same
// quotient.

// PLAN-LABEL: func.func @global(
// PLAN:         pool.plan = #pool.plan<"planes"
// PLAN-SAME:    pool.uniform_sums
// CHECK-LABEL: func.func @global(
// CHECK-NOT:     arith.mulf
// CHECK:         arith.divf %{{.+}}, %{{.+}} : vector<4xf32>
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @global(%x: tensor<1x8x7x7xf32>) -> tensor<1x8x1x1xf32> {
  %0 = pool.avg_pool %x kernel [7, 7] {pool.uniform_sums}
     : tensor<1x8x7x7xf32> -> tensor<1x8x1x1xf32>
  return %0 : tensor<1x8x1x1xf32>
}

// -----

// Large kernels are added tap by tap, whatever the extents.

// PLAN-LABEL: func.func @large(
// PLAN:         pool.plan = #pool.plan<"direct"
func.func @large(%x: tensor<1x8x80x80xf32>) -> tensor<1x8x1x1xf32> {
  %0 = pool.avg_pool %x kernel [80, 80] {pool.uniform_sums}
     : tensor<1x8x80x80xf32> -> tensor<1x8x1x1xf32>
  return %0 : tensor<1x8x1x1xf32>
}
