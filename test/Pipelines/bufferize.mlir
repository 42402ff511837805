// pool-bufferize copies where upstream would only cast. A buffer type without a
// layout means a packed buffer. If upstream casts a buffer with gaps to such a
// type, the code would read wrong elements, so the pass must copy the data
// instead.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-bufferize | FileCheck %s
// RUN: pool-opt %s --pool-bufferize=alignment=0 | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @slice(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x?xf32>
// CHECK:         %[[VIEW:.*]] = memref.subview %[[X]]
// CHECK-DAG:     %[[H:.*]] = memref.dim %[[VIEW]], %c0
// CHECK-DAG:     %[[W:.*]] = memref.dim %[[VIEW]], %c1
// CHECK:         %[[COPY:.*]] = memref.alloc(%[[H]], %[[W]]) {alignment = 64 : i64} : memref<?x?xf32>
// CHECK:         memref.copy %[[VIEW]], %[[COPY]]
// CHECK-NOT:     memref.cast
// CHECK:         return %[[COPY]]
// PLAIN-LABEL: func.func @slice(
// PLAIN:         memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32>
func.func @slice(%x: tensor<?x?xf32>, %h: index, %w: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %x[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Callees get packed buffers, too, as their argument types say.
// CHECK-LABEL: func.func @call(
// CHECK:         %[[VIEW:.*]] = memref.subview
// CHECK:         memref.copy %[[VIEW]], %[[COPY:.*]] :
// CHECK:         call @slice(%[[COPY]],
func.func @call(%x: tensor<?x?xf32>, %h: index, %w: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %x[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %r = call @slice(%s, %h, %w) : (tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Packed data is not copied. Rows of one dimension are packed, also after
// dimensions of extent 1.
// CHECK-LABEL: func.func @packed(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @packed(%x: tensor<?xf32>, %y: tensor<1x?xf32>, %n: index)
    -> (tensor<?xf32>, tensor<1x?xf32>, tensor<?xf32>) {
  %a = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.extract_slice %y[0, 0] [1, %n] [1, 1] : tensor<1x?xf32> to tensor<1x?xf32>
  return %a, %b, %x : tensor<?xf32>, tensor<1x?xf32>, tensor<?xf32>
}

// The cast was already in the input, so the pass trusts it.
// CHECK-LABEL: func.func @given(
// CHECK:         memref.cast %{{.*}} : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @given(%x: memref<?x?xf32, strided<[?, 1]>>) -> memref<?x?xf32> {
  %y = memref.cast %x : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
  return %y : memref<?x?xf32>
}

// A loop may carry a buffer that an iteration allocates.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
// CHECK:           scf.yield
func.func @loop(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %e = tensor.empty(%i) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  return %l : tensor<?xf32>
}

// The type has unknown strides. The copy is packed, and a cast converts it to
// the type.
// CHECK-LABEL: func.func @unknown_strides(
// CHECK:         %[[VIEW:.*]] = memref.subview
// CHECK:         %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x5xf32>
// CHECK:         %[[CAST:.*]] = memref.cast %[[COPY]] : memref<2x5xf32> to memref<2x5xf32, strided<[?, 1], offset: ?>>
// CHECK:         memref.copy %[[VIEW]], %[[CAST]]
// CHECK:         memref.load %[[CAST]]
func.func @unknown_strides(%x: tensor<4x15xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %x[2, 1] [2, 5] [1, 3] : tensor<4x15xf32> to tensor<2x5xf32>
  %m = bufferization.to_buffer %s read_only : tensor<2x5xf32> to memref<2x5xf32, strided<[?, 1], offset: ?>>
  %r = memref.load %m[%i, %i] : memref<2x5xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
