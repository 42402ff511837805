// convert-pool-to-vector turns pool.largest_index into a loop over vectors.
// Where vectors do not fit, the operation must stay, and convert-pool-to-linalg
// makes loops of it.

// RUN: pool-opt %s --convert-pool-to-vector=vector-bits=128 --split-input-file | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-vector=runtime-checks --convert-pool-to-linalg --split-input-file \
// RUN:   | FileCheck %s --check-prefix=ALL --implicit-check-not='= pool.{{[lm]}}'

// CHECK-LABEL: func.func @one_dimension(
// CHECK-SAME:    %[[I:.+]]: tensor<16xi32>)
// CHECK:         %[[BUFFER:.+]] = bufferization.to_buffer %[[I]] read_only
// CHECK:         scf.for
// CHECK:           vector.load %[[BUFFER]]
// CHECK:         %[[LANE:.+]] = vector.reduction <maxui>
// CHECK:         %[[LARGEST:.+]] = arith.index_cast %[[LANE]] : i32 to index
// CHECK:         return %[[LARGEST]]
func.func @one_dimension(%i: tensor<16xi32>) -> index {
  %0 = pool.largest_index %i : tensor<16xi32>
  return %0 : index
}

// -----

// These stay for the lowering to linalg: a tensor without a dimension, an empty
// one, and a slice, whose rows may lie apart.

// CHECK-LABEL: func.func @scalar(
// CHECK:         pool.largest_index
func.func @scalar(%i: tensor<i64>) -> index {
  %0 = pool.largest_index %i : tensor<i64>
  return %0 : index
}

// CHECK-LABEL: func.func @empty(
// CHECK:         pool.largest_index
func.func @empty(%i: tensor<0x8xi64>) -> index {
  %0 = pool.largest_index %i : tensor<0x8xi64>
  return %0 : index
}

// CHECK-LABEL: func.func @slice(
// CHECK:         pool.largest_index
func.func @slice(%i: tensor<8x8xi64>) -> index {
  %slice = tensor.extract_slice %i[0, 0] [8, 4] [1, 1]
    : tensor<8x8xi64> to tensor<8x4xi64>
  %0 = pool.largest_index %slice : tensor<8x4xi64>
  return %0 : index
}

// ALL-LABEL: func.func @check_of_slice(
// ALL:         %[[LARGEST:.+]] = scf.for
// ALL:         %[[INSIDE:.+]] = arith.cmpi ult, %[[LARGEST]]
// ALL:         cf.assert %[[INSIDE]], "{{.*}}an index is negative
func.func @check_of_slice(%v: tensor<1x3x5xf32>, %i: tensor<1x9x9xi64>)
    -> tensor<1x3x9xf32> {
  %part = tensor.extract_slice %i[0, 1, 2] [1, 3, 5] [1, 1, 1]
    : tensor<1x9x9xi64> to tensor<1x3x5xi64>
  %0 = pool.max_unpool %v, %part axis 2
    : tensor<1x3x5xf32>, tensor<1x3x5xi64> -> tensor<1x3x9xf32>
  return %0 : tensor<1x3x9xf32>
}

// -----

// Here upstream's pass generates the run-time check. Halves of 64-bit elements
// are compared. If the largest does not fit the lower half, whole elements are
// compared again. With mask registers, whole elements are compared at once.

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
