// pool-lower-assertions makes a failed assertion call a function (handler=...)
// that the user of the code provides when linking. The handler must get the
// message with the compared values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --split-input-file --pool-lower-assertions=handler=failed --verify-diagnostics | FileCheck %s
// RUN: not pool-opt %s --split-input-file --pool-lower-assertions 2>&1 | FileCheck %s --check-prefix=HANDLER
// RUN: pool-opt %s --split-input-file --pool-to-llvm=assert-handler=failed --verify-diagnostics | FileCheck %s --check-prefix=PIPELINE

// HANDLER: error: pool-lower-assertions needs a handler

// Equal messages share one string.
// CHECK-DAG: llvm.func @failed(!llvm.ptr) attributes {passthrough = ["cold", "noreturn"]}
// CHECK-DAG: llvm.mlir.global internal constant @[[$MESSAGE:.*]]("the window does not fit\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[$OTHER:.*]]("nor does this\00")
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1
// CHECK: cf.cond_br %[[A]], ^[[NEXT:.*]], ^[[FAILED:.*]]
// CHECK: ^[[NEXT]]:
// CHECK-NEXT: call @work()
// CHECK: cf.cond_br %[[B]],
// CHECK: cf.cond_br %[[A]],
// CHECK: ^[[FAILED]]:
// CHECK-NEXT: %[[TEXT:.*]] = llvm.mlir.addressof @[[$MESSAGE]] : !llvm.ptr
// CHECK-NEXT: llvm.call @failed(%[[TEXT]]) : (!llvm.ptr) -> ()
// CHECK-NEXT: llvm.unreachable
// CHECK-NOT: cf.assert

// PIPELINE: llvm.func @failed(!llvm.ptr)
// PIPELINE-LABEL: llvm.func @f(
// PIPELINE-NOT: @puts
// PIPELINE: llvm.call @failed
// PIPELINE-NOT: @puts
func.func private @work()
func.func @f(%a: i1, %b: i1) {
  cf.assert %a, "the window does not fit"
  call @work() : () -> ()
  cf.assert %b, "nor does this"
  cf.assert %a, "the window does not fit"
  return
}

// -----

// The values that the assertion compares are added to the message, except
// constants.
// CHECK-DAG: llvm.mlir.global internal constant @[[$ONE:.*]]("%s; it is %lld\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[$TWO:.*]]("%s; they are %lld and %lld\00")
// CHECK-DAG: llvm.func internal @[[$REPORT_TWO:.*]](%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64) attributes {passthrough = ["cold", "noinline", "noreturn"]}
// CHECK-DAG: llvm.func internal @[[$REPORT:pool.report]](%{{.*}}: !llvm.ptr, %{{.*}}: i64) attributes {passthrough = ["cold", "noinline", "noreturn"]}
// CHECK-LABEL: func.func @values(
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index
// CHECK-DAG: %[[VALUE:.*]] = arith.index_cast %[[A]] : index to i64
// CHECK-DAG: llvm.call @[[$REPORT]](%{{.*}}, %[[VALUE]]) : (!llvm.ptr, i64) -> ()
// CHECK-DAG: llvm.call @[[$REPORT_TWO]](%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, i64) -> ()
// CHECK-DAG: llvm.call @failed(%{{.*}}) : (!llvm.ptr) -> ()
func.func @values(%a: index, %b: index) {
  %c4 = arith.constant 4 : index
  %0 = arith.cmpi sge, %a, %c4 : index
  cf.assert %0, "must be at least 4" {pool.reports_values}
  %1 = arith.cmpi eq, %a, %b : index
  cf.assert %1, "differ" {pool.reports_values}
  cf.assert %1, "anybody's own"
  return
}

// -----

// Without assertions, the handler is not declared.
// CHECK: module {
// CHECK-NEXT: func.func @without
func.func @without() {
  return
}

// -----

// expected-error @+1 {{'failed' is what failed checks call: a function of the llvm dialect of type '!llvm.func<void (ptr)>'}}
func.func private @failed(i32)
func.func @g(%a: i1) {
  cf.assert %a, "message"
  return
}
