// pool-translate --export-openvino must reject operations that OpenVINO IR
// cannot express. The message must have the attribute and the reason.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-translate --export-openvino --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @layout(%x: tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32> {
  // expected-error @below {{cannot be exported to OpenVINO IR: layout is channels_last, layers have the channels first}}
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2] layout channels_last : tensor<1x8x8x2xf32> -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}

// -----

func.func @four_dimensions(%x: tensor<1x1x2x2x2x2xf32>) -> tensor<1x1x1x1x1x1xf32> {
  // expected-error @below {{it has 4 spatial dimensions, layers have at most 3}}
  %y = pool.max_pool %x kernel [2, 2, 2, 2] : tensor<1x1x2x2x2x2xf32> -> tensor<1x1x1x1x1x1xf32>
  return %y : tensor<1x1x1x1x1x1xf32>
}

// -----

func.func @empty_batch(%x: tensor<0x1x4xf32>) -> tensor<0x1x3xf32> {
  // expected-error @below {{its batch is empty, which OpenVINO refuses}}
  %y = pool.max_pool %x kernel [2] : tensor<0x1x4xf32> -> tensor<0x1x3xf32>
  return %y : tensor<0x1x3xf32>
}

// -----

func.func @nan_mode(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  // expected-error @below {{nan_mode is propagate, layers do not say what becomes of NaN}}
  %y = pool.max_pool %x kernel [2] nan_mode propagate : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  return %y : tensor<1x1x3xf32>
}

// -----

func.func @pad_value(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  // expected-error @below {{pad_value is zero, padding of a layer counts as -infinity}}
  %y = pool.max_pool %x kernel [2] pad_value zero : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  return %y : tensor<1x1x3xf32>
}

// -----

func.func @same_output(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  // expected-error @below {{same_output is input, OpenVINO computes ceil(input / stride)}}
  %y = pool.max_pool %x kernel [2] strides [2] auto_pad same_upper : tensor<1x1x4xf32> -> tensor<1x1x4xf32>
  return %y : tensor<1x1x4xf32>
}

// -----

func.func @ceil_torch(%x: tensor<1x1x3xf32>) -> tensor<1x1x1xf32> {
  // expected-error @below {{rounding_type is ceil_torch, with which OpenVINO refuses a window that exceeds the padded input in dimension 2}}
  %y = pool.max_pool %x kernel [4] strides [2] rounding_type ceil_torch : tensor<1x1x3xf32> -> tensor<1x1x1xf32>
  return %y : tensor<1x1x1xf32>
}

// -----

func.func @divisor_override(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  // expected-error @below {{divisor_override is 1, layers divide by what they count}}
  %y = pool.avg_pool %x kernel [2] divisor_override 1 : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  return %y : tensor<1x1x3xf32>
}

// -----

func.func @padded(%x: tensor<1x1x6xf32>) -> tensor<1x1x4xf32> {
  // expected-error @below {{divisor is padded, where an overhang of ceil would be counted}}
  %y = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1] rounding_type ceil divisor padded : tensor<1x1x6xf32> -> tensor<1x1x4xf32>
  return %y : tensor<1x1x4xf32>
}

// -----

func.func @kernel(%x: tensor<1x1x6xf32>) -> tensor<1x1x3xf32> {
  // expected-error @below {{divisor is kernel, where OpenVINO does not count an overhang, there being no pads}}
  %y = pool.avg_pool %x kernel [3] strides [2] rounding_type ceil divisor kernel : tensor<1x1x6xf32> -> tensor<1x1x3xf32>
  return %y : tensor<1x1x3xf32>
}

// -----

func.func @long_pad(%x: tensor<1x1x?xf32>) -> tensor<1x1x?xf32> {
  // expected-error @below {{divisor is valid, with which OpenVINO refuses a pad of at least the window in dimension 2}}
  %y = pool.avg_pool %x kernel [2] strides [4] pads_end [2] : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return %y : tensor<1x1x?xf32>
}

// -----

func.func @integer_rounding(%x: tensor<1x1x4xi8>) -> tensor<1x1x3xi8> {
  // expected-error @below {{integer_rounding is half_up, layers round halves to even}}
  %y = pool.avg_pool %x kernel [2] integer_rounding half_up : tensor<1x1x4xi8> -> tensor<1x1x3xi8>
  return %y : tensor<1x1x3xi8>
}

// -----

func.func @zero_point(%x: tensor<1x1x4xi8>) -> tensor<1x1x2xi8> {
  // expected-error @below {{output_zp is 3, layers have no zero points}}
  %y = pool.adaptive_avg_pool %x output_size [2] output_zp 3 : tensor<1x1x4xi8> -> tensor<1x1x2xi8>
  return %y : tensor<1x1x2xi8>
}

// -----

func.func @axis(%x: tensor<1x1x4xf32>) -> tensor<1x1x2xi64> {
  // expected-error @below {{axis is 0, indices of the layer count from dimension 2 on}}
  %y, %i = pool.adaptive_max_pool %x output_size [2] : tensor<1x1x4xf32> -> tensor<1x1x2xf32>, tensor<1x1x2xi64>
  return %i : tensor<1x1x2xi64>
}

// -----

func.func @other_operation(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  // expected-error @below {{'pool.lp_pool' op has no layer in OpenVINO IR}}
  %y = pool.lp_pool %x kernel [2] : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  return %y : tensor<1x1x3xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @other_elementwise(%x: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %e = tensor.empty() : tensor<1x1x4xf32>
  // expected-error @below {{is neither Convert nor FakeQuantize of OpenVINO IR}}
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x1x4xf32>) outs(%e : tensor<1x1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.sin %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x4xf32>
  return %y : tensor<1x1x4xf32>
}

// -----

func.func @undefined_input() -> tensor<1x1x3xf32> {
  %e = tensor.empty() : tensor<1x1x4xf32>
  // expected-error @below {{its input is no layer's output}}
  %y = pool.max_pool %e kernel [2] : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  return %y : tensor<1x1x3xf32>
}

// -----

func.func @undefined_result() -> tensor<1x1x4xf32> {
  %e = tensor.empty() : tensor<1x1x4xf32>
  // expected-error @below {{it returns what is no layer's output}}
  return %e : tensor<1x1x4xf32>
}

// -----

// expected-error @below {{a value of type 'f32' cannot be exported to OpenVINO IR}}
func.func @scalar(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error @below {{a value of type 'tensor<*xf32>' cannot be exported to OpenVINO IR}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// expected-error @below {{it returns nothing}}
func.func @nothing() {
  return
}

// -----

// expected-error @below {{a model is one block}}
func.func private @declaration()

// -----

// expected-error @below {{a model is one function and nothing else, the module has 2 functions}}
module {
  func.func @one(%x: tensor<1xf32>) -> tensor<1xf32> {
    return %x : tensor<1xf32>
  }
  func.func @two(%x: tensor<1xf32>) -> tensor<1xf32> {
    return %x : tensor<1xf32>
  }
}

// -----

func.func @unregistered(%x: tensor<1x1x6xf32>) -> tensor<1x1x6xf32> {
  // expected-error @below {{'other.size' op has no layer in OpenVINO IR}}
  %n = "other.size"() : () -> index
  return %x : tensor<1x1x6xf32>
}

// -----

// expected-error @below {{a model is one function and nothing else, the module has 1 functions}}
module {
  module @other {}
  func.func @one(%x: tensor<1xf32>) -> tensor<1xf32> {
    return %x : tensor<1xf32>
  }
}
