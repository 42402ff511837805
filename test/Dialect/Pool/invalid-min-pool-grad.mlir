// The verifier must reject an invalid min_pool_grad, with the label of the
// rule. invalid-grad.mlir tests the rules that it shares with max_pool_grad.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

func.func @min_pool_grad_Grad.C1_extent(%x: tensor<1x2x6xf32>, %g: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.min_pool_grad' op (Grad.C1) output_grad, dimension 2: the extent is 6, the rule gives 5}}
  %0 = pool.min_pool_grad %x, %g kernel [2]
     : tensor<1x2x6xf32>, tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  return
}

// -----

func.func @min_pool_grad_Grad.C4_axis(%x: tensor<1x2x6x6xf32>, %g: tensor<1x2x5x5xf32>,
                                  %i: tensor<1x2x5x5xi32>) {
  // expected-error @+1 {{'pool.min_pool_grad' op (Grad.C4) dimension 2 lies before axis 3, so that indices do not name a position in it: its window must be one element with stride 1 and no padding, kernel is 2, stride 1, pads 0 and 0}}
  %0 = pool.min_pool_grad %x, %g, %i kernel [2, 2] axis 3
     : tensor<1x2x6x6xf32>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xi32> -> tensor<1x2x6x6xf32>
  return
}
