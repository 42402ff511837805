// The verifier must reject an invalid lp_pool, with the label of the rule.
// invalid.mlir and invalid-results.mlir have the rules of windows.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

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
