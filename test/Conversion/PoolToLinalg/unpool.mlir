// convert-pool-to-linalg turns max_unpool into loops that write in place, also
// after bufferisation. An index that is out of bounds must write nothing.

// RUN: pool-opt %s --convert-pool-to-linalg --canonicalize | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-linalg --canonicalize \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --cse --canonicalize | FileCheck %s --check-prefix=BUFFER

// An index is a position in the plane, and planes are independent. The code
// computes its coordinates only if the index is in bounds.

// CHECK-LABEL: func @max_unpool_plane(
// CHECK-SAME:    %[[V:.+]]: tensor<2x3x4x5xf32>, %[[I:.+]]: tensor<2x3x4x5xi64>)
// CHECK-DAG:     %[[BOUND:.+]] = arith.constant 80 : index
// CHECK-DAG:     %[[WIDTH:.+]] = arith.constant 10 : index
// CHECK:         %[[ZEROS:.+]] = linalg.fill
// CHECK:         %[[R:.+]] = scf.forall (%[[N:[a-z0-9]+]], %[[C:[a-z0-9]+]]) in (2, 3) shared_outs(%[[ALL:.+]] = %[[ZEROS]])
// CHECK:           %[[PLANE:.+]] = tensor.extract_slice %[[ALL]][%[[N]], %[[C]], 0, 0] [1, 1, 8, 10] [1, 1, 1, 1]
// CHECK:             %[[NEW_PLANE:.+]] = scf.for %[[H:[a-z0-9]+]] = {{.+}} iter_args(%{{.+}} = %[[PLANE]])
// CHECK:               scf.for %[[W:[a-z0-9]+]] = {{.+}} iter_args(%[[T:[a-z0-9]+]] =
// CHECK:                 %[[VALUE:.+]] = tensor.extract %[[V]][%[[N]], %[[C]], %[[H]], %[[W]]]
// CHECK:                 %[[INDEX:.+]] = tensor.extract %[[I]][%[[N]], %[[C]], %[[H]], %[[W]]]
// CHECK:                 %[[FLAT:.+]] = arith.index_cast %[[INDEX]] : i64 to index
// CHECK:                 %[[INSIDE:.+]] = arith.cmpi ult, %[[FLAT]], %[[BOUND]]
// CHECK:                 scf.if %[[INSIDE]]
// CHECK:                   %[[X:.+]] = arith.remui %[[FLAT]], %[[WIDTH]]
// CHECK:                   %[[Y:.+]] = arith.divui %[[FLAT]], %[[WIDTH]]
// CHECK:                   %[[NEW:.+]] = tensor.insert %[[VALUE]] into %[[T]][%{{.+}}, %{{.+}}, %[[Y]], %[[X]]]
// CHECK:                   scf.yield %[[NEW]]
// CHECK:                 else
// CHECK:                   scf.yield %[[T]]
// CHECK:           scf.forall.in_parallel
// CHECK:             tensor.parallel_insert_slice %[[NEW_PLANE]] into %[[ALL]][%[[N]], %[[C]], 0, 0]
// CHECK:         return %[[R]]

// BUFFER-LABEL: func @max_unpool_plane(
// BUFFER:         memref.alloc() {{.*}}: memref<2x3x8x10xf32>
// BUFFER-NOT:     memref.alloc
// BUFFER-NOT:     memref.copy
// BUFFER:         scf.if
// BUFFER:           memref.store
// BUFFER-NOT:     memref.copy
// BUFFER:         return
func.func @max_unpool_plane(%v: tensor<2x3x4x5xf32>, %i: tensor<2x3x4x5xi64>)
    -> tensor<2x3x8x10xf32> {
  %0 = pool.max_unpool %v, %i axis 2
     : tensor<2x3x4x5xf32>, tensor<2x3x4x5xi64> -> tensor<2x3x8x10xf32>
  return %0 : tensor<2x3x8x10xf32>
}

// The result has dynamic extents and an unsigned type. Indices count over the
// whole tensor, so no dimension is independent.

// CHECK-LABEL: func @max_unpool_dynamic(
// CHECK-SAME:    %[[V:.+]]: tensor<?x3x?xui8>, %[[I:.+]]: tensor<?x3x?xi32>, %[[N:.+]]: index, %[[W:.+]]: index)
// CHECK:         %[[ROWS:.+]] = arith.muli %[[N]], %{{.+}}
// CHECK:         %[[BOUND:.+]] = arith.muli %[[ROWS]], %[[W]]
// CHECK:         %[[ZERO:.+]] = builtin.unrealized_conversion_cast %{{.+}} : i8 to ui8
// CHECK:         %[[EMPTY:.+]] = tensor.empty(%[[N]], %[[W]]) : tensor<?x3x?xui8>
// CHECK:         linalg.fill ins(%[[ZERO]] : ui8) outs(%[[EMPTY]]
// CHECK-NOT:     scf.forall
// CHECK:         arith.cmpi ult, %{{.+}}, %[[BOUND]]
// CHECK:         tensor.insert %{{.+}} into {{.+}} : tensor<?x3x?xui8>

// BUFFER-LABEL: func @max_unpool_dynamic(
// BUFFER:         memref.alloc(
// BUFFER-NOT:     memref.alloc
// BUFFER-NOT:     memref.copy
// BUFFER:         return
func.func @max_unpool_dynamic(%v: tensor<?x3x?xui8>, %i: tensor<?x3x?xi32>,
                              %n: index, %w: index) -> tensor<?x3x?xui8> {
  %0 = pool.max_unpool %v, %i extents(%n, %w)
     : tensor<?x3x?xui8>, tensor<?x3x?xi32> -> tensor<?x3x?xui8>
  return %0 : tensor<?x3x?xui8>
}

// Indices over one dimension are coordinates, so they need no division.

// CHECK-LABEL: func @max_unpool_last_axis(
// CHECK-NOT:     arith.divui
// CHECK:         return
func.func @max_unpool_last_axis(%v: tensor<2x3x4xbf16>, %i: tensor<2x3x4xi32>)
    -> tensor<2x3x8xbf16> {
  %0 = pool.max_unpool %v, %i axis -1
     : tensor<2x3x4xbf16>, tensor<2x3x4xi32> -> tensor<2x3x8xbf16>
  return %0 : tensor<2x3x8xbf16>
}
