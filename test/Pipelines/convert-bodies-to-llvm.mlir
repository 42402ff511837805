// Bodies become the llvm dialect; functions stay, and so does what declares others.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-convert-bodies-to-llvm))' | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @branches(%{{.*}}: i32, %{{.*}}: vector<4xf32>) -> i32
// CHECK:         llvm.icmp "slt"
// CHECK:         llvm.cond_br
// CHECK:         llvm.shufflevector
// CHECK:         llvm.intr.vector.reduce.fmaximum
// CHECK:         llvm.br
// CHECK:         return %{{.*}} : i32
// WHOLE-LABEL: llvm.func @branches(
func.func @branches(%x: i32, %v: vector<4xf32>) -> i32 {
  %c = arith.constant 3 : i32
  %less = arith.cmpi slt, %x, %c : i32
  cf.cond_br %less, ^then, ^next(%x : i32)
^then:
  %s = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  %m = vector.reduction <maximumf>, %s : vector<4xf32> into f32
  %i = arith.fptosi %m : f32 to i32
  cf.br ^next(%i : i32)
^next(%r: i32):
  return %r : i32
}

// CHECK-LABEL: func.func @declares(
// CHECK:         cf.assert
// CHECK:         vector.print
// WHOLE-LABEL: llvm.func @declares(
// WHOLE-DAG:     llvm.call @printF32
// WHOLE-DAG:     llvm.call @puts
func.func @declares(%ok: i1, %x: f32) {
  cf.assert %ok, "no"
  vector.print %x : f32
  return
}
