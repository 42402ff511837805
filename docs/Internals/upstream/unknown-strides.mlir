// mlir-opt --one-shot-bufferize=bufferize-function-boundaries:
// "symbol operand count does not equal memref symbol count".
func.func @f(%x: tensor<4x15xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %x[2, 1] [2, 5] [1, 3]
      : tensor<4x15xf32> to tensor<2x5xf32>
  %m = bufferization.to_buffer %s read_only
      : tensor<2x5xf32> to memref<2x5xf32, strided<[?, 1], offset: ?>>
  %r = memref.load %m[%i, %i] : memref<2x5xf32, strided<[?, 1], offset: ?>>
  return %r : f32
}
