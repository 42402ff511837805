// RUN: pool-opt %s --pool-select-plan | FileCheck %s --check-prefix PLAN
// RUN: pool-opt %s --pool-select-plan --convert-pool-to-vector | FileCheck %s

// The padding is larger than the usual bound of a plan's parameter. The planner
// must still write a valid plan.

// PLAN-LABEL: func.func @padded(
// PLAN:         first_column = -4100
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @padded(%x: tensor<1x4x4x200xi8>) -> tensor<1x4x4x478xi8> {
  %0 = pool.max_pool %x kernel [1, 2] strides [1, 9] pads_begin [0, 4100] pads_end [0, 0]
     : tensor<1x4x4x200xi8> -> tensor<1x4x4x478xi8>
  return %0 : tensor<1x4x4x478xi8>
}
