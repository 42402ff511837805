// The verifier must reject an invalid max_pool or min_pool, with the label of the
// rule: Extremum for the axis and indices, Window.C11 for the types of indices.
// invalid.mlir and invalid-results.mlir have the other rules of windows.

// RUN: pool-opt %s --split-input-file --verify-diagnostics
// RUN: %to_minima %s | pool-opt --split-input-file --verify-diagnostics

// -----

func.func @max_pool_Extremum.C1_axis_too_high(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C1) axis is 4, must lie in [-4, 3]}}
  %0 = pool.max_pool %x kernel [2, 2] axis 4
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Extremum.C1_axis_too_low(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C1) axis is -5, must lie in [-4, 3]}}
  %0 = pool.max_pool %x kernel [2, 2] axis -5
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Extremum.C1_axis_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C1) axis is 5, must lie in [-5, 4]}}
  %0 = pool.max_pool %x kernel [2, 2, 2] axis 5 : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Extremum.C2_i32_bound(%x: tensor<1x1x46341x46341xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C2) indices of type i32 cannot name the 2147488281 positions of the dimensions from axis 0 on}}
  %0, %1 = pool.max_pool %x kernel [1, 1]
     : tensor<1x1x46341x46341xf32> -> tensor<*xf32>, tensor<*xi32>
  return
}

// -----

// Indices do not count extents before the axis, whether these are known or
// unknown.
func.func @max_pool_Extremum.C2_i32_bound_of_axis(%x: tensor<?x?x46341x46341xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C2) indices of type i32 cannot name the 2147488281 positions of the dimensions from axis 2 on}}
  %0, %1 = pool.max_pool %x kernel [1, 1] axis -2
     : tensor<?x?x46341x46341xf32> -> tensor<*xf32>, tensor<*xi32>
  return
}

// -----

func.func @max_pool_Extremum.C2_i32_bound_of_batch(%x: tensor<2x1x65536x32768xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C2) indices of type i32 cannot name the 4294967296 positions of the dimensions from axis 0 on}}
  %0, %1 = pool.max_pool %x kernel [1, 1]
     : tensor<2x1x65536x32768xf32> -> tensor<*xf32>, tensor<*xi32>
  return
}

// -----

func.func @max_pool_Extremum.C2_i64_bound(%x: tensor<2147483648x1x4294967296x1xi8>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C2) indices of type i64 cannot name the 2^63 or more positions of the dimensions from axis 0 on}}
  %0, %1 = pool.max_pool %x kernel [1, 1]
     : tensor<2147483648x1x4294967296x1xi8> -> tensor<*xi8>, tensor<*xi64>
  return
}

// -----

// Positions in an image must fit 64 bits, whatever the axis.
func.func @max_pool_Extremum.C2_image_bound(%x: tensor<?x1x4294967296x2147483648xi8>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C2) the positions of one image leave a 64-bit integer: its known extents are 1 x 4294967296 x 2147483648}}
  %0, %1 = pool.max_pool %x kernel [1, 1] axis 3
     : tensor<?x1x4294967296x2147483648xi8> -> tensor<*xi8>, tensor<*xi64>
  return
}

// -----

// The bound assumes that an unknown extent is at least 1. Only the batch may be
// 0.
func.func @max_pool_Extremum.C2_i32_bound_of_the_known(%x: tensor<1x?x46341x46341xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C2) indices of type i32 cannot name the 2147488281 positions of the dimensions from axis 0 on}}
  %0, %1 = pool.max_pool %x kernel [1, 1]
     : tensor<1x?x46341x46341xf32> -> tensor<*xf32>, tensor<*xi32>
  return
}

// -----

func.func @max_pool_Extremum.C3_indices_of_zeros(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C3) indices are defined for pad_value = neg_inf only, pad_value is zero}}
  %0, %1 = pool.max_pool %x kernel [2, 2] pads_begin [1, 1] pad_value zero
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xi64>
  return
}

// -----

func.func @max_pool_Window.C11_element_sign(%x: tensor<1x2x6x8xui8>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values has element type i8, must have ui8}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xui8> -> tensor<1x2x5x7xi8>
  return
}

// -----

func.func @max_pool_Window.C11_indices_shape(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) indices, dimension 3: the extent is 8, the rule gives 7 = floor((8 + 0 + 0 - 2) / 1) + 1}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<1x2x5x7xf32>, tensor<1x2x5x8xi64>
  return
}

// -----

func.func @max_pool_Window.C11_indices_rank(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) indices has rank 3, must have rank 4}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<1x2x5xi64>
  return
}

// -----

func.func @max_pool_Window.C11_indices_encoding(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) indices has a tensor encoding, which is not supported}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<1x2x5x7xi32, "other">
  return
}

// -----

func.func @max_pool_element_i1(%x: tensor<1x2x6x8xi1>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6x8xi1> -> tensor<*xi1>
  return
}

// -----

func.func @max_pool_element_i4(%x: tensor<1x2x6x8xi4>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6x8xi4> -> tensor<*xi4>
  return
}

// -----

func.func @max_pool_element_i128(%x: tensor<1x2x6x8xi128>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6x8xi128> -> tensor<*xi128>
  return
}

// -----

func.func @max_pool_element_index(%x: tensor<1x2x6x8xindex>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6x8xindex> -> tensor<*xindex>
  return
}

// -----

func.func @max_pool_element_complex_f32(%x: tensor<1x2x6x8xcomplex<f32>>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xcomplex<f32>> -> tensor<*xcomplex<f32>>
  return
}

// -----

func.func @max_pool_element_f80(%x: tensor<1x2x6x8xf80>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6x8xf80> -> tensor<*xf80>
  return
}

// -----

func.func @max_pool_element_f8e4m3fn(%x: tensor<1x2x6x8xf8E4M3FN>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf8E4M3FN> -> tensor<*xf8E4M3FN>
  return
}

// -----

func.func @max_pool_indices_i8(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{result #1 must be tensor of i32 or i64 values, but got 'tensor<*xi8>'}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xi8>
  return
}

// -----

func.func @max_pool_indices_i16(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{result #1 must be tensor of i32 or i64 values, but got 'tensor<*xi16>'}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xi16>
  return
}

// -----

func.func @max_pool_indices_index(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{result #1 must be tensor of i32 or i64 values, but got 'tensor<*xindex>'}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xindex>
  return
}

// -----

func.func @max_pool_indices_ui32(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{result #1 must be tensor of i32 or i64 values, but got 'tensor<*xui32>'}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xui32>
  return
}

// -----

func.func @max_pool_indices_si64(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{result #1 must be tensor of i32 or i64 values, but got 'tensor<*xsi64>'}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xsi64>
  return
}

// -----

func.func @max_pool_indices_f32(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{result #1 must be tensor of i32 or i64 values, but got 'tensor<*xf32>'}}
  %0, %1 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>, tensor<*xf32>
  return
}
