// The verifier must reject an invalid avg_pool. A case for each rule: the
// message has the label of the rule, such as (Average.C1), and the numbers.
// invalid.mlir and invalid-results.mlir have the rules of windows.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

// -----

func.func @avg_pool_Average.C1_zero_divisor(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C1) divisor_override is 0, must be another number}}
  %0 = pool.avg_pool %x kernel [2, 2] divisor_override 0
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C2_input_zp_float(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) input_zp is 1, must be 0 for f32}}
  %0 = pool.avg_pool %x kernel [2, 2] input_zp 1
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C2_output_zp_float(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) output_zp is -1, must be 0 for f32}}
  %0 = pool.avg_pool %x kernel [2, 2] output_zp -1
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C2_input_zp_above_i8(%x: tensor<1x2x6x8xi8>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) input_zp is 128, which is not a value of i8}}
  %0 = pool.avg_pool %x kernel [2, 2] input_zp 128
     : tensor<1x2x6x8xi8> -> tensor<*xi8>
  return
}

// -----

func.func @avg_pool_Average.C2_output_zp_below_i8(%x: tensor<1x2x6x8xi8>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) output_zp is -129, which is not a value of i8}}
  %0 = pool.avg_pool %x kernel [2, 2] output_zp -129
     : tensor<1x2x6x8xi8> -> tensor<*xi8>
  return
}

// -----

func.func @avg_pool_Average.C2_input_zp_above_si16(%x: tensor<1x2x6x8xsi16>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) input_zp is 32768, which is not a value of si16}}
  %0 = pool.avg_pool %x kernel [2, 2] input_zp 32768
     : tensor<1x2x6x8xsi16> -> tensor<*xsi16>
  return
}

// -----

func.func @avg_pool_Average.C2_output_zp_above_i32(%x: tensor<1x2x6x8xi32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) output_zp is 2147483648, which is not a value of i32}}
  %0 = pool.avg_pool %x kernel [2, 2] output_zp 2147483648
     : tensor<1x2x6x8xi32> -> tensor<*xi32>
  return
}

// -----

func.func @avg_pool_Average.C2_input_zp_below_ui8(%x: tensor<1x2x6x8xui8>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) input_zp is -1, which is not a value of ui8}}
  %0 = pool.avg_pool %x kernel [2, 2] input_zp -1
     : tensor<1x2x6x8xui8> -> tensor<*xui8>
  return
}

// -----

func.func @avg_pool_Average.C2_output_zp_above_ui8(%x: tensor<1x2x6x8xui8>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) output_zp is 256, which is not a value of ui8}}
  %0 = pool.avg_pool %x kernel [2, 2] output_zp 256
     : tensor<1x2x6x8xui8> -> tensor<*xui8>
  return
}

// -----

func.func @avg_pool_Average.C2_input_zp_below_ui64(%x: tensor<1x2x6x8xui64>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C2) input_zp is -1, which is not a value of ui64}}
  %0 = pool.avg_pool %x kernel [2, 2] input_zp -1
     : tensor<1x2x6x8xui64> -> tensor<*xui64>
  return
}

// -----

func.func @avg_pool_Average.C3_begin_padding(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 2: the average at output position 0 is 0/0: its window starts at -2 with dilation 1 and counts no element under divisor = valid (input 6, pads 2 and 0, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] pads_begin [2, 0]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C3_end_padding(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 3: the average at output position 8 is 0/0: its window starts at 8 with dilation 1 and counts no element under divisor = valid (input 8, pads 0 and 3, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] pads_end [0, 3]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

// Under ceil, the last window may lie wholly beyond the input, so it counts
// nothing.
func.func @avg_pool_Average.C3_ceil_overhang(%x: tensor<1x2x6x2xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 3: the average at output position 1 is 0/0: its window starts at 3 with dilation 1 and counts no element under divisor = valid (input 2, pads 0 and 0, kernel 1)}}
  %0 = pool.avg_pool %x kernel [2, 1] strides [1, 3] rounding_type ceil
     : tensor<1x2x6x2xf32> -> tensor<*xf32>
  return
}

