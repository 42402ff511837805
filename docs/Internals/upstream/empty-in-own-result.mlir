// mlir-opt --eliminate-empty-tensors: "operand #0 does not dominate this use".
func.func @f(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
        -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %z = tensor.insert_slice %y into %y[0] [4] [1]
      : tensor<4xf32> into tensor<4xf32>
  return %z : tensor<4xf32>
}
