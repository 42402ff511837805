// The operation min_pool: it must print and parse, canonicalise, decompose and
// resolve windows like max_pool, with the order reversed.

// RUN: pool-opt %s --split-input-file | pool-opt --split-input-file | FileCheck %s
// RUN: pool-opt %s --split-input-file --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: pool-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: pool-opt %s --split-input-file --pool-decompose | FileCheck %s --check-prefix=DECOMPOSE
// RUN: pool-opt %s --split-input-file --pool-resolve-windows | FileCheck %s --check-prefix=RESOLVE

// Default values are not printed. The default of pad_value is pos_inf.

// CHECK-LABEL: func @defaults(
// CHECK:         pool.min_pool %{{.+}} kernel [2, 2] : tensor<1x3x8x8xf32> -> tensor<1x3x7x7xf32>
// GENERIC:       "pool.min_pool"(%{{.+}}) <{
// GENERIC-SAME:    nan_mode = #pool.nan_mode<ignore>
// GENERIC-SAME:    pad_value = #pool.pad_value<pos_inf>
// DECOMPOSE-LABEL: func @defaults(
// DECOMPOSE:     pool.window_reduce <min> ins(%{{.+}} : tensor<1x3x8x8xf32>)
// DECOMPOSE-SAME:  pads_end [0, 0] -> tensor<1x3x7x7xf32>
func.func @defaults(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x7x7xf32> {
  %0 = pool.min_pool %x kernel [2, 2] pad_value pos_inf
     : tensor<1x3x8x8xf32> -> tensor<1x3x7x7xf32>
  return %0 : tensor<1x3x7x7xf32>
}

// -----

// CHECK-LABEL: func @everything(
// CHECK:         pool.min_pool %{{.+}} kernel [2, 3] strides [2, 1] dilations [1, 2] pads_begin [1, 0] pads_end [0, 1] rounding_type ceil layout channels_last axis 1 nan_mode propagate : tensor<?x?x?x3xui8> -> tensor<?x?x?x3xui8>, tensor<?x?x?x3xi32>
// DECOMPOSE-LABEL: func @everything(
// DECOMPOSE:     pool.window_reduce <min> ins(%{{.+}} : tensor<?x?x?x3xui8>) outs({{.+}} : tensor<?x?x?x3xui8>, tensor<?x?x?x3xi64>)
// DECOMPOSE-SAME:  positions [
func.func @everything(%x: tensor<?x?x?x3xui8>)
    -> (tensor<?x?x?x3xui8>, tensor<?x?x?x3xi32>) {
  %0, %1 = pool.min_pool %x kernel [2, 3] strides [2, 1] dilations [1, 2]
         pads_begin [1, 0] pads_end [0, 1] rounding_type ceil
         layout channels_last axis 1 nan_mode propagate
     : tensor<?x?x?x3xui8> -> tensor<?x?x?x3xui8>, tensor<?x?x?x3xi32>
  return %0, %1 : tensor<?x?x?x3xui8>, tensor<?x?x?x3xi32>
}

// -----

// Padding counts as zero, and zero may be the smallest value of a window.

// DECOMPOSE-LABEL: func @pad_value_zero(
// DECOMPOSE:     pool.window_reduce <min>
// DECOMPOSE-SAME:  pad_value zero
func.func @pad_value_zero(%x: tensor<1x2x6xi8>) -> tensor<1x2x6xi8> {
  %0 = pool.min_pool %x kernel [3] pads_begin [1] pads_end [1] pad_value zero
     : tensor<1x2x6xi8> -> tensor<1x2x6xi8>
  return %0 : tensor<1x2x6xi8>
}

// -----

// Padding has the largest value of the storage type, which may exceed the range
// of the quantised type. So results are clamped.

// DECOMPOSE-LABEL: func @narrow(
// DECOMPOSE:     pool.window_reduce <min>
// DECOMPOSE:     %[[MAX:.+]] = arith.constant 100 : i8
// DECOMPOSE:     arith.minsi %{{.+}}, %[[MAX]] : i8
func.func @narrow(%x: tensor<1x2x6x!quant.uniform<i8<-100:100>:f32, 0.5>>)
    -> tensor<1x2x6x!quant.uniform<i8<-100:100>:f32, 0.5>> {
  %0 = pool.min_pool %x kernel [3] pads_begin [1] pads_end [1]
     : tensor<1x2x6x!quant.uniform<i8<-100:100>:f32, 0.5>>
     -> tensor<1x2x6x!quant.uniform<i8<-100:100>:f32, 0.5>>
  return %0 : tensor<1x2x6x!quant.uniform<i8<-100:100>:f32, 0.5>>
}

// -----

// Attributes without effect become defaults, unused indices are removed, and
// types become as static as the rule allows.

// CANON-LABEL: func @normalize(
// CANON-SAME:    %[[X:.+]]: tensor<1x2x6x8xi16>
// CANON:         %[[Y:.+]] = pool.min_pool %[[X]] kernel [2, 2] auto_pad valid : tensor<1x2x6x8xi16> -> tensor<1x2x5x7xi16>
// CANON:         return %[[Y]]
func.func @normalize(%x: tensor<1x2x6x8xi16>) -> tensor<1x2x5x7xi16> {
  %cast = tensor.cast %x : tensor<1x2x6x8xi16> to tensor<?x2x?x8xi16>
  %0 = pool.min_pool %cast kernel [2, 2] strides [1, 1] auto_pad valid
         pads_begin [1, 1] axis -1 pad_value zero nan_mode propagate
     : tensor<?x2x?x8xi16> -> tensor<?x2x?x7xi16>
  %1 = tensor.cast %0 : tensor<?x2x?x7xi16> to tensor<1x2x5x7xi16>
  return %1 : tensor<1x2x5x7xi16>
}

// -----

// CANON-LABEL: func @unused_indices(
// CANON:         pool.min_pool %{{.+}} kernel [2] : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
func.func @unused_indices(%x: tensor<1x2x6xf32>) -> tensor<1x2x5xf32> {
  %0, %1 = pool.min_pool %x kernel [2] axis 2
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>, tensor<1x2x5xi32>
  return %0 : tensor<1x2x5xf32>
}

// -----

// A window of one element is the identity, except for a float under ignore,
// where NaN changes.

// CANON-LABEL: func @identity(
// CANON-SAME:    %[[X:.+]]: tensor<1x2x6xf32>, %[[I:.+]]: tensor<1x2x6xui16>
// CANON:         %[[Y:.+]] = pool.min_pool %[[X]] kernel [1] :
// CANON:         return %[[Y]], %[[X]], %[[I]]
func.func @identity(%x: tensor<1x2x6xf32>, %i: tensor<1x2x6xui16>)
    -> (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xui16>) {
  %0 = pool.min_pool %x kernel [1] : tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  %1 = pool.min_pool %x kernel [1] nan_mode propagate
     : tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  %2 = pool.min_pool %i kernel [1] : tensor<1x2x6xui16> -> tensor<1x2x6xui16>
  return %0, %1, %2 : tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xui16>
}

// -----

// RESOLVE-LABEL: func @resolve(
// RESOLVE:       pool.min_pool %{{.+}} kernel [3] strides [2] pads_end [1] : tensor<1x8x6xf32> -> tensor<1x8x3xf32>
func.func @resolve(%x: tensor<1x8x6xf32>) -> tensor<1x8x3xf32> {
  %0 = pool.min_pool %x kernel [3] strides [2] rounding_type ceil
         auto_pad valid : tensor<1x8x6xf32> -> tensor<1x8x3xf32>
  return %0 : tensor<1x8x3xf32>
}
