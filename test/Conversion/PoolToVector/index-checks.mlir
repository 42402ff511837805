// The option runtime-checks of convert-pool-to-vector. A check of indices asks
// for the largest index. For a packed tensor, this search must be a vector loop
// over all elements, not a scalar one.

// RUN: pool-opt %s --convert-pool-to-vector="target=x86_64-linux-gnu mcpu=x86-64-v4 vector-bits=128 runtime-checks=true" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @unpool(
// CHECK-SAME:    %{{.+}}: tensor<2x3x5xf32>, %[[INDICES:.+]]: tensor<2x3x5xi64>)
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[BOUND:.+]] = arith.constant 9 : index
// CHECK-DAG:     %[[END:.+]] = arith.constant 28 : index
// CHECK-DAG:     %[[ZEROS:.+]] = arith.constant dense<0> : vector<4xi64>
// CHECK-DAG:     %[[MASK:.+]] = arith.constant dense<[true, true, false, false]> : vector<4xi1>
// CHECK-DAG:     %[[BUFFER:.+]] = bufferization.to_buffer %[[INDICES]] read_only
// CHECK-DAG:     %[[ALL:.+]] = memref.collapse_shape %[[BUFFER]] {{\[}}[0, 1, 2]]
// CHECK:         %[[MOST:.+]] = scf.for %[[P:.+]] = %[[ZERO]] to %[[END]] step {{.+}} iter_args(%[[SO_FAR:.+]] = %[[ZEROS]])
// CHECK:           %[[LANES:.+]] = vector.load %[[ALL]][%[[P]]]
// CHECK:           arith.maxui %[[SO_FAR]], %[[LANES]]
// CHECK:         %[[REST:.+]] = vector.maskedload %[[ALL]][%[[END]]], %[[MASK]], %[[ZEROS]]
// CHECK:         %[[LARGEST:.+]] = arith.maxui %[[MOST]], %[[REST]]
// CHECK:         %[[LANE:.+]] = vector.reduction <maxui>, %[[LARGEST]]
// CHECK:         %[[INDEX:.+]] = arith.index_cast %[[LANE]] : i64 to index
// CHECK:         %[[OK:.+]] = arith.cmpi ult, %[[INDEX]], %[[BOUND]]
// CHECK:         cf.assert %[[OK]], "{{.*}}an index is negative
func.func @unpool(%v: tensor<2x3x5xf32>, %i: tensor<2x3x5xi64>)
    -> tensor<2x3x9xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<2x3x5xf32>, tensor<2x3x5xi64> -> tensor<2x3x9xf32>
  return %0 : tensor<2x3x9xf32>
}

// -----

// 32-bit indices are sign-extended only after the search: a negative index is
// among the largest unsigned numbers before and after the extension. Extents
// are unknown, and the tensor may be empty.

// CHECK-LABEL: func.func @grad(
// CHECK:         arith.maxui %{{.+}}, %{{.+}} : vector<8xi32>
// CHECK:         %[[LANE:.+]] = vector.reduction <maxui>
// CHECK:         %[[INDEX:.+]] = arith.index_cast %[[LANE]] : i32 to index
// CHECK:         %[[IN:.+]] = arith.cmpi ult, %[[INDEX]]
// CHECK:         %[[OK:.+]] = arith.ori %[[IN]], %{{.+}} : i1
// CHECK:         cf.assert %[[OK]], "{{.*}}an index is negative
func.func @grad(%x: tensor<?x3x?xf16>, %g: tensor<?x3x?xf16>,
                %i: tensor<?x3x?xi32>) -> tensor<?x3x?xf16> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2] strides [2] axis 2
    : tensor<?x3x?xf16>, tensor<?x3x?xf16>, tensor<?x3x?xi32>
    -> tensor<?x3x?xf16>
  return %0 : tensor<?x3x?xf16>
}
