// pool.on_buffers has vector code on buffers in its region, for operands that
// are still tensors. Tests its syntax, its constraints, and bufferisation,
// which replaces the operation by its body. The body must not read what it has
// overwritten.

// RUN: pool-opt %s --split-input-file --verify-diagnostics | pool-opt --split-input-file | FileCheck %s --check-prefix=SYNTAX
// RUN: pool-opt %s --split-input-file --verify-diagnostics --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// SYNTAX-LABEL: func.func @copied(
// SYNTAX:         %{{.+}} = pool.on_buffers ins(%{{.+}} : tensor<8xf32>) outs(%{{.+}} : tensor<8xf32>) {
// SYNTAX-NEXT:    ^bb0(%{{.+}}: memref<8xf32>, %{{.+}}: memref<8xf32>):
// SYNTAX:         } -> tensor<8xf32>

// CHECK-LABEL: func.func @copied(
// CHECK-SAME:    %[[X:.+]]: memref<8xf32>
// CHECK:         %[[OUT:.+]] = memref.alloc() {{.*}}: memref<8xf32>
// CHECK:         %[[LANES:.+]] = vector.load %[[X]]
// CHECK:         vector.store %[[LANES]], %[[OUT]]
// CHECK-NOT:     pool.
// CHECK:         return %[[OUT]]
func.func @copied(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %lanes, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The body writes directly to the slice. One-shot bufferisation leaves a copy
// of the slice to itself.

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[X:.+]]: memref<8xf32>, %[[Y:.+]]: memref<32xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[SLICE:.+]] = memref.subview %[[Y]][16] [8] [1]
// CHECK:         %[[OUT:.+]] = memref.cast %[[SLICE]]
// CHECK:         vector.store %{{.+}}, %[[OUT]]
// CHECK:         %[[SAME:.+]] = memref.subview %[[Y]][16] [8] [1]
// CHECK-NEXT:    memref.copy %[[SLICE]], %[[SAME]]
func.func @in_place(%x: tensor<8xf32>, %y: tensor<32xf32> {bufferization.writable = true}) -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %slice = tensor.extract_slice %y[16] [8] [1] : tensor<32xf32> to tensor<8xf32>
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%slice : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32, strided<[1], offset: ?>>):
    %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %lanes, %out[%c0] : memref<8xf32, strided<[1], offset: ?>>, vector<8xf32>
  } -> tensor<8xf32>
  %1 = tensor.insert_slice %0 into %y[16] [8] [1] : tensor<8xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

// The slice has unknown extents, so bufferisation might cast it to a packed
// buffer, which it is not. So the body writes to a new buffer, which is then
// copied to the slice. The slice's old contents are not copied to the new
// buffer.

// CHECK-LABEL: func.func @unknown_slice(
// CHECK-SAME:    %[[X:.+]]: memref<?x8xf32>, %[[Y:.+]]: memref<?x32xf32>
// CHECK:         %[[SLICE:.+]] = memref.subview %[[Y]][0, 0] [%{{.+}}, 8] [1, 1]
// CHECK:         %[[ROWS:.+]] = memref.dim %[[SLICE]], %c0
// CHECK:         %[[OUT:.+]] = memref.alloc(%[[ROWS]]) {{.*}}: memref<?x8xf32>
// CHECK-NOT:     memref.copy
// CHECK:         vector.store %{{.+}}, %[[OUT]]
// CHECK:         memref.copy %[[OUT]], %[[SLICE]]
func.func @unknown_slice(%x: tensor<?x8xf32>, %y: tensor<?x32xf32> {bufferization.writable = true}, %n: index) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %slice = tensor.extract_slice %y[0, 0] [%n, 8] [1, 1] : tensor<?x32xf32> to tensor<?x8xf32>
  %0 = pool.on_buffers ins(%x : tensor<?x8xf32>) outs(%slice : tensor<?x8xf32>) {
  ^bb0(%in: memref<?x8xf32>, %out: memref<?x8xf32>):
    %rows = memref.dim %out, %c0 : memref<?x8xf32>
    scf.for %i = %c0 to %rows step %c1 {
      %lanes = vector.load %in[%i, %c0] : memref<?x8xf32>, vector<8xf32>
      vector.store %lanes, %out[%i, %c0] : memref<?x8xf32>, vector<8xf32>
    }
  } -> tensor<?x8xf32>
  %1 = tensor.insert_slice %0 into %y[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<?x32xf32>
  return %1 : tensor<?x32xf32>
}

// -----

// The body expects packed buffers. So the input is copied to a packed buffer,
// and the result is copied from a packed buffer to the slice.

// CHECK-LABEL: func.func @other_strides(
// CHECK-SAME:    %[[X:.+]]: memref<16xf32>, %[[Y:.+]]: memref<32xf32>
// CHECK:         %[[EVEN:.+]] = memref.subview %[[X]][0] [8] [2]
// CHECK:         %[[SLICE:.+]] = memref.subview %[[Y]][16] [8] [1]
// CHECK:         %[[IN:.+]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[EVEN]], %[[IN]]
// CHECK:         %[[OUT:.+]] = memref.alloc()
// CHECK:         %[[LANES:.+]] = vector.load %[[IN]]
// CHECK-NEXT:    vector.store %[[LANES]], %[[OUT]]
// CHECK-NEXT:    memref.copy %[[OUT]], %[[SLICE]]
func.func @other_strides(%x: tensor<16xf32>, %y: tensor<32xf32> {bufferization.writable = true}) -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %even = tensor.extract_slice %x[0] [8] [2] : tensor<16xf32> to tensor<8xf32>
  %slice = tensor.extract_slice %y[16] [8] [1] : tensor<32xf32> to tensor<8xf32>
  %0 = pool.on_buffers ins(%even : tensor<8xf32>) outs(%slice : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %lanes, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  %1 = tensor.insert_slice %0 into %y[16] [8] [1] : tensor<8xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

// The input is also the destination. The body may store elements before it
// loads others, so the result gets another buffer.

// CHECK-LABEL: func.func @input_is_output(
// CHECK-SAME:    %[[X:.+]]: memref<8xf32>
// CHECK:         %[[OUT:.+]] = memref.alloc() {{.*}}: memref<8xf32>
// CHECK-NOT:     memref.copy
// CHECK:         vector.load %[[X]]
// CHECK:         vector.store %{{.+}}, %[[OUT]]
func.func @input_is_output(%x: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    %lanes = vector.load %in[%c0] : memref<8xf32>, vector<8xf32>
    vector.store %lanes, %out[%c0] : memref<8xf32>, vector<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @on_buffers_OnBuffers.C1_count(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{(OnBuffers.C1) the body has 1 arguments, the operation 2 tensors}}
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>):
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @on_buffers_OnBuffers.C1_shape(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{(OnBuffers.C1) argument 1 of the body is 'memref<9xf32>', must be a buffer for 'tensor<8xf32>'}}
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%in: memref<8xf32>, %out: memref<9xf32>):
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @on_buffers_OnBuffers.C1_type(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{(OnBuffers.C1) argument 0 of the body is 'memref<8xi32>', must be a buffer for 'tensor<8xf32>'}}
  %0 = pool.on_buffers ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%in: memref<8xi32>, %out: memref<8xf32>):
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
