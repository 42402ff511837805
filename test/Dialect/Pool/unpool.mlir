// Prints and parses max_unpool: omitted attributes, dynamic extents, element
// types, ranks. The pretty form, the generic form and bytecode must keep all of
// these.

// RUN: pool-opt %s | FileCheck %s
// RUN: pool-opt %s --mlir-print-op-generic | pool-opt | FileCheck %s
// RUN: pool-opt %s --emit-bytecode | pool-opt | FileCheck %s

// CHECK-LABEL: func @max_unpool_defaults(
// CHECK-SAME:    %[[V:.+]]: tensor<1x2x2x2xf32>, %[[I:.+]]: tensor<1x2x2x2xi64>)
// CHECK:         pool.max_unpool %[[V]], %[[I]] : tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64> -> tensor<1x2x4x4xf32>
func.func @max_unpool_defaults(%v: tensor<1x2x2x2xf32>, %i: tensor<1x2x2x2xi64>)
    -> tensor<1x2x4x4xf32> {
  %0 = "pool.max_unpool"(%v, %i) <{axis = 0 : i64}>
     : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func @max_unpool_generic_without_properties(
// CHECK:         pool.max_unpool %{{.+}}, %{{.+}} : tensor<1x2x2x2xui8>
func.func @max_unpool_generic_without_properties(
    %v: tensor<1x2x2x2xui8>, %i: tensor<1x2x2x2xi32>) -> tensor<1x2x4x4xui8> {
  %0 = "pool.max_unpool"(%v, %i)
     : (tensor<1x2x2x2xui8>, tensor<1x2x2x2xi32>) -> tensor<1x2x4x4xui8>
  return %0 : tensor<1x2x4x4xui8>
}

// CHECK-LABEL: func @max_unpool_dynamic(
// CHECK-SAME:    %[[V:.+]]: tensor<?x3x?x?xbf16>, %[[I:.+]]: tensor<?x3x?x?xi32>, %[[N:.+]]: index, %[[W:.+]]: index)
// CHECK:         pool.max_unpool %[[V]], %[[I]] extents(%[[N]], %[[W]]) axis -2 : tensor<?x3x?x?xbf16>, tensor<?x3x?x?xi32> -> tensor<?x3x8x?xbf16>
func.func @max_unpool_dynamic(%v: tensor<?x3x?x?xbf16>, %i: tensor<?x3x?x?xi32>,
                              %n: index, %w: index) -> tensor<?x3x8x?xbf16> {
  %0 = pool.max_unpool %v, %i extents(%n, %w) axis -2
     : tensor<?x3x?x?xbf16>, tensor<?x3x?x?xi32> -> tensor<?x3x8x?xbf16>
  return %0 : tensor<?x3x8x?xbf16>
}

// Operands may have any rank from 3 on, or none.

// CHECK-LABEL: func @max_unpool_ranks(
// CHECK:         pool.max_unpool %{{.+}}, %{{.+}} axis 2 : tensor<1x2x3xi8>, tensor<1x2x3xi32> -> tensor<1x2x9xi8>
// CHECK:         pool.max_unpool %{{.+}}, %{{.+}} : tensor<*xf64>, tensor<*xi64> -> tensor<1x1x2x2x2x2xf64>
func.func @max_unpool_ranks(%v: tensor<1x2x3xi8>, %i: tensor<1x2x3xi32>,
                            %w: tensor<*xf64>, %j: tensor<*xi64>)
    -> (tensor<1x2x9xi8>, tensor<1x1x2x2x2x2xf64>) {
  %0 = pool.max_unpool %v, %i axis 2
     : tensor<1x2x3xi8>, tensor<1x2x3xi32> -> tensor<1x2x9xi8>
  %1 = pool.max_unpool %w, %j
     : tensor<*xf64>, tensor<*xi64> -> tensor<1x1x2x2x2x2xf64>
  return %0, %1 : tensor<1x2x9xi8>, tensor<1x1x2x2x2x2xf64>
}

// The axis is after the first spatial dimension, so values and result must have
// the same extent in that dimension.

// CHECK-LABEL: func @max_unpool_spatial_axis(
// CHECK:         pool.max_unpool %{{.+}}, %{{.+}} axis 3
func.func @max_unpool_spatial_axis(%v: tensor<1x2x5x2xf32>,
                                   %i: tensor<1x2x5x2xi32>)
    -> tensor<1x2x5x7xf32> {
  %0 = pool.max_unpool %v, %i axis 3
     : tensor<1x2x5x2xf32>, tensor<1x2x5x2xi32> -> tensor<1x2x5x7xf32>
  return %0 : tensor<1x2x5x7xf32>
}

// The batch is empty, which is valid.

// CHECK-LABEL: func @max_unpool_empty_batch(
// CHECK:         pool.max_unpool
func.func @max_unpool_empty_batch(%v: tensor<0x2x5x2xf32>,
                                  %i: tensor<0x2x5x2xi32>)
    -> tensor<0x2x9x9xf32> {
  %0 = pool.max_unpool %v, %i axis 1
     : tensor<0x2x5x2xf32>, tensor<0x2x5x2xi32> -> tensor<0x2x9x9xf32>
  return %0 : tensor<0x2x9x9xf32>
}
