// A loop with the attribute `pool.largest_index` becomes a vector loop,
// wherever the loop stands and whoever made it.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @own_loop(
// CHECK-SAME:    %[[I:[^:]+]]: tensor<16xi32>, %[[FIRST:.+]]: index)
// CHECK:         %[[BUFFER:.+]] = bufferization.to_buffer %[[I]] read_only
// CHECK:         scf.for
// CHECK:           vector.load %[[BUFFER]]
// CHECK:         %[[LANE:.+]] = vector.reduction <maxui>
// CHECK:         %[[LARGEST:.+]] = arith.index_cast %[[LANE]] : i32 to index
// CHECK:         %[[RESULT:.+]] = arith.maxui %[[LARGEST]], %[[FIRST]] : index
// CHECK:         return %[[RESULT]]
func.func @own_loop(%i: tensor<16xi32>, %first: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %most = scf.for %p = %c0 to %c16 step %c1 iter_args(%so_far = %first) -> (index) {
    %element = tensor.extract %i[%p] : tensor<16xi32>
    %index = arith.index_cast %element : i32 to index
    %next = arith.maxui %so_far, %index : index
    scf.yield %next : index
  } {pool.largest_index}
  return %most : index
}

// -----

// These loops are left alone: one reads two tensors, the other a tensor that is
// defined inside the loop.

// CHECK-LABEL: func.func @two_tensors(
// CHECK-NOT:     vector.
// CHECK:         return
func.func @two_tensors(%i: tensor<16xi32>, %j: tensor<16xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %most = scf.for %p = %c0 to %c16 step %c1 iter_args(%so_far = %c0) -> (index) {
    %a = tensor.extract %i[%p] : tensor<16xi32>
    %b = tensor.extract %j[%p] : tensor<16xi32>
    %c = arith.maxui %a, %b : i32
    %index = arith.index_cast %c : i32 to index
    %next = arith.maxui %so_far, %index : index
    scf.yield %next : index
  } {pool.largest_index}
  return %most : index
}

// CHECK-LABEL: func.func @tensor_within(
// CHECK-NOT:     vector.
// CHECK:         return
func.func @tensor_within() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %most = scf.for %p = %c0 to %c16 step %c1 iter_args(%so_far = %c0) -> (index) {
    %i = tensor.empty() : tensor<16xi32>
    %element = tensor.extract %i[%p] : tensor<16xi32>
    %index = arith.index_cast %element : i32 to index
    %next = arith.maxui %so_far, %index : index
    scf.yield %next : index
  } {pool.largest_index}
  return %most : index
}

// -----

// Here upstream's pass generates the run-time check. Canonicalisation removes
// the loops over the single slice, and the rest must still become vectors.
// Halves of 64-bit elements are compared. If the largest does not fit the lower
// half, whole elements are compared again. With mask registers, whole elements
// are compared at once.

// RUN: pool-opt %s --generate-runtime-verification --canonicalize --convert-pool-to-vector=vector-bits=128 --split-input-file | FileCheck %s --check-prefixes=CHECKED,HALVES
// RUN: pool-opt %s --generate-runtime-verification --canonicalize --convert-pool-to-vector=vector-bits=512 --split-input-file | FileCheck %s --check-prefixes=CHECKED,WHOLE

// CHECKED-LABEL: func.func @one_slice(
// HALVES:          %[[LOADED:.+]] = vector.bitcast %{{.+}} : vector<4xi64> to vector<8xi32>
// HALVES:          arith.maxui %{{.+}}, %[[LOADED]] : vector<8xi32>
// HALVES:          scf.yield
// HALVES:          %[[PARTS:.+]] = arith.maxui %{{.+}} : vector<8xi32>
// HALVES:          %[[JOINED:.+]] = vector.bitcast %[[PARTS]] : vector<8xi32> to vector<4xi64>
// HALVES:          %[[OF_PARTS:.+]] = vector.reduction <maxui>, %[[JOINED]] : vector<4xi64>
// HALVES:          %[[LIMIT:.+]] = arith.constant 4294967296 : i64
// HALVES:          %[[FITS:.+]] = arith.cmpi ult, %[[OF_PARTS]], %[[LIMIT]]
// HALVES:          %[[LANE:.+]] = scf.if %[[FITS]] -> (i64) {
// HALVES-NEXT:       scf.yield %[[OF_PARTS]]
// HALVES-NEXT:     } else {
// HALVES:            arith.maxui %{{.+}} : vector<4xi64>
// HALVES:            %[[OF_WHOLE:.+]] = vector.reduction <maxui>
// HALVES-NEXT:       scf.yield %[[OF_WHOLE]]
// WHOLE-NOT:       vector.bitcast
// WHOLE:           %[[LANE:.+]] = vector.reduction <maxui>
// CHECKED:         %[[INDEX:.+]] = arith.index_cast %[[LANE]] : i64 to index
// CHECKED:         %[[OK:.+]] = arith.cmpi ult, %[[INDEX]]
// CHECKED:         cf.assert %[[OK]], "{{.*}}an index is negative
func.func @one_slice(%v: tensor<1x3x5xf32>, %i: tensor<1x3x5xi64>)
    -> tensor<1x3x9xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x3x5xf32>, tensor<1x3x5xi64> -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}
