// Upstream's one-shot-bufferize must reject pooling on tensors with an error.
// After pool-decompose, the same operations must bufferise in place, without a
// copy.

// RUN: pool-opt %s --pool-decompose --eliminate-empty-tensors --one-shot-bufferize=bufferize-function-boundaries --cse --canonicalize | FileCheck %s
// RUN: not pool-opt %s --one-shot-bufferize=bufferize-function-boundaries --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: op was not bufferized
// REFUSED: "pool.max_pool"

// CHECK-LABEL: func.func @written_where_it_belongs(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x3x8x8xf32, {{.*}}>, %[[OUT:[^:]+]]: memref<1x6x4x4xf32,
// CHECK-NOT:     memref.alloc
// CHECK:         %[[HALF:.+]] = memref.subview %[[OUT]][0, 3, 0, 0] [1, 3, 4, 4] [1, 1, 1, 1]
// CHECK:         pool.window_reduce <max> ins(%[[X]] : {{.*}}) outs(%[[HALF]] :
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @written_where_it_belongs(%x: tensor<1x3x8x8xf32>,
                                    %out: tensor<1x6x4x4xf32>)
    -> tensor<1x6x4x4xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
  %1 = tensor.insert_slice %0 into %out[0, 3, 0, 0] [1, 3, 4, 4] [1, 1, 1, 1]
     : tensor<1x3x4x4xf32> into tensor<1x6x4x4xf32>
  return %1 : tensor<1x6x4x4xf32>
}
