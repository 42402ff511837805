// convert-linalg-to-pool turns maxima of linalg into pool.max_pool: named ops,
// generic ops with the same maps, initial values, and padding of the input.
// Parts that pool.max_pool cannot express must stay as separate operations.

// RUN: pool-opt %s --convert-linalg-to-pool --split-input-file | FileCheck %s

// CHECK-LABEL: func @named(
// CHECK-SAME:    %[[NCW:.+]]: tensor<2x3x8xf32>, %[[NWC:.+]]: tensor<2x8x3xf16>, %[[NCHW:.+]]: tensor<2x3x8x9xbf16>, %[[NHWC:.+]]: tensor<2x8x9x3xi16>, %[[NDHWC:.+]]: tensor<2x7x8x9x3xf64>
// CHECK:         pool.max_pool %[[NCW]] kernel [3] strides [2] nan_mode propagate : tensor<2x3x8xf32> -> tensor<2x3x3xf32>
// CHECK:         pool.max_pool %[[NWC]] kernel [3] dilations [2] layout channels_last nan_mode propagate : tensor<2x8x3xf16> -> tensor<2x4x3xf16>
// CHECK:         pool.max_pool %[[NCHW]] kernel [2, 3] strides [2, 1] dilations [1, 2] nan_mode propagate : tensor<2x3x8x9xbf16> -> tensor<2x3x4x5xbf16>
// CHECK:         pool.max_pool %[[NHWC]] kernel [2, 3] strides [2, 1] layout channels_last : tensor<2x8x9x3xi16> -> tensor<2x4x7x3xi16>
// CHECK:         pool.max_pool %[[NDHWC]] kernel [1, 2, 3] strides [1, 2, 3] layout channels_last nan_mode propagate : tensor<2x7x8x9x3xf64> -> tensor<2x7x4x3x3xf64>
// CHECK-NOT:     linalg
func.func @named(%ncw: tensor<2x3x8xf32>, %nwc: tensor<2x8x3xf16>,
                 %nchw: tensor<2x3x8x9xbf16>, %nhwc: tensor<2x8x9x3xi16>,
                 %ndhwc: tensor<2x7x8x9x3xf64>)
    -> (tensor<2x3x3xf32>, tensor<2x4x3xf16>, tensor<2x3x4x5xbf16>,
        tensor<2x4x7x3xi16>, tensor<2x7x4x3x3xf64>) {
  %w1 = tensor.empty() : tensor<3xf32>
  %w2 = tensor.empty() : tensor<2x3xf32>
  %w3 = tensor.empty() : tensor<1x2x3xf32>
  %f32 = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x3x3xf32>
  %i0 = linalg.fill ins(%f32 : f32) outs(%e0 : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%ncw, %w1 : tensor<2x3x8xf32>, tensor<3xf32>) outs(%i0 : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  // A splat constant works like a fill.
  %i1 = arith.constant dense<0xFC00> : tensor<2x4x3xf16>
  %1 = linalg.pooling_nwc_max {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%nwc, %w1 : tensor<2x8x3xf16>, tensor<3xf32>) outs(%i1 : tensor<2x4x3xf16>) -> tensor<2x4x3xf16>
  %i2 = arith.constant dense<0xFF80> : tensor<2x3x4x5xbf16>
  %2 = linalg.pooling_nchw_max {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
      ins(%nchw, %w2 : tensor<2x3x8x9xbf16>, tensor<2x3xf32>) outs(%i2 : tensor<2x3x4x5xbf16>) -> tensor<2x3x4x5xbf16>
  %i3 = arith.constant dense<-32768> : tensor<2x4x7x3xi16>
  %3 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
      ins(%nhwc, %w2 : tensor<2x8x9x3xi16>, tensor<2x3xf32>) outs(%i3 : tensor<2x4x7x3xi16>) -> tensor<2x4x7x3xi16>
  %i4 = arith.constant dense<0xFFF0000000000000> : tensor<2x7x4x3x3xf64>
  %4 = linalg.pooling_ndhwc_max {dilations = dense<1> : vector<3xi64>, strides = dense<[1, 2, 3]> : vector<3xi64>}
      ins(%ndhwc, %w3 : tensor<2x7x8x9x3xf64>, tensor<1x2x3xf32>) outs(%i4 : tensor<2x7x4x3x3xf64>) -> tensor<2x7x4x3x3xf64>
  return %0, %1, %2, %3, %4 : tensor<2x3x3xf32>, tensor<2x4x3xf16>, tensor<2x3x4x5xbf16>,
      tensor<2x4x7x3xi16>, tensor<2x7x4x3x3xf64>
}

// -----

// The conversion recognises a generic op by its computation. This one has a
// layout without named op, loops in another order, the accumulator as first
// operand, and a maximum that ignores NaN.

// CHECK-LABEL: func @generic(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x6x7x8xf32>
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [2, 3, 1] strides [1, 2, 3] dilations [2, 1, 1] : tensor<1x2x6x7x8xf32> -> tensor<1x2x4x3x3xf32>
// CHECK:         return %[[Y]]
#read = affine_map<(od, oh, ow, n, c, kd, kh, kw) -> (n, c, kd * 2 + od, oh * 2 + kh, ow * 3 + kw)>
#taps = affine_map<(od, oh, ow, n, c, kd, kh, kw) -> (kd, kh, kw)>
#write = affine_map<(od, oh, ow, n, c, kd, kh, kw) -> (n, c, od, oh, ow)>
func.func @generic(%x: tensor<1x2x6x7x8xf32>) -> tensor<1x2x4x3x3xf32> {
  %w = tensor.empty() : tensor<2x3x1xi1>
  %init = arith.constant dense<0xFF800000> : tensor<1x2x4x3x3xf32>
  %0 = linalg.generic {indexing_maps = [#read, #taps, #write],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x6x7x8xf32>, tensor<2x3x1xi1>) outs(%init : tensor<1x2x4x3x3xf32>) {
  ^bb0(%e: f32, %k: i1, %acc: f32):
    %m = arith.maxnumf %acc, %e : f32
    linalg.yield %m : f32
  } -> tensor<1x2x4x3x3xf32>
  return %0 : tensor<1x2x4x3x3xf32>
}

// -----

// Padding by the identity of the maximum becomes padding of the window.
// torch-mlir adds more padding for ceil than windows cover; the rest is
// dropped.

// CHECK-LABEL: func @padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x16x15xf32>
// CHECK:         pool.max_pool %[[X]] kernel [3, 3] strides [2, 2] pads_begin [1, 0] pads_end [2, 1] nan_mode propagate : tensor<1x2x16x15xf32> -> tensor<1x2x9x7xf32>
// CHECK:         pool.max_pool %[[X]] kernel [3, 3] strides [2, 2] pads_end [1, 0] nan_mode propagate : tensor<1x2x16x15xf32> -> tensor<1x2x8x7xf32>
// CHECK-NOT:     tensor.pad
func.func @padding(%x: tensor<1x2x16x15xf32>) -> (tensor<1x2x9x7xf32>, tensor<1x2x8x7xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %p0 = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %lowest : f32
  } : tensor<1x2x16x15xf32> to tensor<1x2x19x16xf32>
  %i0 = arith.constant dense<0xFF800000> : tensor<1x2x9x7xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%p0, %w : tensor<1x2x19x16xf32>, tensor<3x3xf32>) outs(%i0 : tensor<1x2x9x7xf32>) -> tensor<1x2x9x7xf32>
  %p1 = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 2, 2] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %lowest : f32
  } : tensor<1x2x16x15xf32> to tensor<1x2x18x17xf32>
  %i1 = arith.constant dense<0xFF800000> : tensor<1x2x8x7xf32>
  %1 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%p1, %w : tensor<1x2x18x17xf32>, tensor<3x3xf32>) outs(%i1 : tensor<1x2x8x7xf32>) -> tensor<1x2x8x7xf32>
  return %0, %1 : tensor<1x2x9x7xf32>, tensor<1x2x8x7xf32>
}

