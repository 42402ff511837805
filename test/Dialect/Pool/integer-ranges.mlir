// Upstream's integer range analysis on pooling. It must know that indices are
// below the number of positions, and that results lie in the range of the
// input's elements. A range that is too narrow would make upstream fold
// comparisons wrongly.

// RUN: pool-opt %s --int-range-optimizations --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @indices(
// CHECK-DAG:     %[[TRUE:.+]] = arith.constant dense<true> : tensor<1x3x7x7xi1>
// CHECK-DAG:     %[[CMP:.+]] = arith.cmpi slt
// CHECK:         return %[[TRUE]], %[[TRUE]], %[[CMP]]
func.func @indices(%x: tensor<1x3x8x8xf32>)
    -> (tensor<1x3x7x7xi1>, tensor<1x3x7x7xi1>, tensor<1x3x7x7xi1>) {
  %0, %1 = pool.max_pool %x kernel [2, 2] axis 2
         : tensor<1x3x8x8xf32> -> tensor<1x3x7x7xf32>, tensor<1x3x7x7xi32>
  %zero = arith.constant dense<0> : tensor<1x3x7x7xi32>
  %bound = arith.constant dense<64> : tensor<1x3x7x7xi32>
  %last = arith.constant dense<63> : tensor<1x3x7x7xi32>
  %2 = arith.cmpi sge, %1, %zero : tensor<1x3x7x7xi32>
  %3 = arith.cmpi slt, %1, %bound : tensor<1x3x7x7xi32>
  %4 = arith.cmpi slt, %1, %last : tensor<1x3x7x7xi32>
  return %2, %3, %4 : tensor<1x3x7x7xi1>, tensor<1x3x7x7xi1>, tensor<1x3x7x7xi1>
}

// -----

// With unknown extents, the analysis knows that indices are not negative. This
// is tested for max_pool and for adaptive pooling.

// CHECK-LABEL: func.func @dynamic_indices(
// CHECK-DAG:     %[[TRUE:.+]] = arith.constant dense<true> : tensor<1x3x4xi1>
// CHECK-DAG:     %[[CMP:.+]] = arith.cmpi slt
// CHECK:         return %[[TRUE]], %[[CMP]]
func.func @dynamic_indices(%x: tensor<1x3x?xf32>)
    -> (tensor<1x3x4xi1>, tensor<1x3x4xi1>) {
  %0, %1 = pool.adaptive_max_pool %x output_size [4]
         : tensor<1x3x?xf32> -> tensor<1x3x4xf32>, tensor<1x3x4xi64>
  %zero = arith.constant dense<0> : tensor<1x3x4xi64>
  %some = arith.constant dense<1000> : tensor<1x3x4xi64>
  %2 = arith.cmpi sge, %1, %zero : tensor<1x3x4xi64>
  %3 = arith.cmpi slt, %1, %some : tensor<1x3x4xi64>
  return %2, %3 : tensor<1x3x4xi1>, tensor<1x3x4xi1>
}

// -----

// A maximum is one of its elements, and an average lies between its elements.
// If padding counts, the range includes the padding.

// CHECK-LABEL: func.func @values(
// CHECK-DAG:     %[[TRUE:.+]] = arith.constant dense<true> : tensor<1x3x7xi1>
// CHECK-DAG:     %[[PADDED:.+]] = arith.cmpi sge
// CHECK:         return %[[TRUE]], %[[TRUE]], %[[PADDED]]
func.func @values(%x: tensor<1x3x8xi8>)
    -> (tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x7xi1>) {
  %low = arith.constant dense<3> : tensor<1x3x8xi8>
  %y = arith.maxsi %x, %low : tensor<1x3x8xi8>
  %0 = pool.max_pool %y kernel [4] pads_begin [1] pads_end [1]
     : tensor<1x3x8xi8> -> tensor<1x3x7xi8>
  %1 = pool.avg_pool %y kernel [4] pads_begin [1] pads_end [1]
     : tensor<1x3x8xi8> -> tensor<1x3x7xi8>
  %2 = pool.avg_pool %y kernel [4] pads_begin [1] pads_end [1] divisor padded
     : tensor<1x3x8xi8> -> tensor<1x3x7xi8>
  %three = arith.constant dense<3> : tensor<1x3x7xi8>
  %c0 = arith.cmpi sge, %0, %three : tensor<1x3x7xi8>
  %c1 = arith.cmpi sge, %1, %three : tensor<1x3x7xi8>
  %c2 = arith.cmpi sge, %2, %three : tensor<1x3x7xi8>
  return %c0, %c1, %c2 : tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x7xi1>
}

// -----

// Results outside the range of the elements: a window of only padding gives the
// lowest integer. Zero padding, and positions that no index names, give zero. A
// sum, or a different zero point, may give any value.

// CHECK-LABEL: func.func @other_values(
// CHECK:         %[[TRUE:.+]] = arith.constant dense<true> : tensor<1x3x8xi1>
// CHECK-COUNT-5: arith.cmpi sge
// CHECK:         return {{.*}}, %[[TRUE]] :
func.func @other_values(%x: tensor<1x3x8xi8>, %i: tensor<1x3x8xi32>)
    -> (tensor<1x3x11xi1>, tensor<1x3x9xi1>, tensor<1x3x9xi1>,
        tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x8xi1>) {
  %low = arith.constant dense<3> : tensor<1x3x8xi8>
  %y = arith.maxsi %x, %low : tensor<1x3x8xi8>
  %three = arith.constant 3 : i8
  %t7 = tensor.splat %three : tensor<1x3x7xi8>
  %t9 = tensor.splat %three : tensor<1x3x9xi8>
  %t11 = tensor.splat %three : tensor<1x3x11xi8>
  %t8 = arith.constant dense<0> : tensor<1x3x8xi8>

  %0 = pool.max_pool %y kernel [2] pads_begin [2] pads_end [2]
     : tensor<1x3x8xi8> -> tensor<1x3x11xi8>
  %1 = pool.max_pool %y kernel [2] pads_begin [1] pads_end [1] pad_value zero
     : tensor<1x3x8xi8> -> tensor<1x3x9xi8>
  %2 = pool.avg_pool %y kernel [2] pads_begin [1] pads_end [1] divisor kernel
     : tensor<1x3x8xi8> -> tensor<1x3x9xi8>
  %3 = pool.avg_pool %y kernel [2] divisor_override 1
     : tensor<1x3x8xi8> -> tensor<1x3x7xi8>
  %4 = pool.avg_pool %y kernel [2] input_zp 1
     : tensor<1x3x8xi8> -> tensor<1x3x7xi8>
  %5 = pool.max_unpool %y, %i
     : tensor<1x3x8xi8>, tensor<1x3x8xi32> -> tensor<1x3x8xi8>
  %c0 = arith.cmpi sge, %0, %t11 : tensor<1x3x11xi8>
  %c1 = arith.cmpi sge, %1, %t9 : tensor<1x3x9xi8>
  %c2 = arith.cmpi sge, %2, %t9 : tensor<1x3x9xi8>
  %c3 = arith.cmpi sge, %3, %t7 : tensor<1x3x7xi8>
  %c4 = arith.cmpi sge, %4, %t7 : tensor<1x3x7xi8>
  %c5 = arith.cmpi sge, %5, %t8 : tensor<1x3x8xi8>
  return %c0, %c1, %c2, %c3, %c4, %c5 : tensor<1x3x11xi1>, tensor<1x3x9xi1>,
         tensor<1x3x9xi1>, tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x8xi1>
}
