// mlir-opt --canonicalize: "expected lower bound map to have at least one result".
func.func @f(%m: memref<?xi8>, %c: i8) {
  affine.for %i = 6 to 1 {
    affine.for %j = max affine_map<(d0) -> (-d0 + 1, 0)>(%i)
                 to min affine_map<(d0) -> (-d0 + 8, 3)>(%i) {
      affine.store %c, %m[%j] : memref<?xi8>
    }
  }
  return
}
