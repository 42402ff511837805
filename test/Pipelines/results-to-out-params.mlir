// pool-results-to-out-params turns results of static shape into additional
// arguments, in functions, declarations and calls, so that callers own the
// memory. Each other result must get an allocation of its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-results-to-out-params --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s

// The arguments have the order of the results. Scalar results stay.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32>, %{{[^:]*}}: i32, %{{[^:]*}}: index, %[[A:[^:]*]]: memref<4xf32>, %[[B:[^:]*]]: memref<2xf32>) -> (i32, memref<?xf32>)
func.func @in_place(%x: memref<4xf32>, %i: i32, %n: index)
    -> (memref<4xf32>, i32, memref<2xf32>, memref<?xf32>) {
  // CHECK-NOT: memref.alloc() : memref<4xf32>
  // CHECK-NOT: memref.alloc() : memref<2xf32>
  // CHECK: %[[D:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
  // CHECK: memref.copy %[[X]], %[[A]]
  // CHECK: "test.use"(%[[B]], %[[D]])
  // CHECK: return %{{.*}}, %[[D]] : i32, memref<?xf32>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<2xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  "test.use"(%b, %d) : (memref<2xf32>, memref<?xf32>) -> ()
  return %a, %i, %b, %d : memref<4xf32>, i32, memref<2xf32>, memref<?xf32>
}

// -----

// The function copies a buffer that it returns twice, an argument, and a view.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32>, %[[A:[^:]*]]: memref<4xf32>, %[[B:[^:]*]]: memref<4xf32>, %[[C:[^:]*]]: memref<4xf32>, %[[D:[^:]*]]: memref<2x2xf32>)
func.func @copied(%x: memref<4xf32>)
    -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<2x2xf32>) {
  // CHECK-NOT: memref.alloc
  // CHECK: %[[VIEW:.*]] = memref.expand_shape %[[A]]
  // CHECK: memref.copy %[[A]], %[[B]]
  // CHECK: memref.copy %[[X]], %[[C]]
  // CHECK: memref.copy %[[VIEW]], %[[D]]
  // CHECK: return{{$}}
  %a = memref.alloc() : memref<4xf32>
  %d = memref.expand_shape %a [[0, 1]] output_shape [2, 2]
      : memref<4xf32> into memref<2x2xf32>
  return %a, %a, %x, %d
      : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<2x2xf32>
}

// -----

// The function has two returns. Neither may write to a buffer that the other
// returns.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[OUT:[^:]*]]: memref<4xf32>)
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[OUT]]
// CHECK: memref.copy %{{.*}}, %[[OUT]]
func.func @branches(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^one, ^two
^one:
  return %a : memref<4xf32>
^two:
  return %x : memref<4xf32>
}

// -----

// A result that may share an allocation with another result is cloned. The
// other results are not.
// CHECK-LABEL: func.func @distinct(
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>
func.func @distinct(%x: memref<?xf32>, %n: index, %c: i1)
    -> (memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[IF:.*]] = scf.if
  // CHECK: %[[B:.*]] = bufferization.clone %[[A]]
  // CHECK: %[[C:.*]] = bufferization.clone %[[IF]]
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[X]]
  %a = memref.alloc(%n) : memref<?xf32>
  %b = scf.if %c -> memref<?xf32> {
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %x : memref<?xf32>
  }
  return %a, %a, %b, %x
      : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>
}

// -----

// CHECK: func.func private @callee(memref<?xf32>, memref<4xf32>) -> (i32, memref<?xf32>)
func.func private @callee(memref<?xf32>)
    -> (i32, memref<4xf32>, memref<?xf32>)

// If a caller returns the result of a call, the callee writes directly to the
// caller's out-parameter.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>, %[[OUT:[^:]*]]: memref<4xf32>) -> (memref<?xf32>, i32)
func.func @caller(%x: memref<?xf32>) -> (memref<4xf32>, memref<?xf32>, i32) {
  // CHECK-NEXT: %[[R:.*]]:2 = call @callee(%[[X]], %[[OUT]]) : (memref<?xf32>, memref<4xf32>) -> (i32, memref<?xf32>)
  // CHECK-NEXT: return %[[R]]#1, %[[R]]#0
  %r:3 = call @callee(%x) : (memref<?xf32>) -> (i32, memref<4xf32>, memref<?xf32>)
  return %r#1, %r#2, %r#0 : memref<4xf32>, memref<?xf32>, i32
}

// -----

func.func private @callee() -> memref<4xf32>

func.func @as_value() {
  // expected-error @+1 {{a function with results of static shape cannot be used as a value}}
  %f = constant @callee : () -> memref<4xf32>
  return
}
