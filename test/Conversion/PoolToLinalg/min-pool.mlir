// convert-pool-to-linalg on minima. They become a named linalg op if upstream
// has one with exactly this meaning, else a generic op. Padding and indices are
// tested, too: both must follow the reversed order.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// Upstream has no named minimum with channels first.

// CHECK-LABEL: func @named(
// CHECK:         arith.constant 0x7F800000 : f32
// CHECK:         linalg.pooling_nwc_min {{.+}} : tensor<1x8x2xf32>, tensor<2xf32>)
// CHECK:         linalg.pooling_nhwc_min {{.+}} : tensor<1x8x8x2xi64>, tensor<2x3xi64>)
// CHECK:         linalg.pooling_ndhwc_min {{.+}} : tensor<1x8x8x8x2xbf16>, tensor<2x3x4xbf16>)
// CHECK:         linalg.generic
// CHECK:           arith.minsi
// CHECK-NOT:     linalg.pooling
func.func @named(%nwc: tensor<1x8x2xf32>, %nhwc: tensor<1x8x8x2xi64>,
                 %ndhwc: tensor<1x8x8x8x2xbf16>, %ncw: tensor<1x2x8xi8>) {
  %1 = pool.min_pool %nwc kernel [2] layout channels_last nan_mode propagate
     : tensor<1x8x2xf32> -> tensor<1x7x2xf32>
  %3 = pool.min_pool %nhwc kernel [2, 3] layout channels_last
     : tensor<1x8x8x2xi64> -> tensor<1x7x6x2xi64>
  %4 = pool.min_pool %ndhwc kernel [2, 3, 4] layout channels_last
         nan_mode propagate
     : tensor<1x8x8x8x2xbf16> -> tensor<1x7x6x5x2xbf16>
  %0 = pool.min_pool %ncw kernel [2] : tensor<1x2x8xi8> -> tensor<1x2x7xi8>
  return
}

// -----

// The comparison with NaN is false, so NaN is ignored.

// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf32>
// CHECK:         %[[INF:.+]] = arith.constant 0x7F800000 : f32
// CHECK:         tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
// CHECK:           tensor.yield %[[INF]]
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[E:.+]]: f32, %{{.+}}: f32, %[[ACC:.+]]: f32):
// CHECK:           %[[LESS:.+]] = arith.cmpf ogt, %[[ACC]], %[[E]] : f32
// CHECK:           arith.select %[[LESS]], %[[E]], %[[ACC]] : f32
func.func @padded(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = pool.min_pool %x kernel [3] pads_begin [1] pads_end [1]
     : tensor<1x2x8xf32> -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}

// -----

// CHECK-LABEL: func @unsigned(
// CHECK:         arith.constant -1 : i8
// CHECK:         linalg.generic
// CHECK:           arith.minui
func.func @unsigned(%x: tensor<1x2x8xui8>) -> tensor<1x2x7xui8> {
  %0 = pool.min_pool %x kernel [2] : tensor<1x2x8xui8> -> tensor<1x2x7xui8>
  return %0 : tensor<1x2x7xui8>
}

// -----

// CHECK-LABEL: func @indices(
// CHECK:         linalg.generic
// CHECK:           %[[EARLIER:.+]] = arith.cmpi ult
// CHECK:           %[[LESS:.+]] = arith.cmpi sgt, %[[ACC:.+]], %[[E:.+]] : i16
// CHECK:           arith.select %{{.+}}, %[[E]], %[[ACC]] : i16
func.func @indices(%x: tensor<1x2x8xi16>)
    -> (tensor<1x2x7xi16>, tensor<1x2x7xi64>) {
  %0, %1 = pool.min_pool %x kernel [2] axis 2
     : tensor<1x2x8xi16> -> tensor<1x2x7xi16>, tensor<1x2x7xi64>
  return %0, %1 : tensor<1x2x7xi16>, tensor<1x2x7xi64>
}
