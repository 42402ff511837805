// RUN: pool-opt %s --pool-select-plan | FileCheck %s --check-prefix PLAN
// RUN: pool-opt %s --pool-select-plan --convert-pool-to-vector --canonicalize --cse | FileCheck %s

// pool-select-plan and convert-pool-to-vector with padding so large that a
// parameter of the plan exceeds its usual bound. The planner must still write a
// valid plan, and the conversion must accept it.

// PLAN-LABEL: func.func @padded(
// PLAN:         first_column = -4100
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @padded(%x: tensor<1x4x4x200xi8>) -> tensor<1x4x4x478xi8> {
  %0 = pool.max_pool %x kernel [1, 2] strides [1, 9] pads_begin [0, 4100] pads_end [0, 0]
     : tensor<1x4x4x200xi8> -> tensor<1x4x4x478xi8>
  return %0 : tensor<1x4x4x478xi8>
}

// All columns of the first parts lie before the input. Padding is stored to the
// columns that the buffer has, not to all of those before the input.
// CHECK-LABEL: func.func @parts_in_padding(
// CHECK:         %[[START:.+]] = arith.subi %{{.+}}, %{{c1008.*}} : index
// CHECK-NEXT:    %[[WIDTH:.+]] = arith.addi
// CHECK-NEXT:    %[[BEGIN:.+]] = arith.maxsi %[[START]], %{{c0.*}} : index
// CHECK:         %[[BEFORE:.+]] = arith.subi %[[BEGIN]], %[[START]] : index
// CHECK-NEXT:    %[[END:.+]] = arith.minsi %[[BEFORE]], %[[WIDTH]] : index
// CHECK-NEXT:    scf.for %{{.+}} = %{{.+}} to %[[END]] step
func.func @parts_in_padding(%x: tensor<1x1x40x?xf32>) -> tensor<1x1x32x?xf32> {
  %0 = pool.avg_pool %x kernel [9, 9] pads_begin [0, 1000] pads_end [0, 1000]
       {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x1x40x?xf32> -> tensor<1x1x32x?xf32>
  return %0 : tensor<1x1x32x?xf32>
}
