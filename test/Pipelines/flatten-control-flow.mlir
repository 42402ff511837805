// pool-flatten-control-flow replaces upstream's convert-scf-to-cf. It applies
// upstream's patterns, from the last operation to the first. The blocks and
// their order must be the same as in the result of upstream's pass.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-flatten-control-flow))' | FileCheck %s --implicit-check-not=scf.
// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-flatten-control-flow))' -o %t.ours
// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(convert-scf-to-cf))' -o %t.upstream
// RUN: diff %t.ours %t.upstream

// Two loops in sequence
// CHECK-LABEL: func.func @loops(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         cf.br ^[[FIRST:bb[0-9]+]](%{{.*}} : index)
// CHECK:       ^[[FIRST]](%[[I:.*]]: index):
// CHECK-NEXT:    %[[LESS:.*]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK-NEXT:    cf.cond_br %[[LESS]], ^[[BODY:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
// CHECK:       ^[[BODY]]:
// CHECK:         memref.store
// CHECK:         cf.br ^[[FIRST]](
// CHECK:       ^[[NEXT]]:
// CHECK-NEXT:    cf.br ^[[SECOND:bb[0-9]+]](
// CHECK:       ^[[SECOND]](
// CHECK:         return
func.func @loops(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%c0] : memref<?xf32>
  }
  return
}

// Parallel loops become sequential loops first, also inside other loops. Their
// bodies are flattened, too.
// CHECK-LABEL: func.func @parallel(
// CHECK-COUNT-4: arith.cmpi slt
func.func @parallel(%n: index, %m: memref<?x?xf32>, %c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
      scf.if %c {
        memref.store %x, %m[%i, %j] : memref<?x?xf32>
      } else {
        scf.for %l = %i to %j step %c1 {
          memref.store %x, %m[%i, %l] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// Results, loops with a condition, switches and regions
// CHECK-LABEL: func.func @others(
// CHECK:         cf.switch
func.func @others(%n: index, %c: i1) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %t = scf.if %c -> index {
      %u = arith.addi %s, %i : index
      scf.yield %u : index
    } else {
      %u = scf.execute_region -> index {
        scf.yield %i : index
      }
      scf.yield %u : index
    }
    scf.yield %t : index
  }
  %last = scf.while (%i = %sum) : (index) -> index {
    %less = arith.cmpi slt, %i, %n : index
    scf.condition(%less) %i : index
  } do {
  ^bb0(%i: index):
    %next = scf.index_switch %i -> index
    case 2 {
      scf.yield %n : index
    }
    default {
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
    scf.yield %next : index
  }
  return %sum, %last : index, index
}
