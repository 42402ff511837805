// pool-eliminate-empty-tensors makes an operation compute its result directly
// in the tensor into which it is inserted, without a copy. It must not do so if
// this tensor depends on the result.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pass-pipeline='builtin.module(func.func(pool-eliminate-empty-tensors))' | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm=path=linalg | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @into_tensor(
// CHECK:         %[[Y:.*]] = linalg.fill
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[Y]][2] [4] [1]
// CHECK:         linalg.exp {{.*}} outs(%[[S]] :
func.func @into_tensor(%x: tensor<4xf32>, %f: f32) -> tensor<8xf32> {
  %whole = tensor.empty() : tensor<8xf32>
  %y = linalg.fill ins(%f : f32) outs(%whole : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  %z = tensor.insert_slice %0 into %y[2] [4] [1]
      : tensor<4xf32> into tensor<8xf32>
  return %z : tensor<8xf32>
}

// CHECK-LABEL: func.func @into_own_result(
// CHECK:         scf.if
// CHECK:           %[[E:.*]] = tensor.empty()
// CHECK:           linalg.exp {{.*}} outs(%[[E]] :
// WHOLE-LABEL: llvm.func @into_own_result(
func.func @into_own_result(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
        -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %z = tensor.insert_slice %y into %y[0] [4] [1]
      : tensor<4xf32> into tensor<4xf32>
  return %z : tensor<4xf32>
}
