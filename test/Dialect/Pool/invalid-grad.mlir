// The verifier must reject invalid gradients. A case for each rule: the message
// has the label of the rule and the numbers. The rules of windows are shared
// with max_pool, so only one of them is tested here.

// RUN: pool-opt %s --split-input-file --verify-diagnostics
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --split-input-file --verify-diagnostics

// -----

func.func @max_pool_grad_Window.C1_rank(%x: tensor<1x2x3xf32>, %g: tensor<1x2x2xf32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Window.C1) the input has rank 3, must have rank 4}}
  %0 = pool.max_pool_grad %x, %g kernel [2, 2]
     : tensor<1x2x3xf32>, tensor<1x2x2xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Extremum.C1_axis(%x: tensor<1x2x3xf32>, %g: tensor<1x2x2xf32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Extremum.C1) axis is 3, must lie in [-3, 2]}}
  %0 = pool.max_pool_grad %x, %g kernel [2] axis 3
     : tensor<1x2x3xf32>, tensor<1x2x2xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Extremum.C2_i32_bound(%x: tensor<1x1x46341x46341xf32>,
                                       %g: tensor<*xf32>, %i: tensor<*xi32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Extremum.C2) indices of type i32 cannot name the 2147488281 positions of the dimensions from axis 0 on}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 1]
     : tensor<1x1x46341x46341xf32>, tensor<*xf32>, tensor<*xi32>
     -> tensor<1x1x46341x46341xf32>
  return
}

// -----

// The gradient computes the indices itself, so no declared index type can be
// too narrow. But positions must fit 64 bits.

func.func @max_pool_grad_Extremum.C2_recomputed(
    %x: tensor<1x4294967296x4294967296x1xf32>, %g: tensor<*xf32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Extremum.C2) the positions of one image leave a 64-bit integer: its known extents are 4294967296 x 4294967296 x 1}}
  %0 = pool.max_pool_grad %x, %g kernel [1, 1]
     : tensor<1x4294967296x4294967296x1xf32>, tensor<*xf32>
     -> tensor<1x4294967296x4294967296x1xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C1_extent(%x: tensor<1x2x3xf32>, %g: tensor<1x2x3xf32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C1) output_grad, dimension 2: the extent is 3, the rule gives 2}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x3xf32>, tensor<1x2x3xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C1_rank(%x: tensor<1x2x3xf32>, %g: tensor<2x2xf32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C1) output_grad has rank 2, the rule gives rank 3}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x3xf32>, tensor<2x2xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C1_element_type(%x: tensor<1x2x3xf32>, %g: tensor<1x2x2xf16>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C1) output_grad has element type f16, must have f32}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x3xf32>, tensor<1x2x2xf16> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C1_encoding(%x: tensor<1x2x3xf32>, %g: tensor<1x2x2xf32, "sparse">) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C1) output_grad has a tensor encoding, which is not supported}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x3xf32>, tensor<1x2x2xf32, "sparse"> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C2_type(%x: tensor<1x2x?xf32>, %g: tensor<1x2x2xf32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C2) input_grad has type tensor<1x2x3xf32>, must have the input's, tensor<1x2x?xf32>, or one that is less static}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x?xf32>, tensor<1x2x2xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C3_rule(%x: tensor<1x2x3xf32>, %g: tensor<*xf32>,
                                  %i: tensor<1x2x3xi32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C3) indices, dimension 2: the extent is 3, the rule gives 2}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [2]
     : tensor<1x2x3xf32>, tensor<*xf32>, tensor<1x2x3xi32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C3_output_grad(%x: tensor<1x2x?xf32>, %g: tensor<1x2x2xf32>,
                                         %i: tensor<1x2x3xi32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C3) indices, dimension 2: the extent is 3, output_grad gives 2}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [2]
     : tensor<1x2x?xf32>, tensor<1x2x2xf32>, tensor<1x2x3xi32> -> tensor<1x2x?xf32>
  return
}

// -----

func.func @max_pool_grad_Grad.C4_spatial_axis(%x: tensor<1x2x3x3xf32>, %g: tensor<1x2x2x2xf32>,
                                          %i: tensor<1x2x2x2xi64>) {
  // expected-error @+1 {{'pool.max_pool_grad' op (Grad.C4) dimension 2 lies before axis 3, so that indices do not name a position in it: its window must be one element with stride 1 and no padding, kernel is 2, stride 1, pads 0 and 0}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] axis -1
     : tensor<1x2x3x3xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64>
     -> tensor<1x2x3x3xf32>
  return
}

// -----

// In the row dimension, windows are single elements without padding. So each
// row is separate, and axis 3 is valid.
func.func @max_pool_grad_Grad.C4_holds(%x: tensor<1x2x3x3xf32>, %g: tensor<1x2x3x2xf32>,
                                   %i: tensor<1x2x3x2xi64>) {
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 2] axis 3
     : tensor<1x2x3x3xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xi64>
     -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @max_pool_grad_integers(%x: tensor<1x2x3xi32>, %g: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_pool_grad' op operand #0 must be tensor of}}
  %0 = pool.max_pool_grad %x, %g kernel [2]
     : tensor<1x2x3xi32>, tensor<1x2x2xi32> -> tensor<1x2x3xi32>
  return
}

// -----

func.func @avg_pool_grad_Window.C8_window(%g: tensor<1x2x1xf32>) {
  // expected-error @+1 {{'pool.avg_pool_grad' op (Window.C8) dimension 2: the window covers 4 = (4 - 1) * 1 + 1 elements, the padded input has 3 = 3 + 0 + 0}}
  %0 = pool.avg_pool_grad %g kernel [4] : tensor<1x2x1xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @avg_pool_grad_Average.C1_divisor_override(%g: tensor<1x2x2xf32>) {
  // expected-error @+1 {{'pool.avg_pool_grad' op (Average.C1) divisor_override is 0, must be another number}}
  %0 = pool.avg_pool_grad %g kernel [2] divisor_override 0
     : tensor<1x2x2xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @avg_pool_grad_Grad.C5_extents(%g: tensor<1x2x2xf32>) {
  // expected-error @+1 {{'pool.avg_pool_grad' op (Grad.C5) 0 extents are given, the result type has 1 unknown extents}}
  %0 = pool.avg_pool_grad %g kernel [2] : tensor<1x2x2xf32> -> tensor<1x2x?xf32>
  return
}

// -----

func.func @avg_pool_grad_Average.C3_counts_nothing(%g: tensor<1x2x4xf32>) {
  // expected-error @+1 {{'pool.avg_pool_grad' op (Average.C3) dimension 2: the average at output position 0 is 0/0}}
  %0 = pool.avg_pool_grad %g kernel [1] pads_begin [1]
     : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @avg_pool_grad_Grad.C1_extent(%g: tensor<1x2x3xf32>) {
  // expected-error @+1 {{'pool.avg_pool_grad' op (Grad.C1) output_grad, dimension 2: the extent is 3, the rule gives 2}}
  %0 = pool.avg_pool_grad %g kernel [2] : tensor<1x2x3xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @avg_pool_grad_Grad.C1_element_type(%g: tensor<1x2x2xf16>) {
  // expected-error @+1 {{'pool.avg_pool_grad' op (Grad.C1) output_grad has element type f16, must have f32}}
  %0 = pool.avg_pool_grad %g kernel [2] : tensor<1x2x2xf16> -> tensor<1x2x3xf32>
  return
}
