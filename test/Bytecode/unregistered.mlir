// Reads bytecode that a program without the dialect wrote. Such bytecode lacks
// the dialect's version. It must be read like text, and must not be rejected
// for the missing version.
//
// RUN: mlir-opt --allow-unregistered-dialect --emit-bytecode %s -o %t.mlirbc
// RUN: pool-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: @f
// CHECK: pool.max_pool %arg0 kernel [2, 2] strides [2, 2] layout channels_last axis 1
func.func @f(%x: tensor<1x?x8x3xf32>) -> tensor<1x?x4x3xf32> {
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
                             layout = #pool.layout<channels_last>, axis = 1 : i64}>
    : (tensor<1x?x8x3xf32>) -> tensor<1x?x4x3xf32>
  return %0 : tensor<1x?x4x3xf32>
}
