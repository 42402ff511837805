// The pass by itself, without the conversions before it; require-llvm.mlir has
// the whole pipeline. One error names the operation that was not lowered.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-require-llvm --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @lowered(
// CHECK:         omp.parallel
llvm.func @lowered(%x: i64) -> i64 {
  omp.parallel {
    omp.terminator
  }
  %0 = llvm.add %x, %x : i64
  llvm.return %0 : i64
}

// -----

// A cast is left because its user is, so the user is named.

llvm.func @cast_and_user(%x: i64) {
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  // expected-error @+1 {{'arith.index_cast' op cannot be lowered to the llvm dialect by this pipeline}}
  %1 = arith.index_cast %0 : index to i32
  %2 = arith.index_cast %1 : i32 to index
  llvm.return
}

// -----

llvm.func @casts_alone(%x: i64) -> i64 {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op cannot be lowered to the llvm dialect by this pipeline}}
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i64
  llvm.return %1 : i64
}

// -----

// expected-error @+1 {{'memref.global' op cannot be lowered to the llvm dialect by this pipeline}}
memref.global "private" @outside_of_functions : memref<4xf32>
