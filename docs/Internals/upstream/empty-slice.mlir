// mlir-opt --one-shot-bufferize=bufferize-function-boundaries:
// "offset 0 is out-of-bounds: 3 >= 3".
func.func @concat(%a: tensor<3xf32>, %b: tensor<0xf32>) -> tensor<3xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<0xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
