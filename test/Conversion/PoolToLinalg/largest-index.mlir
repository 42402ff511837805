// convert-pool-to-linalg turns pool.largest_index into loops that compare one
// index after the other. Run-time checks use this operation to find an index
// that is out of bounds. Comparisons are unsigned, so a negative index is the
// largest.

// RUN: pool-opt %s --convert-pool-to-linalg --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @indices(
// CHECK-SAME:    %[[I:.+]]: tensor<2x?xi32>)
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.+]] = arith.constant 2 : index
// CHECK:         %[[COLUMNS:.+]] = tensor.dim %[[I]]
// CHECK:         %[[LARGEST:.+]] = scf.for %[[R:.+]] = %[[C0]] to %[[C2]] {{.*}} iter_args(%[[ROWS:.+]] = %[[C0]])
// CHECK:           scf.for %[[C:.+]] = %[[C0]] to %[[COLUMNS]] {{.*}} iter_args(%[[SO_FAR:.+]] = %[[ROWS]])
// CHECK:             %[[ELEMENT:.+]] = tensor.extract %[[I]][%[[R]], %[[C]]]
// CHECK:             %[[INDEX:.+]] = arith.index_cast %[[ELEMENT]] : i32 to index
// CHECK:             arith.maxui %[[SO_FAR]], %[[INDEX]] : index
// CHECK:         return %[[LARGEST]]
func.func @indices(%i: tensor<2x?xi32>) -> index {
  %0 = pool.largest_index %i : tensor<2x?xi32>
  return %0 : index
}

// A tensor without a dimension has one element.

// CHECK-LABEL: func.func @scalar(
// CHECK:         %[[ELEMENT:.+]] = tensor.extract %{{.+}}[] : tensor<i64>
// CHECK:         %[[INDEX:.+]] = arith.index_cast %[[ELEMENT]] : i64 to index
// CHECK:         return %[[INDEX]]
func.func @scalar(%i: tensor<i64>) -> index {
  %0 = pool.largest_index %i : tensor<i64>
  return %0 : index
}

// CHECK-LABEL: func.func @empty(
// CHECK:         %[[C0:.+]] = arith.constant 0 : index
// CHECK:         return %[[C0]]
func.func @empty(%i: tensor<0x8xi64>) -> index {
  %0 = pool.largest_index %i : tensor<0x8xi64>
  return %0 : index
}
