// mlir-opt --canonicalize: the slice becomes tensor<1x8x1xi8>, which is cast to
// the result. Only the last dimension has a static size of 1, so it is the one
// that is dropped, and the slice is tensor<1x1x8xi8>.
func.func @extract(%x: tensor<1x1x8x2xi8>) -> tensor<?x?x?xi8> {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = tensor.extract_slice %x[0, 0, 0, 0] [%c1, %c1, %c8, 1] [1, 1, 1, 1]
      : tensor<1x1x8x2xi8> to tensor<?x?x?xi8>
  return %0 : tensor<?x?x?xi8>
}
