// mlir-opt --canonicalize: "are cast incompatible".
func.func @view(%x: memref<?x1x?xf32>)
    -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %0 = memref.subview %x[%c0, %c0, 0] [%c1, 1, %c32] [1, %c1, %c1]
      : memref<?x1x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
