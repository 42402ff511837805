// mlir-opt --one-shot-bufferize casts the slice, whose rows are apart, to a packed buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<?x?xf32>, %f: f32, %h: index, %w: index, %n: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%h, %w) : tensor<?x?xf32>
  %y = linalg.fill ins(%f : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %y[0, 0] [%h, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
