// The verifier must reject an invalid lp_pool, with the label of the rule. The
// rules of windows are shared with max_pool, so only one of them is tested
// here.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

func.func @lp_pool_Window.C8_kernel_exceeds_input(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.lp_pool' op (Window.C8) dimension 2: the window covers 7 = (7 - 1) * 1 + 1 elements, the padded input has 6 = 6 + 0 + 0}}
  %0 = pool.lp_pool %x kernel [7, 2] : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @lp_pool_Lp.C1_zero_p(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.lp_pool' op (Lp.C1) p is 0, must be at least 1}}
  %0 = pool.lp_pool %x kernel [2, 2] p 0 : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @lp_pool_Lp.C1_negative_p(%x: tensor<*xf32>) {
  // expected-error @+1 {{'pool.lp_pool' op (Lp.C1) p is -2, must be at least 1}}
  %0 = pool.lp_pool %x kernel [2, 2] p -2 : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

func.func @lp_pool_Window.C11_floor(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.lp_pool' op (Window.C11) output, dimension 2: the extent is 6, the rule gives 5 = floor((6 + 0 + 0 - 2) / 1) + 1}}
  %0 = pool.lp_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<1x2x6x8xf32>
  return
}

// -----

func.func @lp_pool_Window.C11_same_input(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{same_output = strided would accept this type}}
  %0 = pool.lp_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @lp_pool_element_i8(%x: tensor<1x2x6x8xi8>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) values, but got 'tensor<1x2x6x8xi8>'}}
  %0 = pool.lp_pool %x kernel [2, 2] : tensor<1x2x6x8xi8> -> tensor<*xi8>
  return
}

// -----

func.func @lp_pool_discardable_p(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'p' is a clause, not an attribute in braces; write `p 3` before the braces}}
  %0 = pool.lp_pool %x kernel [2, 2] {p = 3}
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}
