// convert-linalg-to-pool turns minima of linalg into pool.min_pool: named ops,
// initial values, and padding of the input. The rules are the same as for
// maxima (maximum.mlir), with the order reversed.

// RUN: pool-opt %s --convert-linalg-to-pool --split-input-file | FileCheck %s

// CHECK-LABEL: func @named(
// CHECK-SAME:    %[[NWC:.+]]: tensor<2x8x3xf16>, %[[NHWC:.+]]: tensor<2x8x9x3xi16>, %[[NDHWC:.+]]: tensor<2x7x8x9x3xf64>
// CHECK:         pool.min_pool %[[NWC]] kernel [3] dilations [2] layout channels_last nan_mode propagate : tensor<2x8x3xf16> -> tensor<2x4x3xf16>
// CHECK:         pool.min_pool %[[NHWC]] kernel [2, 3] strides [2, 1] layout channels_last : tensor<2x8x9x3xi16> -> tensor<2x4x7x3xi16>
// CHECK:         pool.min_pool %[[NDHWC]] kernel [1, 2, 3] strides [1, 2, 3] layout channels_last nan_mode propagate : tensor<2x7x8x9x3xf64> -> tensor<2x7x4x3x3xf64>
// CHECK-NOT:     linalg
func.func @named(%nwc: tensor<2x8x3xf16>, %nhwc: tensor<2x8x9x3xi16>,
                 %ndhwc: tensor<2x7x8x9x3xf64>)
    -> (tensor<2x4x3xf16>, tensor<2x4x7x3xi16>, tensor<2x7x4x3x3xf64>) {
  %w1 = tensor.empty() : tensor<3xf32>
  %w2 = tensor.empty() : tensor<2x3xf32>
  %w3 = tensor.empty() : tensor<1x2x3xf32>
  %i1 = arith.constant dense<0x7C00> : tensor<2x4x3xf16>
  %1 = linalg.pooling_nwc_min {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%nwc, %w1 : tensor<2x8x3xf16>, tensor<3xf32>) outs(%i1 : tensor<2x4x3xf16>) -> tensor<2x4x3xf16>
  %i3 = arith.constant dense<32767> : tensor<2x4x7x3xi16>
  %3 = linalg.pooling_nhwc_min {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
      ins(%nhwc, %w2 : tensor<2x8x9x3xi16>, tensor<2x3xf32>) outs(%i3 : tensor<2x4x7x3xi16>) -> tensor<2x4x7x3xi16>
  %i4 = arith.constant dense<0x7FF0000000000000> : tensor<2x7x4x3x3xf64>
  %4 = linalg.pooling_ndhwc_min {dilations = dense<1> : vector<3xi64>, strides = dense<[1, 2, 3]> : vector<3xi64>}
      ins(%ndhwc, %w3 : tensor<2x7x8x9x3xf64>, tensor<1x2x3xf32>) outs(%i4 : tensor<2x7x4x3x3xf64>) -> tensor<2x7x4x3x3xf64>
  return %1, %3, %4 : tensor<2x4x3xf16>, tensor<2x4x7x3xi16>, tensor<2x7x4x3x3xf64>
}

// -----

// Signless integers that are compared as unsigned. Casts to and from an
// unsigned type surround the pooling.

// CHECK-LABEL: func @unsigned(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x3xi8>
// CHECK:         %[[U:.+]] = linalg.generic {{.+}} ins(%[[X]] : tensor<1x8x3xi8>) outs(%{{.+}} : tensor<1x8x3xui8>)
// CHECK:         %[[P:.+]] = pool.min_pool %[[U]] kernel [3] layout channels_last : tensor<1x8x3xui8> -> tensor<1x6x3xui8>
// CHECK:         linalg.generic {{.+}} ins(%[[P]] : tensor<1x6x3xui8>) outs(%{{.+}} : tensor<1x6x3xi8>)
// CHECK-NOT:     linalg.pooling
func.func @unsigned(%x: tensor<1x8x3xi8>) -> tensor<1x6x3xi8> {
  %w = tensor.empty() : tensor<3xi8>
  %init = arith.constant dense<-1> : tensor<1x6x3xi8>
  %0 = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x3xi8>, tensor<3xi8>) outs(%init : tensor<1x6x3xi8>) -> tensor<1x6x3xi8>
  return %0 : tensor<1x6x3xi8>
}

