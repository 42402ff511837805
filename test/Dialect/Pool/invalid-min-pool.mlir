// The verifier must reject an invalid min_pool, with the label of the rule.
// invalid-max-pool.mlir has the rules that it shares with max_pool.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

// -----

func.func @min_pool_Quant.C2_zero_point(%x: tensor<1x2x6x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error @+1 {{'pool.min_pool' op (Quant.C2) pad_value is zero, which !quant.uniform<i8:f32, 5.000000e-01:3> does not store as 0}}
  %0 = pool.min_pool %x kernel [2] pads_end [1] pad_value zero
     : tensor<1x2x6x!quant.uniform<i8:f32, 0.5:3>> -> tensor<*x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @min_pool_Extremum.C4_neg_inf(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.min_pool' op (Extremum.C4) pad_value is neg_inf, which would always be chosen, must be pos_inf or zero}}
  %0 = pool.min_pool %x kernel [2] pad_value neg_inf
     : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Extremum.C4_pos_inf(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Extremum.C4) pad_value is pos_inf, which would always be chosen, must be neg_inf or zero}}
  %0 = pool.max_pool %x kernel [2] pad_value pos_inf
     : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @window_reduce_WindowReduce.C7_pad_value(%x: tensor<1x2x6xf32>, %y: tensor<1x2x5xf32>) {
  // expected-error @+1 {{'pool.window_reduce' op (WindowReduce.C7) pad_value is neg_inf, which would always be chosen, must be pos_inf or zero}}
  %0 = pool.window_reduce <min> ins(%x : tensor<1x2x6xf32>)
    outs(%y : tensor<1x2x5xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] pad_value neg_inf -> tensor<1x2x5xf32>
  return
}

// -----

func.func @window_reduce_WindowReduce.C7_positions(%x: tensor<1x2x6xf32>, %y: tensor<1x2x5xf32>,
                                      %p: tensor<1x2x5xi64>) {
  // expected-error @+1 {{'pool.window_reduce' op (WindowReduce.C7) positions are defined for pad_value = pos_inf only}}
  %0:2 = pool.window_reduce <min> ins(%x : tensor<1x2x6xf32>)
    outs(%y, %p : tensor<1x2x5xf32>, tensor<1x2x5xi64>) kernel [2] strides [1]
    dilations [1] pads_begin [0] pads_end [0] positions [0, 1] pad_value zero
    -> tensor<1x2x5xf32>, tensor<1x2x5xi64>
  return
}

// -----

func.func @window_reduce_WindowReduce.C5_type(%x: tensor<1x2x6xf32>, %y: tensor<1x2x5xf64>) {
  // expected-error @+1 {{'pool.window_reduce' op (WindowReduce.C5) the minimum of 'f32' must be 'f32', not 'f64'}}
  %0 = pool.window_reduce <min> ins(%x : tensor<1x2x6xf32>)
    outs(%y : tensor<1x2x5xf64>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] -> tensor<1x2x5xf64>
  return
}