// -----

// Padding by zero becomes `pad_value zero`. A tensor.pad by other values stays.

// CHECK-LABEL: func @other_padding(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x8xi8>
// CHECK:         pool.max_pool %[[X]] kernel [3] pads_begin [1] pads_end [1] pad_value zero : tensor<1x4x8xi8> -> tensor<1x4x8xi8>
// CHECK:         %[[P:.+]] = tensor.pad %[[X]] low[0, 0, 1] high[0, 0, 1]
// CHECK:         pool.max_pool %[[P]] kernel [3] : tensor<1x4x10xi8> -> tensor<1x4x8xi8>
func.func @other_padding(%x: tensor<1x4x8xi8>) -> (tensor<1x4x8xi8>, tensor<1x4x8xi8>) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %w = tensor.empty() : tensor<3xi8>
  %init = arith.constant dense<-128> : tensor<1x4x8xi8>
  %p0 = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : i8
  } : tensor<1x4x8xi8> to tensor<1x4x10xi8>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p0, %w : tensor<1x4x10xi8>, tensor<3xi8>) outs(%init : tensor<1x4x8xi8>) -> tensor<1x4x8xi8>
  %p1 = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %one : i8
  } : tensor<1x4x8xi8> to tensor<1x4x10xi8>
  %1 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p1, %w : tensor<1x4x10xi8>, tensor<3xi8>) outs(%init : tensor<1x4x8xi8>) -> tensor<1x4x8xi8>
  return %0, %1 : tensor<1x4x8xi8>, tensor<1x4x8xi8>
}

