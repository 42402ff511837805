// convert-pool-to-vector must not crash if the batch is known to be empty and
// other extents are unknown. Upstream has no type for collapsed dimensions of
// such a buffer, so the conversion must collapse none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=512 | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm=vector-bits=512

// CHECK-LABEL: func.func @prefetched(
// CHECK-NOT:     memref.collapse_shape
// CHECK:         vector.store
// CHECK-NOT:     memref.collapse_shape
// CHECK:         return
func.func @prefetched(%x: tensor<0x?x4x?xi32>) -> tensor<0x?x2x?xi32> {
  %0 = pool.max_pool %x kernel [3, 1] strides [1, 4]
     : tensor<0x?x4x?xi32> -> tensor<0x?x2x?xi32>
  return %0 : tensor<0x?x2x?xi32>
}

// CHECK-LABEL: func.func @whole_planes(
// CHECK-NOT:     memref.collapse_shape
// CHECK:         return
func.func @whole_planes(%x: tensor<0x?x7x?xf32>) -> tensor<0x?x1x?xf32> {
  %0 = pool.avg_pool %x kernel [7, 7]
     : tensor<0x?x7x?xf32> -> tensor<0x?x1x?xf32>
  return %0 : tensor<0x?x1x?xf32>
}

// CHECK-LABEL: func.func @few_channels(
// CHECK-NOT:     memref.collapse_shape
// CHECK:         return
func.func @few_channels(%x: tensor<0x?x?x3xf32>) -> tensor<0x?x?x3xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] layout channels_last
     : tensor<0x?x?x3xf32> -> tensor<0x?x?x3xf32>
  return %0 : tensor<0x?x?x3xf32>
}
