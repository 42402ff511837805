// convert-pool-to-vector on minima. They are lowered like maxima, with the
// order reversed: the operation, the replacement of NaN, and the order of
// 16-bit floats as integers.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file | FileCheck %s

// CHECK-LABEL: func @planes(
// CHECK:         vector.load
// CHECK:         arith.minimumf %{{.+}}, %{{.+}} : vector<{{.+}}xf32>
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @planes(%x: tensor<1x8x64x64xf32>) -> tensor<1x8x62x62xf32> {
  %0 = pool.min_pool %x kernel [3, 3] nan_mode propagate
     : tensor<1x8x64x64xf32> -> tensor<1x8x62x62xf32>
  return %0 : tensor<1x8x62x62xf32>
}

// -----

// NaN is ignored: it is replaced by +inf before the comparison.

// CHECK-LABEL: func @channels(
// CHECK:         %[[E:.+]] = vector.load
// CHECK:         %[[INF:.+]] = arith.constant dense<0x7F800000> : vector<16xf32>
// CHECK:         %[[LESS:.+]] = arith.cmpf ogt, %[[INF]], %[[E]]
// CHECK:         arith.select %[[LESS]], %[[E]], %[[INF]]
// CHECK-NOT:     {{pool\.(max|min|avg|lp|adaptive|window)_}}
func.func @channels(%x: tensor<1x32x32x64xf32>) -> tensor<1x16x16x64xf32> {
  %0 = pool.min_pool %x kernel [2, 2] strides [2, 2] layout channels_last
     : tensor<1x32x32x64xf32> -> tensor<1x16x16x64xf32>
  return %0 : tensor<1x16x16x64xf32>
}

// -----

// Floats of 16 bits are compared as integers that have the same order. An
// ignored NaN sorts above +inf.

// CHECK-LABEL: func @keys(
// CHECK:         arith.minsi %{{.+}}, %{{.+}} : vector<{{.+}}xi16>
// CHECK-NOT:     arith.maxsi %{{.+}}, %{{.+}} : vector<{{.+}}xi16>
func.func @keys(%x: tensor<1x32x32x64xf16>) -> tensor<1x16x16x64xf16> {
  %0 = pool.min_pool %x kernel [2, 2] strides [2, 2] layout channels_last
     : tensor<1x32x32x64xf16> -> tensor<1x16x16x64xf16>
  return %0 : tensor<1x16x16x64xf16>
}
