// pool-align-allocations must give buffers without an alignment one, because
// non-temporal stores require it and would fault on other addresses. A given
// alignment stays.

// RUN: pool-opt %s --pool-align-allocations | FileCheck %s
// RUN: pool-opt %s --pool-align-allocations=alignment=4096 | FileCheck %s --check-prefix=PAGE
// RUN: not pool-opt %s --pool-align-allocations=alignment=48 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: pool-opt %s --pool-to-llvm=buffer-alignment=0 | FileCheck %s --check-prefix=MALLOC

// INVALID: alignment is 48, must be a power of two

// CHECK-LABEL: func.func @allocations(
// CHECK:         memref.alloc(%{{.+}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK:         memref.alloc() {alignment = 16 : i64} : memref<8xf32>
// CHECK:         memref.alloca() : memref<4xf32>
// PAGE-LABEL:  func.func @allocations(
// PAGE:          memref.alloc(%{{.+}}) {alignment = 4096 : i64} : memref<?xf32>
// PAGE:          memref.alloc() {alignment = 16 : i64} : memref<8xf32>

// LLVM-LABEL:   llvm.func @allocations(
// LLVM:           %[[BYTES:.+]] = llvm.mlir.constant(64 : index) : i64
// LLVM:           llvm.call @aligned_alloc(%[[BYTES]],
// MALLOC-LABEL: llvm.func @allocations(
// MALLOC-NOT:     aligned_alloc
// MALLOC:         llvm.call @malloc
func.func @allocations(%n: index, %x: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() {alignment = 16 : i64} : memref<8xf32>
  %c = memref.alloca() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  memref.store %x, %b[%c0] : memref<8xf32>
  memref.store %x, %c[%c0] : memref<4xf32>
  %0 = memref.load %a[%c0] : memref<?xf32>
  %1 = memref.load %b[%c0] : memref<8xf32>
  %2 = memref.load %c[%c0] : memref<4xf32>
  return %0, %1, %2 : f32, f32, f32
}

// Buffers of vectors may need a larger alignment than the default. The lowering
// to LLVM computes it, so the pass leaves them alone.

// CHECK-LABEL: func.func @vectors(
// CHECK:         memref.alloc(%{{.+}}) : memref<?xvector<32xf32>>
func.func @vectors(%n: index, %x: vector<32xf32>) -> vector<32xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xvector<32xf32>>
  memref.store %x, %a[%c0] : memref<?xvector<32xf32>>
  %0 = memref.load %a[%c0] : memref<?xvector<32xf32>>
  return %0 : vector<32xf32>
}
