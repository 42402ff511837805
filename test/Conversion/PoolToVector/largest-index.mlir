// Loops that are said to look for the largest index do so by vectors, whoever
// has made them and whatever surrounds them.

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

// Over all of a packed tensor at once.

// CHECK-LABEL: func.func @three_dimensions(
// CHECK-SAME:    %[[INDICES:.+]]: tensor<2x3x5xi64>)
// CHECK-DAG:     %[[END:.+]] = arith.constant 28 : index
// CHECK-DAG:     %[[ZEROS:.+]] = arith.constant dense<0> : vector<4xi64>
// CHECK-DAG:     %[[BUFFER:.+]] = bufferization.to_buffer %[[INDICES]] read_only
// CHECK-DAG:     %[[ALL:.+]] = memref.collapse_shape %[[BUFFER]] {{\[}}[0, 1, 2]]
// CHECK:         %[[MOST:.+]] = scf.for %[[P:.+]] = %{{.+}} to %{{.+}} step {{.+}} iter_args(%[[SO_FAR:.+]] = %{{.+}})
// CHECK:           %[[LANES:.+]] = vector.load %[[ALL]][%[[P]]]
// CHECK:           arith.maxui %[[SO_FAR]], %[[LANES]]
// CHECK:         %[[REST:.+]] = vector.maskedload %[[ALL]]
// CHECK:         %[[LARGEST:.+]] = arith.maxui %[[MOST]], %[[REST]]
// CHECK:         vector.reduction <maxui>, %[[LARGEST]]
func.func @three_dimensions(%i: tensor<2x3x5xi64>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %most = scf.for %a = %c0 to %c2 step %c1 iter_args(%most_a = %c0) -> (index) {
    %of_a = scf.for %b = %c0 to %c3 step %c1 iter_args(%most_b = %most_a) -> (index) {
      %of_b = scf.for %c = %c0 to %c5 step %c1 iter_args(%most_c = %most_b) -> (index) {
        %element = tensor.extract %i[%a, %b, %c] : tensor<2x3x5xi64>
        %index = arith.index_cast %element : i64 to index
        %next = arith.maxui %most_c, %index : index
        scf.yield %next : index
      }
      scf.yield %of_b : index
    }
    scf.yield %of_a : index
  } {pool.largest_index}
  return %most : index
}

// -----

// Nothing is known of a loop that reads two tensors, or one that is not there
// before it.

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

// Upstream's pass generates the checks, canonicalisation removes loops over a
// single slice, and those who write where indices say take over what is left.

// RUN: pool-opt %s --generate-runtime-verification --canonicalize --convert-pool-to-vector=vector-bits=128 --split-input-file | FileCheck %s --check-prefix=CHECKED

// CHECKED-LABEL: func.func @one_slice(
// CHECKED-NOT:     vector.reduction
// CHECKED:         %[[ANY:.+]] = memref.load %{{.+}} : memref<1xi32>
// CHECKED:         %[[OK:.+]] = arith.cmpi eq, %[[ANY]]
// CHECKED:         cf.assert %[[OK]], "{{.*}}an index is negative
func.func @one_slice(%v: tensor<1x3x5xf32>, %i: tensor<1x3x5xi64>)
    -> tensor<1x3x9xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x3x5xf32>, tensor<1x3x5xi64> -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}

// -----

// A check of another bound, or whose largest index is read elsewhere, stays.

// CHECKED-LABEL: func.func @own_bound(
// CHECKED:         %[[LANE:.+]] = vector.reduction <maxui>
// CHECKED:         %[[INDEX:.+]] = arith.index_cast %[[LANE]] : i64 to index
// CHECKED:         %[[OK:.+]] = arith.cmpi ult, %[[INDEX]]
// CHECKED:         cf.assert %[[OK]], "mine"
// CHECKED:         cf.assert %{{.+}}, "{{.*}}an index is negative
// CHECKED-NOT:     cf.assert
func.func @own_bound(%v: tensor<1x1x5xf32>, %i: tensor<1x1x5xi64>) -> tensor<1x1x9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %most = scf.for %p = %c0 to %c5 step %c1 iter_args(%so_far = %c0) -> (index) {
    %element = tensor.extract %i[%c0, %c0, %p] : tensor<1x1x5xi64>
    %index = arith.index_cast %element : i64 to index
    %next = arith.maxui %so_far, %index : index
    scf.yield %next : index
  } {pool.largest_index}
  %is_small = arith.cmpi ult, %most, %c5 : index
  cf.assert %is_small, "mine"
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x1x5xf32>, tensor<1x1x5xi64> -> tensor<1x1x9xf32>
  return %0 : tensor<1x1x9xf32>
}
