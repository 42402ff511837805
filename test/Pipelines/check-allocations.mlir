// pool-check-allocations inserts a check of the number of bytes before buffers
// with dynamic extents. Upstream's lowering multiplies without a check, so a
// product that wraps around would give a buffer that is too small.

// RUN: pool-opt %s --pool-check-allocations | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm=runtime-checks=true | FileCheck %s --check-prefix=LLVM
// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --check-prefix=UNCHECKED

// The limit is 2^63 bytes. The extents are compared with quotients, because
// products may wrap around.

// CHECK-LABEL: func.func @allocations(
// CHECK-SAME:    %[[N:.+]]: index, %[[M:.+]]: index)
// CHECK-DAG:     %[[MOST:.+]] = arith.constant 2305843009213693952 : index
// CHECK:         %[[FITS:.+]] = arith.cmpi ule, %[[N]], %[[MOST]] : index
// CHECK:         cf.assert %[[FITS]], "memref.alloc at {{.+}}: a buffer of type memref<?xf32> would have a negative extent, or more bytes than a 64-bit integer counts, where an extent of 0 counts as 1"
// CHECK-NEXT:    memref.alloc(%[[N]])
// CHECK:         %[[ROWS:.+]] = arith.constant 192153584101141162 : index
// CHECK:         %[[FEW:.+]] = arith.cmpi ule, %[[N]], %[[ROWS]] : index
// CHECK:         %[[LEFT:.+]] = arith.divui %{{.+}}, %{{.+}} : index
// CHECK:         %[[NARROW:.+]] = arith.cmpi ule, %[[M]], %[[LEFT]] : index
// CHECK:         %[[BOTH:.+]] = arith.andi %[[FEW]], %[[NARROW]] : i1
// CHECK:         cf.assert %[[BOTH]]
// CHECK-NEXT:    memref.alloc(%[[N]], %[[M]])
// CHECK-NEXT:    memref.alloc()
// CHECK-NOT:     cf.assert

// LLVM-COUNT-3:  llvm.call @puts
// UNCHECKED-NOT: llvm.call @puts
func.func @allocations(%n: index, %m: index) -> (memref<?xf32>, memref<?x3x?xi128>, memref<8xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n, %m) : memref<?x3x?xi128>
  %c = memref.alloc() : memref<8xf32>
  return %a, %b, %c : memref<?xf32>, memref<?x3x?xi128>, memref<8xf32>
}

// A vector of 3 floats takes the space of 4, so the limit is 2^63 / 16.
// CHECK-LABEL: func.func @vectors(
// CHECK-SAME:    %[[N:.+]]: index)
// CHECK:         %[[MOST:.+]] = arith.constant 576460752303423488 : index
// CHECK:         %[[FITS:.+]] = arith.cmpi ule, %[[N]], %[[MOST]] : index
// CHECK:         cf.assert %[[FITS]], "memref.alloc at {{.+}}: a buffer of type memref<?xvector<3xf32>> would have
// CHECK-NEXT:    memref.alloc(%[[N]]) : memref<?xvector<3xf32>>
func.func @vectors(%n: index) -> memref<?xvector<3xf32>> {
  %a = memref.alloc(%n) : memref<?xvector<3xf32>>
  return %a : memref<?xvector<3xf32>>
}
