// pool-separate-masked-loads. In the output of pool-to-llvm, no masked load may
// take its masked-off lanes from another vector (its pass-through operand).
// Otherwise LLVM's code generators fail
// (docs/Internals/upstream/two-address.md).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --split-input-file --pass-pipeline='builtin.module(llvm.func(pool-separate-masked-loads))' | FileCheck %s
// RUN: pool-opt %s --split-input-file --pool-to-llvm=vector-bits=512 | FileCheck %s --check-prefix=WHOLE
// RUN: pool-opt %s --split-input-file --pool-to-llvm="vector-bits=512 separate-masked-loads=false" | FileCheck %s --check-prefix=MERGED

// CHECK-LABEL: llvm.func @integers(
// CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[M:.*]]: vector<16xi1>, %[[K:.*]]: vector<16xi32>
// CHECK:         %[[Z:.*]] = llvm.mlir.constant(dense<0> : vector<16xi32>)
// CHECK:         %[[O:.*]] = llvm.select %[[M]], %[[Z]], %[[K]]
// CHECK:         %[[L:.*]] = llvm.intr.masked.load %[[P]], %[[M]], %{{.*}} {alignment = 4 : i32}
// CHECK:         %[[X:.*]] = llvm.or %[[L]], %[[O]]
// CHECK:         llvm.return %[[X]]
llvm.func @integers(%p: !llvm.ptr, %mask: vector<16xi1>, %kept: vector<16xi32>) -> vector<16xi32> {
  %x = llvm.intr.masked.load %p, %mask, %kept {alignment = 4 : i32}
      : (!llvm.ptr, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
  llvm.return %x : vector<16xi32>
}

// CHECK-LABEL: llvm.func @floats(
// CHECK:         %[[MINUS_INF:.*]] = llvm.mlir.constant(dense<0xFF800000> : vector<8xf32>)
// CHECK:         %[[BITS:.*]] = llvm.bitcast %[[MINUS_INF]] : vector<8xf32> to vector<8xi32>
// CHECK:         %[[O:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[BITS]]
// CHECK:         %[[L:.*]] = llvm.intr.masked.load
// CHECK:         %[[LBITS:.*]] = llvm.bitcast %[[L]] : vector<8xf32> to vector<8xi32>
// CHECK:         %[[X:.*]] = llvm.or %[[LBITS]], %[[O]]
// CHECK:         %[[Y:.*]] = llvm.bitcast %[[X]] : vector<8xi32> to vector<8xf32>
// CHECK:         llvm.return %[[Y]]
llvm.func @floats(%p: !llvm.ptr, %mask: vector<8xi1>) -> vector<8xf32> {
  %kept = llvm.mlir.constant(dense<0xFF800000> : vector<8xf32>) : vector<8xf32>
  %x = llvm.intr.masked.load %p, %mask, %kept {alignment = 4 : i32}
      : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  llvm.return %x : vector<8xf32>
}

// CHECK-LABEL: llvm.func @zeros_and_poison(
// CHECK-NOT:     llvm.or
// CHECK:         llvm.return
llvm.func @zeros_and_poison(%p: !llvm.ptr, %mask: vector<8xi1>) -> vector<8xf32> {
  %zeros = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  %x = llvm.intr.masked.load %p, %mask, %zeros {alignment = 4 : i32}
      : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  %poison = llvm.mlir.poison : vector<8xf32>
  %y = llvm.intr.masked.load %p, %mask, %poison {alignment = 4 : i32}
      : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  %sum = llvm.fadd %x, %y : vector<8xf32>
  llvm.return %sum : vector<8xf32>
}

// -----

// WHOLE-LABEL:  llvm.func @maximum(
// WHOLE:          llvm.intr.masked.load
// WHOLE:          llvm.or
// MERGED-LABEL: llvm.func @maximum(
// MERGED:         llvm.intr.masked.load
// MERGED-NOT:     llvm.or
func.func @maximum(%x: tensor<1x1x8x?xf32>) -> tensor<1x1x8x?xf32> {
  %y = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x1x8x?xf32> -> tensor<1x1x8x?xf32>
  return %y : tensor<1x1x8x?xf32>
}