// -----

// The initial value is the lowest finite float, so a window of only -inf must
// give this float. An elementwise maximum with this float follows the pooling.
// The maximum also makes padding by this float equal to padding by -inf.

// CHECK-LABEL: func @lowest_finite(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x8xf32>
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [3] pads_begin [1] pads_end [1] nan_mode propagate
// CHECK:         %[[Z:.+]] = linalg.generic {{.+}} ins(%[[Y]] :
// CHECK:         ^bb0(%[[E:.+]]: f32, %{{.+}}: f32):
// CHECK:           %[[LOWEST:.+]] = arith.constant -3.40282347E+38 : f32
// CHECK:           %[[MAX:.+]] = arith.maximumf %[[E]], %[[LOWEST]] : f32
// CHECK:           linalg.yield %[[MAX]]
// CHECK:         return %[[Z]]
func.func @lowest_finite(%x: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %lowest = arith.constant 0xFF7FFFFF : f32
  %w = tensor.empty() : tensor<3xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %lowest : f32
  } : tensor<1x4x8xf32> to tensor<1x4x10xf32>
  %e = tensor.empty() : tensor<1x4x8xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%p, %w : tensor<1x4x10xf32>, tensor<3xf32>) outs(%init : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

// A maximum may start from any tensor.

// CHECK-LABEL: func @any_init(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x8xi32>, %[[INIT:.+]]: tensor<1x4x6xi32>
// CHECK:         %[[Y:.+]] = pool.max_pool %[[X]] kernel [3] :
// CHECK:         linalg.generic {{.+}} ins(%[[Y]], %[[INIT]] : {{.+}}) outs(%[[INIT]] :
// CHECK:           arith.maxsi
func.func @any_init(%x: tensor<1x4x8xi32>, %init: tensor<1x4x6xi32>) -> tensor<1x4x6xi32> {
  %w = tensor.empty() : tensor<3xi32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x4x8xi32>, tensor<3xi32>) outs(%init : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
  return %0 : tensor<1x4x6xi32>
}

// -----

// For an unsigned comparison, the pooling operation has an unsigned element
// type. The cast to this type is inside a region of scalars, because a cast of
// tensors would not bufferise.

// CHECK-LABEL: func @unsigned(
// CHECK-SAME:    %[[X:.+]]: tensor<1x8x4xi8>
// CHECK:         %[[U:.+]] = linalg.generic {{.+}} ins(%[[X]] : {{.+}}) outs(%{{.+}} : tensor<1x8x4xui8>)
// CHECK:           builtin.unrealized_conversion_cast %{{.+}} : i8 to ui8
// CHECK:         %[[Y:.+]] = pool.max_pool %[[U]] kernel [3] layout channels_last : tensor<1x8x4xui8> -> tensor<1x6x4xui8>
// CHECK:         %[[S:.+]] = linalg.generic {{.+}} ins(%[[Y]] : {{.+}}) outs(%{{.+}} : tensor<1x6x4xi8>)
// CHECK:           builtin.unrealized_conversion_cast %{{.+}} : ui8 to i8
// CHECK:         return %[[S]]
func.func @unsigned(%x: tensor<1x8x4xi8>) -> tensor<1x6x4xi8> {
  %w = tensor.empty() : tensor<3xi8>
  %init = arith.constant dense<0> : tensor<1x6x4xi8>
  %0 = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x4xi8>, tensor<3xi8>) outs(%init : tensor<1x6x4xi8>) -> tensor<1x6x4xi8>
  return %0 : tensor<1x6x4xi8>
}

// -----

// The output has fewer windows than fit the input. So a slice cuts the input to
// the part that these windows read.

// CHECK-LABEL: func @fewer_outputs(
// CHECK-SAME:    %[[X:.+]]: tensor<1x4x20xf32>
// CHECK:         %[[READ:.+]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 4, 7] [1, 1, 1]
// CHECK:         pool.max_pool %[[READ]] kernel [3] strides [2] nan_mode propagate : tensor<1x4x7xf32> -> tensor<1x4x3xf32>
func.func @fewer_outputs(%x: tensor<1x4x20xf32>) -> tensor<1x4x3xf32> {
  %w = tensor.empty() : tensor<3xf32>
  %init = arith.constant dense<0xFF800000> : tensor<1x4x3xf32>
  %0 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%x, %w : tensor<1x4x20xf32>, tensor<3xf32>) outs(%init : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}
