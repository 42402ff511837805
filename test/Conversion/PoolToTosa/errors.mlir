// convert-pool-to-tosa must reject operations that TOSA cannot express. Each
// error says why, and the module stays as it is. Converting them would change
// their results.

// RUN: pool-opt %s --convert-pool-to-tosa --split-input-file --verify-diagnostics

func.func @unranked(%x: tensor<*xf32>) -> tensor<?x?x?x?xf32> {
  // expected-error @+1 {{'pool.max_pool' op cannot be converted to TOSA: the input is unranked}}
  %0 = pool.max_pool %x kernel [2, 2] layout channels_last : tensor<*xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

func.func @spatial_dims(%x: tensor<1x8x4xf32>) -> tensor<1x7x4xf32> {
  // expected-error @+1 {{cannot be converted to TOSA: TOSA pools two spatial dimensions, this window has 1}}
  %0 = pool.max_pool %x kernel [2] layout channels_last : tensor<1x8x4xf32> -> tensor<1x7x4xf32>
  return %0 : tensor<1x7x4xf32>
}

// -----

func.func @element_types(%f: tensor<1x8x8x4xf64>, %u: tensor<1x8x8x4xui8>, %i: tensor<1x8x8x4xi32>) {
  // expected-error @+1 {{TOSA does not pool elements of type 'f64'}}
  %0 = pool.max_pool %f kernel [2, 2] layout channels_last : tensor<1x8x8x4xf64> -> tensor<1x7x7x4xf64>
  // expected-error @+1 {{TOSA does not pool elements of type 'ui8'}}
  %1 = pool.max_pool %u kernel [2, 2] layout channels_last : tensor<1x8x8x4xui8> -> tensor<1x7x7x4xui8>
  // expected-error @+1 {{'pool.avg_pool' op cannot be converted to TOSA: TOSA does not pool elements of type 'i32'}}
  %2 = pool.avg_pool %i kernel [2, 2] layout channels_last : tensor<1x8x8x4xi32> -> tensor<1x7x7x4xi32>
  return
}

// -----

func.func @empty(%x: tensor<0x8x8x4xf32>) -> tensor<0x7x7x4xf32> {
  // expected-error @+1 {{TOSA has no empty tensors}}
  %0 = pool.max_pool %x kernel [2, 2] layout channels_last : tensor<0x8x8x4xf32> -> tensor<0x7x7x4xf32>
  return %0 : tensor<0x7x7x4xf32>
}

// -----

func.func @dilation(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x6x4xf32> {
  // expected-error @+1 {{TOSA has no dilation, and it is 2 in dimension 2}}
  %0 = pool.max_pool %x kernel [1, 2] dilations [3, 2] layout channels_last : tensor<1x8x8x4xf32> -> tensor<1x8x6x4xf32>
  return %0 : tensor<1x8x6x4xf32>
}

// -----

func.func @dynamic(%x: tensor<1x4x?x8xf32>) -> tensor<1x4x?x4xf32> {
  // expected-error @+1 {{the extent of dimension 2 is not known, and with a stride of 2 TOSA's windows must cover it exactly}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] : tensor<1x4x?x8xf32> -> tensor<1x4x?x4xf32>
  return %0 : tensor<1x4x?x4xf32>
}

// -----

func.func @indices(%x: tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xi64> {
  // expected-error @+1 {{TOSA has no indices}}
  %0, %1 = pool.max_pool %x kernel [2, 2] layout channels_last : tensor<1x8x8x4xf32> -> tensor<1x7x7x4xf32>, tensor<1x7x7x4xi64>
  return %1 : tensor<1x7x7x4xi64>
}

// -----

func.func @pads(%x: tensor<1x8x8x4xf32>) -> tensor<1x11x7x4xf32> {
  // expected-error @+1 {{windows cover 3 elements of padding in dimension 1, and TOSA's padding is less than the kernel, 3}}
  %0 = pool.max_pool %x kernel [3, 2] pads_begin [3, 0] pads_end [2, 0] layout channels_last : tensor<1x8x8x4xf32> -> tensor<1x11x7x4xf32>
  return %0 : tensor<1x11x7x4xf32>
}

// -----

func.func @divisors(%x: tensor<1x8x8x4xf32>) {
  // expected-error @+1 {{its divisor_override, 5, is not the number of elements of its windows}}
  %0 = pool.avg_pool %x kernel [2, 2] layout channels_last divisor_override 5 : tensor<1x8x8x4xf32> -> tensor<1x7x7x4xf32>
  // expected-error @+1 {{its windows reach 1 past the padding of dimension 2, which divisor = padded does not count}}
  %1 = pool.avg_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [0, 1] rounding_type ceil layout channels_last divisor padded
      : tensor<1x8x8x4xf32> -> tensor<1x4x5x4xf32>
  return
}

// -----

func.func @integers(%x: tensor<1x8x8x4xi8>, %y: tensor<1x200x200x4xi16>, %u: tensor<1x?x?x4xi8>) {
  // expected-error @+1 {{TOSA rounds halves away from zero, not up}}
  %0 = pool.avg_pool %x kernel [2, 2] layout channels_last integer_rounding half_up : tensor<1x8x8x4xi8> -> tensor<1x7x7x4xi8>
  // expected-error @+1 {{TOSA rounds halves away from zero, not to even}}
  %1 = pool.avg_pool %x kernel [2, 2] layout channels_last : tensor<1x8x8x4xi8> -> tensor<1x7x7x4xi8>
  // expected-error @+1 {{TOSA rounds halves away from zero, not to even}}
  %2 = pool.avg_pool %x kernel [2, 2] layout channels_last input_zp -128 : tensor<1x8x8x4xi8> -> tensor<1x7x7x4xi8>
  // Windows at the corners count 4 elements, whatever the extents are.
  // expected-error @+1 {{TOSA rounds halves away from zero, not to even}}
  %6 = pool.avg_pool %u kernel [3, 3] auto_pad same_upper layout channels_last : tensor<1x?x?x4xi8> -> tensor<1x?x?x4xi8>
  // expected-error @+1 {{TOSA has zero points for elements of 8 bits only}}
  %3 = pool.avg_pool %y kernel [1, 1] layout channels_last output_zp 1 : tensor<1x200x200x4xi16> -> tensor<1x200x200x4xi16>
  // expected-error @+1 {{sums may be too large for TOSA's division to be exact}}
  %4 = pool.avg_pool %y kernel [129, 129] layout channels_last : tensor<1x200x200x4xi16> -> tensor<1x72x72x4xi16>
  return
}

// -----

func.func @other_operations(%x: tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32> {
  // expected-error @+1 {{'pool.lp_pool' op cannot be converted to TOSA: TOSA has no such operation}}
  %0 = pool.lp_pool %x kernel [2, 2] layout channels_last : tensor<1x8x8x4xf32> -> tensor<1x7x7x4xf32>
  return %0 : tensor<1x7x7x4xf32>
}

// -----

func.func @minimum(%x: tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32> {
  // expected-error @+1 {{'pool.min_pool' op cannot be converted to TOSA: TOSA has no such operation}}
  %0 = pool.min_pool %x kernel [2, 2] layout channels_last : tensor<1x8x8x4xf32> -> tensor<1x7x7x4xf32>
  return %0 : tensor<1x7x7x4xf32>
}
