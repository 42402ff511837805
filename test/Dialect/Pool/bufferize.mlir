// Upstream's one-shot-bufferize on pool.window_reduce. It must write in place
// if nothing else needs the contents of the output, and otherwise to a new
// buffer. A wrong answer of its interface would overwrite data that is read
// later.

// RUN: pool-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[X:[^:]+]]: memref<1x3x8xf32, strided<[?, ?, ?], offset: ?>>
// CHECK-SAME:    %[[OUT:[^:]+]]: memref<1x3x4xf32, strided<[?, ?, ?], offset: ?>>
// CHECK-NOT:     memref.alloc
// CHECK:         pool.window_reduce <max> ins(%[[X]] : {{.*}}) outs(%[[OUT]] : {{.*}}) kernel [3] strides [2] dilations [1] pads_begin [1] pads_end [0]
// CHECK-NOT:     memref.copy
// CHECK:         return %[[OUT]]
func.func @in_place(%x: tensor<1x3x8xf32>, %out: tensor<1x3x4xf32>)
    -> tensor<1x3x4xf32> {
  %0 = pool.window_reduce <max> ins(%x : tensor<1x3x8xf32>)
         outs(%out : tensor<1x3x4xf32>) kernel [3] strides [2] dilations [1]
         pads_begin [1] pads_end [0] -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// -----

// The output has a later reader, so its contents must stay. The operation
// overwrites all of the new buffer, so nothing is copied to it.

// CHECK-LABEL: func.func @out_of_place(
// CHECK-SAME:    %[[X:[^:]+]]: memref
// CHECK-SAME:    %[[OUT:[^:]+]]: memref
// CHECK:         %[[NEW:.+]] = memref.alloc() {{.*}} : memref<1x3x7xf32>
// CHECK-NOT:     memref.copy
// CHECK:         pool.window_reduce <sum> ins(%[[X]] : {{.*}}) outs(%[[NEW]] :
// CHECK-NOT:     memref.copy
// CHECK:         return %[[NEW]], %[[OUT]]
func.func @out_of_place(%x: tensor<1x3x8xf32>, %out: tensor<1x3x7xf32>)
    -> (tensor<1x3x7xf32>, tensor<1x3x7xf32>) {
  %0 = pool.window_reduce <sum> ins(%x : tensor<1x3x8xf32>)
         outs(%out : tensor<1x3x7xf32>) kernel [2] strides [1] dilations [1]
         pads_begin [0] pads_end [0] -> tensor<1x3x7xf32>
  return %0, %out : tensor<1x3x7xf32>, tensor<1x3x7xf32>
}

// -----

// A window reads elements that other windows write, so input and output must
// not share a buffer.

// CHECK-LABEL: func.func @input_is_output(
// CHECK-SAME:    %[[X:[^:]+]]: memref
// CHECK:         %[[NEW:.+]] = memref.alloc()
// CHECK:         pool.window_reduce <max> ins(%[[X]] : {{.*}}) outs(%[[NEW]] :
func.func @input_is_output(%x: tensor<1x3x8xf32>) -> tensor<1x3x8xf32> {
  %0 = pool.window_reduce <max> ins(%x : tensor<1x3x8xf32>)
         outs(%x : tensor<1x3x8xf32>) kernel [3] strides [1] dilations [1]
         pads_begin [1] pads_end [1] -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// -----

// Two outputs, dynamic pads and positions, and further attributes. The slices
// of tensors become views of buffers.

// CHECK-LABEL: func.func @everything(
// CHECK-SAME:    %[[X:[^:]+]]: memref<?x?x?xui8, strided<[?, ?, ?], offset: ?>>
// CHECK-SAME:    %[[P:[^:]+]]: index, %[[B:[^:]+]]: index
// CHECK:         %[[SLICE:.+]] = memref.subview %[[X]][0, 1, 0] [%{{.+}}, 5, %{{.+}}] [1, 2, 1]
// CHECK:         pool.window_reduce <max> ins(%[[SLICE]] : memref<?x5x?xui8, strided<[?, ?, ?], offset: ?>>)
// CHECK-SAME:      outs(%{{.+}}, %{{.+}} : memref<?x5x?xui8>, memref<?x5x?xi64>)
// CHECK-SAME:      kernel [2] strides [3] dilations [4] pads_begin [%[[P]]] pads_end [1]
// CHECK-SAME:      positions [%[[B]], 5] layout channels_last nan_mode propagate {pool.note = "kept"}
// CHECK-NOT:     ->
func.func @everything(%x: tensor<?x?x?xui8>, %p: index, %b: index,
                      %n: index, %c: index)
    -> (tensor<?x5x?xui8>, tensor<?x5x?xi64>) {
  %slice = tensor.extract_slice %x[0, 1, 0] [%n, 5, %c] [1, 2, 1]
         : tensor<?x?x?xui8> to tensor<?x5x?xui8>
  %values = tensor.empty(%n, %c) : tensor<?x5x?xui8>
  %positions = tensor.empty(%n, %c) : tensor<?x5x?xi64>
  %0:2 = pool.window_reduce <max> ins(%slice : tensor<?x5x?xui8>)
           outs(%values, %positions : tensor<?x5x?xui8>, tensor<?x5x?xi64>)
           kernel [2] strides [3] dilations [4] pads_begin [%p] pads_end [1]
           positions [%b, 5] layout channels_last nan_mode propagate
           {pool.note = "kept"} -> tensor<?x5x?xui8>, tensor<?x5x?xi64>
  return %0#0, %0#1 : tensor<?x5x?xui8>, tensor<?x5x?xi64>
}
