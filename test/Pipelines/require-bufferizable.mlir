// The first operation on tensors that does not bufferize is an error at its
// location. Other operations are left alone.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --allow-unregistered-dialect --pool-require-bufferizable --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bufferizes(
// CHECK:         linalg.fill
// CHECK:         pool.on_buffers
// CHECK:         tensor.cast
func.func @bufferizes(%x: tensor<8xf32>, %f: f32) -> tensor<?xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%1 : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  } -> tensor<8xf32>
  %3 = tensor.cast %2 : tensor<8xf32> to tensor<?xf32>
  return %3 : tensor<?xf32>
}

// -----

// The passes that lower the pool dialect run before this one.

func.func @pool(%x: tensor<1x4x8xf32>) -> tensor<1x4x6xf32> {
  // expected-error @+1 {{'pool.max_pool' op is not lowered: the pipeline takes the pool dialect and operations on tensors that bufferize}}
  %0 = pool.max_pool %x kernel [3] : tensor<1x4x8xf32> -> tensor<1x4x6xf32>
  return %0 : tensor<1x4x6xf32>
}

// -----

// An operation without users or effects will not be lowered.

// CHECK-LABEL: func.func @dead(
// CHECK:         tosa.abs
func.func @dead(%x: tensor<4xf32>) {
  %0 = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Only the first error is reported.

func.func @advice(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.abs' op is not lowered: the pipeline takes the pool dialect and operations on tensors that bufferize; --convert-tosa-to-pool raises TOSA's pooling, --tosa-to-linalg lowers the rest}}
  %0 = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @stablehlo(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.abs' op is not lowered: the pipeline takes the pool dialect and operations on tensors that bufferize; --convert-stablehlo-to-pool raises StableHLO's pooling, jaxlib's stablehlo-legalize-to-linalg lowers the rest}}
  %0 = "stablehlo.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The error is at the operation with regions, not at its terminator.

#set = affine_set<(d0) : (d0 - 1 >= 0)>
func.func @outside_first(%i: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'affine.if' op is not lowered: the pipeline takes the pool dialect and operations on tensors that bufferize}}
  %0 = affine.if #set(%i) -> tensor<4xf32> {
    affine.yield %x : tensor<4xf32>
  } else {
    affine.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @unregistered() {
  // expected-error @+1 {{'other.size' op is not lowered: it is not registered}}
  %0 = "other.size"() : () -> index
  return
}

// -----

func.func @unregistered_on_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'other.abs' op is not lowered: the pipeline takes the pool dialect and operations on tensors that bufferize}}
  %0 = "other.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
