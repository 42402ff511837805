// mlir-opt --affine-loop-fusion: a crash in ComputationSliceState::isMaximal.
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s1, 4, s0 - 4)>()[%n, %m] {
    affine.for %k = max affine_map<(d0) -> ((-d0 + 4) ceildiv 2, 0)>(%i) to 5 {
      %0 = affine.load %x[%i + %k * 2 - 4] : memref<?xf32>
      affine.store %0, %y[%i] : memref<?xf32>
    }
  }
  affine.for %i = 4 to min affine_map<()[s0, s1] -> (s1, s0 - 4)>()[%n, %m] {
    affine.for %k = 0 to 5 {
      %0 = affine.load %x[%i + %k * 2 - 4] : memref<?xf32>
      affine.store %0, %y[%i] : memref<?xf32>
    }
  }
  return
}
