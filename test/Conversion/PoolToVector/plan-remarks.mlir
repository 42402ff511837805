// Remarks of pool-select-plan and convert-pool-to-vector must name each plan and
// its reason, and say why other plans were rejected or why there is no plan.

// RUN: pool-opt %s --pool-select-plan --remarks-filter=pool-select-plan -o /dev/null 2>&1 | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-vector --remarks-filter=convert-pool-to-vector -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: pool-opt %s --convert-pool-to-vector -o /dev/null 2>&1 | count 0

func.func @chosen(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  // CHECK:      plan-remarks.mlir:[[#@LINE+9]]:{{.*}} [Analysis] Rejected | Category:pool-select-plan | Reason="windows are no whole planes", Remark="pool.max_pool not lowered by global"
  // CHECK:      [[#@LINE+8]]:{{.*}} Reason="windows of 3 columns are not worth merging lanes", Remark="pool.max_pool not lowered by merged"
  // CHECK:      [[#@LINE+7]]:{{.*}} Remark="pool.max_pool not lowered by few-channels"
  // CHECK:      [[#@LINE+6]]:{{.*}} Remark="pool.max_pool not lowered by channels"
  // CHECK:      [[#@LINE+5]]:{{.*}} Reason="buffered-planes is the same for planes", Remark="pool.max_pool not lowered by staged"
  // CHECK:      [[#@LINE+4]]:{{.*}} Reason="it takes {{.+}} cycles an output, planes {{.+}}", Remark="pool.max_pool not lowered by direct"
  // CHECK:      [[#@LINE+3]]:{{.*}} Remark="pool.max_pool not lowered by buffered-planes"
  // CHECK:      [[#@LINE+2]]:{{.*}} Remark="pool.max_pool not lowered by van-herk"
  // CHECK:      [[#@LINE+1]]:{{.*}} [Passed] Planned | Category:pool-select-plan | Reason="{{[0-9.]+}} cycles an output", Remark="pool.max_pool lowered by #pool.plan<"planes", {{.+}}>"
  %0 = pool.max_pool %x kernel [3, 3] : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

// The plan is pinned, so the remark lists no other plan.

func.func @pinned(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  // CHECK-NOT:  [[#@LINE+2]]:{{.*}} Rejected
  // CHECK:      [[#@LINE+1]]:{{.*}} [Passed] Planned | Category:pool-select-plan | Reason="it is pinned", Remark="pool.max_pool lowered by #pool.plan<"direct", lanes = 4>"
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 4>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %0 : tensor<1x4x30x30xf32>
}

func.func @left_alone(%x: tensor<1x4x?xf32>) -> tensor<1x4x?xf32> {
  // CHECK:      [[#@LINE+1]]:{{.*}} [Missed] LeftAlone | Category:pool-select-plan | Reason="spatial dimension 0 has kernel 1073741825, {{.+}}", Remark="pool.max_pool left alone"
  %0 = pool.max_pool %x kernel [1073741825] : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
  return %0 : tensor<1x4x?xf32>
}

// Operations of the other three tables of strategies: adaptive pooling, scatter
// and gather.

func.func @others(%x: tensor<1x8x14x14xf32>, %v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>,
                  %g: tensor<1x8x16x16xf32>)
    -> (tensor<1x8x5x5xf32>, tensor<1x8x7x7xf32>, tensor<1x2x9x8xf32>, tensor<1x8x33x33xf32>) {
  // CHECK:      [[#@LINE+2]]:{{.*}} Reason="it is for buffers with the channels last", Remark="pool.adaptive_avg_pool not lowered by adaptive-channels"
  // CHECK:      [[#@LINE+1]]:{{.*}} [Passed] Planned {{.*}} Remark="pool.adaptive_avg_pool lowered by #pool.plan<"adaptive-planes", row = "plane">"
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  // CHECK:      [[#@LINE+1]]:{{.*}} [Missed] LeftAlone {{.*}} Reason="its windows are those of an ordinary operation, which pool-adaptive-to-window makes of it"
  %1 = pool.adaptive_avg_pool %x output_size [7, 7] : tensor<1x8x14x14xf32> -> tensor<1x8x7x7xf32>
  // CHECK:      [[#@LINE+2]]:{{.*}} Reason="9 of dimension 2 is no multiple of 4", Remark="pool.max_unpool not lowered by blocks"
  // CHECK:      [[#@LINE+1]]:{{.*}} Remark="pool.max_unpool lowered by #pool.plan<"slices">"
  %2 = pool.max_unpool %v, %i axis 2
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x9x8xf32>
  // CHECK:      [[#@LINE+2]]:{{.*}} Reason="windows move by more than one element in spatial dimension 0", Remark="pool.avg_pool_grad not lowered by window-sums"
  // CHECK:      [[#@LINE+1]]:{{.*}} Remark="pool.avg_pool_grad lowered by #pool.plan<"strided-gather">"
  %3 = pool.avg_pool_grad %g kernel [3, 3] strides [2, 2]
     : tensor<1x8x16x16xf32> -> tensor<1x8x33x33xf32>
  return %0, %1, %2, %3 : tensor<1x8x5x5xf32>, tensor<1x8x7x7xf32>, tensor<1x2x9x8xf32>,
                          tensor<1x8x33x33xf32>
}

// The conversion says the same as the selection.

// LOWERED-DAG: plan-remarks.mlir:19:{{.*}} [Passed] Planned | Category:convert-pool-to-vector | {{.*}} Remark="pool.max_pool lowered by #pool.plan<"planes", {{.+}}>"
// LOWERED-DAG: plan-remarks.mlir:28:{{.*}} [Passed] Planned | {{.*}} Reason="it is pinned", Remark="pool.max_pool lowered by #pool.plan<"direct", lanes = 4>"
// LOWERED-DAG: plan-remarks.mlir:35:{{.*}} [Missed] LeftAlone | {{.*}} Remark="pool.max_pool left alone"

// The region has vector code, which needs no plan.

func.func @on_buffers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // CHECK:      [[#@LINE+1]]:{{.*}} [Missed] LeftAlone | Category:pool-select-plan | Reason="its code works on buffers already", Remark="pool.on_buffers left alone"
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %c0 = arith.constant 0 : index
    %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %lanes, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