// -----

// `padded` does not count overhang, so a window of only overhang counts
// nothing.
func.func @avg_pool_Average.C3_ceil_overhang_padded(%x: tensor<1x2x6x2xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 3: the average at output position 1 is 0/0: its window starts at 3 with dilation 1 and counts no element under divisor = padded (input 2, pads 0 and 0, kernel 1)}}
  %0 = pool.avg_pool %x kernel [2, 1] strides [1, 3] rounding_type ceil divisor
         padded
     : tensor<1x2x6x2xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C3_ceil_padding(%x: tensor<1x2x5x5xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 2: the average at output position 3 is 0/0: its window starts at 5 with dilation 1 and counts no element under divisor = valid (input 5, pads 1 and 1, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] strides [2, 2] pads_begin [1, 1] pads_end
         [1, 1] rounding_type ceil
     : tensor<1x2x5x5xf32> -> tensor<*xf32>
  return
}

// -----

// The dilation exceeds the input's extent, so all taps of a window may miss the
// input.
func.func @avg_pool_Average.C3_dilation_steps_over(%x: tensor<1x2x3x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 2: the average at output position 0 is 0/0: its window starts at -4 with dilation 9 and counts no element under divisor = valid (input 3, pads 4 and 4, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] dilations [9, 1] pads_begin [4, 0]
         pads_end [4, 0]
     : tensor<1x2x3x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C3_same_upper(%x: tensor<1x2x3x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 2: the average at output position 0 is 0/0: its window starts at -4 with dilation 9 and counts no element under divisor = valid (input 3, pads 4 and 5, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] dilations [9, 1] auto_pad same_upper
     : tensor<1x2x3x8xf32> -> tensor<*xf32>
  return
}

// -----

// If only some extents are unknown, the known ones are checked.
func.func @avg_pool_Average.C3_one_dimension_known(%x: tensor<?x?x?x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 3: the average at output position 8 is 0/0: its window starts at 8 with dilation 1 and counts no element under divisor = valid (input 8, pads 0 and 2, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] pads_begin [2, 0] pads_end [0, 2]
     : tensor<?x?x?x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C3_channels_last(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 1: the average at output position 0 is 0/0: its window starts at -2 with dilation 1 and counts no element under divisor = valid (input 2, pads 2 and 0, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] pads_begin [2, 0] layout channels_last
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @avg_pool_Average.C3_integers(%x: tensor<1x2x6x8xi8>) {
  // expected-error @+1 {{'pool.avg_pool' op (Average.C3) dimension 2: the average at output position 0 is 0/0: its window starts at -2 with dilation 1 and counts no element under divisor = valid (input 6, pads 2 and 0, kernel 2)}}
  %0 = pool.avg_pool %x kernel [2, 2] pads_begin [2, 0]
     : tensor<1x2x6x8xi8> -> tensor<*xi8>
  return
}

// -----

// With same_output input, some windows have only padding here. A note adds that
// the declared type fits same_output strided.
func.func @avg_pool_Average.C3_same_input(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{same_output = strided would accept this type}}
  %0 = pool.avg_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @avg_pool_element_i1(%x: tensor<1x2x6x8xi1>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.avg_pool %x kernel [2, 2] : tensor<1x2x6x8xi1> -> tensor<*xi1>
  return
}

// -----

func.func @avg_pool_element_index(%x: tensor<1x2x6x8xindex>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.avg_pool %x kernel [2, 2] : tensor<1x2x6x8xindex> -> tensor<*xindex>
  return
}

// -----

func.func @avg_pool_element_complex_f32(%x: tensor<1x2x6x8xcomplex<f32>>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got}}
  %0 = pool.avg_pool %x kernel [2, 2]
     : tensor<1x2x6x8xcomplex<f32>> -> tensor<*xcomplex<f32>>
  return
}
