// mlir-opt --one-shot-bufferize=allow-unknown-ops: a crash in
// ValueBoundsConstraintSet::getExpr.
func.func @f(%x: tensor<?xi8>, %y: tensor<?xi8>, %t: tensor<?xi8>)
    -> (tensor<?xi8>, tensor<?xi8>) {
  %c0 = arith.constant 0 : index
  %s = arith.subi %x, %y : tensor<?xi8>
  %d = tensor.dim %s, %c0 : tensor<?xi8>
  %a = tensor.extract_slice %t[0] [%d] [1] : tensor<?xi8> to tensor<?xi8>
  %f = linalg.copy ins(%y : tensor<?xi8>) outs(%a : tensor<?xi8>) -> tensor<?xi8>
  %i = tensor.insert_slice %f into %t[0] [%d] [1] : tensor<?xi8> into tensor<?xi8>
  %b = tensor.extract_slice %i[%d] [%d] [1] : tensor<?xi8> to tensor<?xi8>
  %j = tensor.insert_slice %b into %i[%d] [%d] [1] : tensor<?xi8> into tensor<?xi8>
  return %j, %s : tensor<?xi8>, tensor<?xi8>
}
