// convert-pool-to-linalg must use a named linalg op if upstream has one with
// exactly this meaning for the rank and the layout, because other passes match
// named ops. This holds for sums, for maxima of integers, and for maxima of
// floats under `propagate`: upstream's named maxima propagate NaN. All others
// become a generic op.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file | FileCheck %s

// CHECK-LABEL: func @maxima(
// CHECK:         linalg.pooling_ncw_max {{.+}} : tensor<1x2x8xi8>, tensor<2xi8>)
// CHECK:         linalg.pooling_nwc_max {{.+}} : tensor<1x8x2xf32>, tensor<2xf32>)
// CHECK:         linalg.pooling_nchw_max {{.+}} : tensor<1x2x8x8xf16>, tensor<2x3xf16>)
// CHECK:         linalg.pooling_nhwc_max {{.+}} : tensor<1x8x8x2xi64>, tensor<2x3xi64>)
// CHECK:         linalg.pooling_ndhwc_max {{.+}} : tensor<1x8x8x8x2xbf16>, tensor<2x3x4xbf16>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @maxima(%ncw: tensor<1x2x8xi8>, %nwc: tensor<1x8x2xf32>,
                  %nchw: tensor<1x2x8x8xf16>, %nhwc: tensor<1x8x8x2xi64>,
                  %ndhwc: tensor<1x8x8x8x2xbf16>) {
  %0 = pool.max_pool %ncw kernel [2] : tensor<1x2x8xi8> -> tensor<1x2x7xi8>
  %1 = pool.max_pool %nwc kernel [2] layout channels_last nan_mode propagate
     : tensor<1x8x2xf32> -> tensor<1x7x2xf32>
  %2 = pool.max_pool %nchw kernel [2, 3] nan_mode propagate
     : tensor<1x2x8x8xf16> -> tensor<1x2x7x6xf16>
  %3 = pool.max_pool %nhwc kernel [2, 3] layout channels_last
     : tensor<1x8x8x2xi64> -> tensor<1x7x6x2xi64>
  %4 = pool.max_pool %ndhwc kernel [2, 3, 4] layout channels_last
         nan_mode propagate
     : tensor<1x8x8x8x2xbf16> -> tensor<1x7x6x5x2xbf16>
  return
}

// -----

// CHECK-LABEL: func @sums(
// CHECK:         linalg.pooling_ncw_sum {{.+}} : tensor<1x2x8xi8>, tensor<2xi8>) outs(%{{.+}} : tensor<1x2x7xi32>)
// CHECK:         linalg.pooling_nwc_sum {{.+}} : tensor<1x8x2xf32>, tensor<2xf32>) outs(%{{.+}} : tensor<1x7x2xf32>)
// CHECK:         linalg.pooling_nchw_sum {{.+}} : tensor<1x2x8x8xf16>, tensor<2x3xf16>) outs(%{{.+}} : tensor<1x2x7x6xf32>)
// CHECK:         linalg.pooling_nhwc_sum {{.+}} : tensor<1x8x8x2xf64>, tensor<2x3xf64>) outs(%{{.+}} : tensor<1x7x6x2xf64>)
// CHECK:         linalg.pooling_ndhwc_sum {{.+}} : tensor<1x8x8x8x2xbf16>, tensor<2x3x4xbf16>) outs(%{{.+}} : tensor<1x7x6x5x2xf32>)
func.func @sums(%ncw: tensor<1x2x8xi8>, %nwc: tensor<1x8x2xf32>,
                %nchw: tensor<1x2x8x8xf16>, %nhwc: tensor<1x8x8x2xf64>,
                %ndhwc: tensor<1x8x8x8x2xbf16>) {
  %0 = pool.avg_pool %ncw kernel [2] : tensor<1x2x8xi8> -> tensor<1x2x7xi8>
  %1 = pool.avg_pool %nwc kernel [2] layout channels_last
     : tensor<1x8x2xf32> -> tensor<1x7x2xf32>
  %2 = pool.avg_pool %nchw kernel [2, 3]
     : tensor<1x2x8x8xf16> -> tensor<1x2x7x6xf16>
  %3 = pool.avg_pool %nhwc kernel [2, 3] layout channels_last
     : tensor<1x8x8x2xf64> -> tensor<1x7x6x2xf64>
  %4 = pool.avg_pool %ndhwc kernel [2, 3, 4] layout channels_last
     : tensor<1x8x8x8x2xbf16> -> tensor<1x7x6x5x2xbf16>
  return
}

// -----

// The named op keeps strides and dilations, and reads the padded input.

// CHECK-LABEL: func @attributes(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8x8xi32>)
// CHECK:         %[[PADDED:.+]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 0, 1]
// CHECK:         %[[LOWEST:.+]] = arith.constant -2147483648 : i32
// CHECK:         %[[INIT:.+]] = linalg.fill ins(%[[LOWEST]] : i32)
// CHECK:         linalg.pooling_nchw_max
// CHECK-SAME:      dilations = dense<[2, 1]> : vector<2xi64>
// CHECK-SAME:      strides = dense<[1, 2]> : vector<2xi64>
// CHECK-SAME:      ins(%[[PADDED]], %{{[^ ]+}} :
// CHECK-SAME:      outs(%[[INIT]] :
func.func @attributes(%x: tensor<1x2x8x8xi32>) -> tensor<1x2x7x4xi32> {
  %0 = pool.max_pool %x kernel [2, 3] strides [1, 2] dilations [2, 1]
         pads_begin [1, 0] pads_end [0, 1]
     : tensor<1x2x8x8xi32> -> tensor<1x2x7x4xi32>
  return %0 : tensor<1x2x7x4xi32>
}

// -----

// There is no named op for floats under `ignore`, for types with a sign, for
// indices, and for some ranks and layouts.

// CHECK-LABEL: func @generic(
// CHECK-NOT:     linalg.pooling
// CHECK:         return
func.func @generic(%f32: tensor<1x2x8xf32>, %ui8: tensor<1x2x8xui8>,
                   %si8: tensor<1x2x8xsi8>, %i8: tensor<1x2x8xi8>,
                   %ncdhw: tensor<1x2x8x8x8xi8>,
                   %rank6: tensor<1x2x8x8x8x8xi8>) {
  %0 = pool.max_pool %f32 kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  %1 = pool.max_pool %ui8 kernel [2] : tensor<1x2x8xui8> -> tensor<1x2x7xui8>
  %2 = pool.max_pool %si8 kernel [2] : tensor<1x2x8xsi8> -> tensor<1x2x7xsi8>
  %3, %4 = pool.max_pool %i8 kernel [2]
         : tensor<1x2x8xi8> -> tensor<1x2x7xi8>, tensor<1x2x7xi32>
  %5 = pool.max_pool %ncdhw kernel [2, 2, 2]
     : tensor<1x2x8x8x8xi8> -> tensor<1x2x7x7x7xi8>
  %6 = pool.max_pool %rank6 kernel [2, 2, 2, 2]
     : tensor<1x2x8x8x8x8xi8> -> tensor<1x2x7x7x7x7xi8>
  %7 = pool.max_pool %rank6 kernel [2, 2, 2, 2] layout channels_last
     : tensor<1x2x8x8x8x8xi8> -> tensor<1x1x7x7x7x8xi8>
  %8 = pool.avg_pool %ui8 kernel [2] : tensor<1x2x8xui8> -> tensor<1x2x7xui8>
  %9 = pool.avg_pool %ncdhw kernel [2, 2, 2]
     : tensor<1x2x8x8x8xi8> -> tensor<1x2x7x7x7xi8>
  return
}
