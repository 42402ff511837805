// mlir-opt --buffer-deallocation-simplification reads a cast that it has erased.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func private @callee(memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32>
func.func @caller(%n: index, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %view = memref.subview %a[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  %cast = memref.cast %view : memref<2xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: 1>>
  %again = memref.cast %cast : memref<?xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: ?>>
  %r = call @callee(%again) : (memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<?xf32> -> memref<f32>, index, index, index
  %owned = bufferization.dealloc (%base : memref<f32>) if (%c) retain (%r : memref<?xf32>)
  return %r : memref<?xf32>
}
