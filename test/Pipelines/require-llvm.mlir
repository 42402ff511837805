// If no pass of pool-to-llvm lowers an operation, this must be an error at the
// operation's location, and not a failure of the translation to LLVM IR later.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --allow-unregistered-dialect --pool-to-llvm --split-input-file --verify-diagnostics

func.func @unknown_op() -> index {
  // expected-error @+1 {{'gpu.subgroup_id' op cannot be lowered to the llvm dialect by this pipeline}}
  %0 = gpu.subgroup_id : index
  return %0 : index
}

// -----

// expected-error @+1 {{'gpu.module' op cannot be lowered to the llvm dialect by this pipeline}}
gpu.module @other {
}

// -----

// The error names the operation, and not the casts of its operands.
func.func @softmax_on_buffers(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'linalg.softmax' op cannot be lowered to the llvm dialect by this pipeline}}
  linalg.softmax dimension(0) ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @unregistered() {
  // expected-error @+1 {{'other.size' op is not lowered: it is not registered}}
  %0 = "other.size"() : () -> index
  return
}
