// convert-pool-to-linalg must reject max_unpool and gradients that it cannot
// lower, because an operand is unranked, with an error that names the operand.

// RUN: pool-opt %s --convert-pool-to-linalg --split-input-file --verify-diagnostics

func.func @max_unpool_unranked(%v: tensor<1x2x3xf32>, %i: tensor<*xi32>)
    -> tensor<1x2x9xf32> {
  // expected-error @+1 {{'pool.max_unpool' op cannot be lowered: operand #1 is unranked}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x3xf32>, tensor<*xi32> -> tensor<1x2x9xf32>
  return %0 : tensor<1x2x9xf32>
}

// -----

func.func @max_pool_grad_unranked(%x: tensor<*xf32>, %g: tensor<1x2x2xf32>)
    -> tensor<*xf32> {
  // expected-error @+1 {{'pool.max_pool_grad' op cannot be lowered: operand #0 is unranked}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<*xf32>, tensor<1x2x2xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @avg_pool_grad_unranked(%g: tensor<*xf32>) -> tensor<1x2x3xf32> {
  // expected-error @+1 {{'pool.avg_pool_grad' op cannot be lowered: operand #0 is unranked}}
  %0 = pool.avg_pool_grad %g kernel [2] : tensor<*xf32> -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}