// -----

// Padding by +inf is never chosen. Padding by zero becomes `pad_value zero`.
// Padding by a value not below the initial value has no effect.

// CHECK-LABEL: func @padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x3xf32>
// CHECK:         pool.min_pool %[[X]] kernel [3] pads_begin [1] pads_end [1] layout channels_last nan_mode propagate : tensor<1x8x3xf32> -> tensor<1x8x3xf32>
// CHECK:         pool.min_pool %[[X]] kernel [3] pads_begin [1] pads_end [1] layout channels_last pad_value zero nan_mode propagate : tensor<1x8x3xf32> -> tensor<1x8x3xf32>
// CHECK:         %[[P:.+]] = pool.min_pool %[[X]] kernel [3] pads_begin [1] pads_end [1] layout channels_last nan_mode propagate : tensor<1x8x3xf32> -> tensor<1x8x3xf32>
// CHECK:         linalg.generic {{.+}} ins(%[[P]] : tensor<1x8x3xf32>)
// CHECK:           arith.minimumf
func.func @padding(%x: tensor<1x8x3xf32>)
    -> (tensor<1x8x3xf32>, tensor<1x8x3xf32>, tensor<1x8x3xf32>) {
  %w = tensor.empty() : tensor<3xf32>
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7.0 : f32
  %from_inf = arith.constant dense<0x7F800000> : tensor<1x8x3xf32>
  %from_five = arith.constant dense<5.0> : tensor<1x8x3xf32>
  %p0 = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %i: index, %c: index):
    tensor.yield %inf : f32
  } : tensor<1x8x3xf32> to tensor<1x10x3xf32>
  %0 = linalg.pooling_nwc_min {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p0, %w : tensor<1x10x3xf32>, tensor<3xf32>) outs(%from_inf : tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
  %p1 = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %i: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x8x3xf32> to tensor<1x10x3xf32>
  %1 = linalg.pooling_nwc_min {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p1, %w : tensor<1x10x3xf32>, tensor<3xf32>) outs(%from_inf : tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
  %p2 = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %i: index, %c: index):
    tensor.yield %seven : f32
  } : tensor<1x8x3xf32> to tensor<1x10x3xf32>
  %2 = linalg.pooling_nwc_min {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p2, %w : tensor<1x10x3xf32>, tensor<3xf32>) outs(%from_five : tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
  return %0, %1, %2 : tensor<1x8x3xf32>, tensor<1x8x3xf32>, tensor<1x8x3xf32>
}

// -----

// A minimum that ignores NaN, in a layout without named op.

// CHECK-LABEL: func @ignores_nan(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x6x7xf32>
// CHECK:         %[[Y:.+]] = pool.min_pool %[[X]] kernel [2, 3] : tensor<1x2x6x7xf32> -> tensor<1x2x5x5xf32>
// CHECK:         return %[[Y]]
#read = affine_map<(n, c, h, w, kh, kw) -> (n, c, h + kh, w + kw)>
#taps = affine_map<(n, c, h, w, kh, kw) -> (kh, kw)>
#write = affine_map<(n, c, h, w, kh, kw) -> (n, c, h, w)>
func.func @ignores_nan(%x: tensor<1x2x6x7xf32>) -> tensor<1x2x5x5xf32> {
  %w = tensor.empty() : tensor<2x3xf32>
  %init = arith.constant dense<0x7F800000> : tensor<1x2x5x5xf32>
  %0 = linalg.generic {indexing_maps = [#read, #taps, #write],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x6x7xf32>, tensor<2x3xf32>) outs(%init : tensor<1x2x5x5xf32>) {
  ^bb0(%element: f32, %tap: f32, %acc: f32):
    %min = arith.minnumf %acc, %element : f32
    linalg.yield %min : f32
  } -> tensor<1x2x5x5xf32>
  return %0 : tensor<1x2x5x5xf32>
}
