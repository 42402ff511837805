// Functions that pool-to-llvm lowers must follow the calling convention in
// Pipelines.h. The C program Inputs/c-caller.c calls them by it, and must get
// the right results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm=runtime-checks=true | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -O2 -filetype=obj -relocation-model=pic %t.ll -o %t.o
// RUN: %host_cc -std=c11 -Wall -Werror %S/Inputs/c-caller.c %t.o -o %t.exe
// RUN: %t.exe | FileCheck %s
// CHECK: static 5 7 13 15
// CHECK-NEXT: mixed 5 7 13 15 indices 5 7 13 15 scalar 2.5
// CHECK-NEXT: dynamic 1x1x2x2: 2.5 4.5 10.5 12.5
// CHECK-NEXT: scalar 42

// A failed check prints its message and aborts.
// RUN: not --crash %t.exe fail | FileCheck %s --check-prefix=FAIL
// FAIL: pool.avg_pool at loc({{.*}}): dimension 2: the input extent must be at least 2

func.func @static(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %y : tensor<1x1x2x2xf32>
}

func.func @mixed(%x: tensor<?x1x4x4xf32>, %s: f32)
    -> (tensor<1x1x2x2xf32>, f32, tensor<?x1x2x2xi64>) {
  %y, %i = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<?x1x4x4xf32> -> tensor<?x1x2x2xf32>, tensor<?x1x2x2xi64>
  %one = tensor.cast %y : tensor<?x1x2x2xf32> to tensor<1x1x2x2xf32>
  return %one, %s, %i : tensor<1x1x2x2xf32>, f32, tensor<?x1x2x2xi64>
}

func.func @dynamic(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %y = pool.avg_pool %x kernel [2, 2] strides [2, 2]
      : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %y : tensor<?x?x?x?xf32>
}

func.func @scalar(%n: index) -> index {
  return %n : index
}
