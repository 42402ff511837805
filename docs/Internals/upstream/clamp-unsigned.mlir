func.func @clamp(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = tosa.clamp %x {min_val = 3 : ui8, max_val = 250 : ui8} : (tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}
