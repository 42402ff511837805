// What the operation min_pool has that max_pool has not: the largest numbers of
// types. Tests of max_pool run with min_pool, too, by %to_minima.

// RUN: pool-opt %s --split-input-file --pool-decompose | FileCheck %s --check-prefix=DECOMPOSE
// RUN: pool-opt %s --split-input-file --int-range-optimizations | FileCheck %s --check-prefix=RANGES

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

// Indices are below the number of positions. Values lie in the range of the
// input; for a window of only padding, the value is the largest one of the
// type.

// RANGES-LABEL: func.func @ranges(
// RANGES-DAG:     %[[TRUE:.+]] = arith.constant dense<true>
// RANGES-DAG:     %[[BELOW:.+]] = arith.cmpi sle
// RANGES:         return %[[TRUE]], %[[TRUE]], %[[BELOW]]
func.func @ranges(%i: tensor<1x3x8xi8>)
    -> (tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x5xi1>) {
  %low = arith.constant dense<3> : tensor<1x3x8xi8>
  %x = arith.andi %i, %low : tensor<1x3x8xi8>
  %0, %1 = pool.min_pool %x kernel [2] axis 2
         : tensor<1x3x8xi8> -> tensor<1x3x7xi8>, tensor<1x3x7xi32>
  %bound = arith.constant dense<8> : tensor<1x3x7xi32>
  %2 = arith.cmpi slt, %1, %bound : tensor<1x3x7xi32>
  %most = arith.constant dense<3> : tensor<1x3x7xi8>
  %3 = arith.cmpi sle, %0, %most : tensor<1x3x7xi8>
  // The last window has only padding.
  %4 = pool.min_pool %x kernel [1] strides [3] pads_end [5]
     : tensor<1x3x8xi8> -> tensor<1x3x5xi8>
  %most5 = arith.constant dense<3> : tensor<1x3x5xi8>
  %5 = arith.cmpi sle, %4, %most5 : tensor<1x3x5xi8>
  return %2, %3, %5 : tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x5xi1>
}
