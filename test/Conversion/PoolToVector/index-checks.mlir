// The check that no index is too large is answered by the loops that write where
// indices say, which leave out what is nowhere; where it cannot be, it looks for
// the largest by vectors.

// RUN: pool-opt %s --convert-pool-to-vector="vector-bits=128 runtime-checks=true" --canonicalize --cse --split-input-file | FileCheck %s -enable-var-scope

// CHECK-LABEL: func.func @unpool(
// CHECK-NOT:     vector.reduction
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[NO:.+]] = arith.constant 0 : i32
// CHECK-DAG:     %[[YES:.+]] = arith.constant 1 : i32
// CHECK-DAG:     %[[BOUND:.+]] = arith.constant 9 : index
// CHECK:         %[[MISSING:.+]] = memref.alloc() : memref<1xi32>
// CHECK:         memref.store %[[NO]], %[[MISSING]][%[[ZERO]]]
// CHECK:         %[[IS_THERE:.+]] = arith.cmpi ult, %{{.+}}, %[[BOUND]] : index
// CHECK:         scf.if %[[IS_THERE]] {
// CHECK:           memref.store
// CHECK:         } else {
// CHECK:           memref.atomic_rmw assign %[[YES]], %[[MISSING]][%[[ZERO]]]
// CHECK:         %[[ANY:.+]] = memref.load %[[MISSING]][%[[ZERO]]]
// CHECK:         %[[OK:.+]] = arith.cmpi eq, %[[ANY]], %[[NO]] : i32
// CHECK:         cf.assert %[[OK]], "{{.*}}an index is negative
// CHECK-NOT:     cf.assert
func.func @unpool(%v: tensor<2x3x5xf32>, %i: tensor<2x3x5xi64>)
    -> tensor<2x3x9xf32> {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<2x3x5xf32>, tensor<2x3x5xi64> -> tensor<2x3x9xf32>
  return %0 : tensor<2x3x9xf32>
}

// -----

// Each operation's own check is taken over, of indices that two read.

// CHECK-LABEL: func.func @two_readers(
// CHECK-NOT:     arith.maxui
// CHECK:         cf.assert %{{.+}}, "{{.*}}an index is negative
// CHECK-NOT:     arith.maxui
// CHECK:         cf.assert %{{.+}}, "{{.*}}an index is negative
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @two_readers(%v: tensor<2x3x5xf32>, %i: tensor<2x3x5xi64>)
    -> (tensor<2x3x9xf32>, tensor<2x3x10xf32>) {
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<2x3x5xf32>, tensor<2x3x5xi64> -> tensor<2x3x9xf32>
  %1 = pool.max_unpool %v, %i axis 2
    : tensor<2x3x5xf32>, tensor<2x3x5xi64> -> tensor<2x3x10xf32>
  return %0, %1 : tensor<2x3x9xf32>, tensor<2x3x10xf32>
}

// -----

// A gradient has windows of no elements, whose indices are checked but count
// nothing.

// CHECK-LABEL: func.func @padding_alone(
// CHECK:         %[[IS_THERE:.+]] = arith.cmpi ult
// CHECK:         scf.if %[[IS_THERE]] {
// CHECK:           %[[HAS_ELEMENT:.+]] = arith.cmpi ne
// CHECK:           scf.if %[[HAS_ELEMENT]] {
// CHECK:         } else {
// CHECK:           memref.atomic_rmw assign
func.func @padding_alone(%x: tensor<2x3x4xf32>, %g: tensor<2x3x3xf32>,
                         %i: tensor<2x3x3xi64>) -> tensor<2x3x4xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2] strides [3] pads_begin [2]
         pads_end [2] axis 2
    : tensor<2x3x4xf32>, tensor<2x3x3xf32>, tensor<2x3x3xi64>
    -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// Indices of 32 bits are extended by their sign at the end: as unsigned, a
// negative one is the largest either way. Unknown extents, maybe of no element.

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

// -----

// A part of a tensor of unknown extents is looked through element by element.

// CHECK-LABEL: func.func @part(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             arith.maxui %{{.+}}, %{{.+}} : index
// CHECK:         cf.assert
func.func @part(%v: tensor<1x3x5xf32>, %i: tensor<1x9x9xi64>, %size: index)
    -> tensor<1x3x?xf32> {
  %part = tensor.extract_slice %i[0, 1, 2] [1, 3, 5] [1, 1, 1]
    : tensor<1x9x9xi64> to tensor<1x3x5xi64>
  %0 = pool.max_unpool %v, %part extents(%size) axis 2
    : tensor<1x3x5xf32>, tensor<1x3x5xi64> -> tensor<1x3x?xf32>
  return %0 : tensor<1x3x?xf32>
}

// -----

// So is what is known to be empty.

// CHECK-LABEL: func.func @no_values(
// CHECK-NOT:     = pool.
// CHECK:         return
func.func @no_values(%v: tensor<0x3x?xf32>, %i: tensor<0x3x?xi64>)
    -> tensor<2x3x8xf32> {
  %0 = pool.max_unpool %v, %i
    : tensor<0x3x?xf32>, tensor<0x3x?xi64> -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// -----

// So are loops over some of the elements, which are no check.

// CHECK-LABEL: func.func @own_loops(
// CHECK:         scf.for
// CHECK:           tensor.extract
// CHECK:           arith.maxui %{{.+}}, %{{.+}} : index
// CHECK:         return
func.func @own_loops(%v: tensor<1x1x5xf32>, %i: tensor<1x1x5xi64>)
    -> (tensor<1x1x9xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %most = scf.for %p = %c0 to %c4 step %c1 iter_args(%so_far = %c0) -> (index) {
    %index = tensor.extract %i[%c0, %c0, %p] : tensor<1x1x5xi64>
    %cast = arith.index_cast %index : i64 to index
    %next = arith.maxui %so_far, %cast : index
    scf.yield %next : index
  }
  %0 = pool.max_unpool %v, %i axis 2
    : tensor<1x1x5xf32>, tensor<1x1x5xi64> -> tensor<1x1x9xf32>
  return %0, %most : tensor<1x1x9xf32>, index
}
