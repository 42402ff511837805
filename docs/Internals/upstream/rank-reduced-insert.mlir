// mlir-opt --canonicalize: "are cast incompatible".
func.func @insert(%s: tensor<?x2xf32>, %x: tensor<1x1x2x2xf32>, %i: index)
    -> tensor<1x1x2x2xf32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.insert_slice %s into %x[0, 0, 0, %i] [%c1, 1, 2, 1] [1, 1, 1, 1]
      : tensor<?x2xf32> into tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
