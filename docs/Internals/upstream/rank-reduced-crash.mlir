// mlir-opt --canonicalize: a crash.
func.func @f(%a: tensor<1x3x1x2x4xi8>) -> tensor<?x3x1x2x4xi8> {
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %a[0, 0, 0, 0, 0] [%c1, 3, 1, 2, 4] [1, 1, 1, 1, 1]
      : tensor<1x3x1x2x4xi8> to tensor<?x3x2x4xi8>
  %e = tensor.expand_shape %s [[0], [1], [2, 3], [4]] output_shape [%c1, 3, 1, 2, 4]
      : tensor<?x3x2x4xi8> into tensor<?x3x1x2x4xi8>
  return %e : tensor<?x3x1x2x4xi8>
}
