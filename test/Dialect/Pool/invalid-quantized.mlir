// The verifier must reject pooling on quantised types that do not fit: a result
// with another scale or zero point, a scale that changes within a window, and
// the like. The message has the label of the rule.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

!a = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i8:f32, 0.5:4>
func.func @max_pool_Window.C11_other_parameters(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values has element type !quant.uniform<i8:f32, 5.000000e-01:4>, must have !quant.uniform<i8:f32, 5.000000e-01:3>}}
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x5x!a> -> tensor<1x2x4x!b>
  return
}

// -----

!a = !quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.25}>
func.func @max_pool_Quant.C1_spatial_axis(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Quant.C1) !quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01,2.500000e-01}> is quantised along dimension 2, which the window spans}}
  %0 = pool.max_pool %x kernel [5] : tensor<1x2x5x!a> -> tensor<1x2x1x!a>
  return
}

// -----

!a = !quant.uniform<i8:f32, 0.5:3>
func.func @max_pool_Quant.C2_zero_padding(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Quant.C2) pad_value is zero, which !quant.uniform<i8:f32, 5.000000e-01:3> does not store as 0}}
  %0 = pool.max_pool %x kernel [2] pad_value zero : tensor<1x2x5x!a> -> tensor<1x2x4x!a>
  return
}

// -----

!a = !quant.uniform<i8:f32:1, {0.5, 0.5:1}>
func.func @avg_pool_Quant.C3_per_axis(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Quant.C3) !quant.uniform<i8:f32:1, {5.000000e-01,5.000000e-01:1}> is quantised per axis, an average takes one scale and one zero point}}
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!a> -> tensor<1x2x4x!a>
  return
}

// -----

!a = !quant.uniform<i8:f32, 0.5:300>
func.func @avg_pool_Quant.C4_zero_point(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Quant.C4) the zero point of !quant.uniform<i8:f32, 5.000000e-01:300> is none of its stored values, [-128, 127]}}
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!a> -> tensor<1x2x4x!a>
  return
}

// -----

!a = !quant.uniform<i8:f32, 0.5:3>
func.func @avg_pool_Average.C2_zero_point_attribute(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Average.C2) input_zp is 3, must be 0 for !quant.uniform<i8:f32, 5.000000e-01:3>}}
  %0 = pool.avg_pool %x kernel [2] input_zp 3 : tensor<1x2x5x!a> -> tensor<1x2x4x!a>
  return
}

// -----

!a = !quant.uniform<i8:f32, 0.5>
!b = !quant.uniform<u8:f32, 0.5>
func.func @avg_pool_Quant.C5_other_storage(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Quant.C5) the input stores i8, the output ui8; they must store the same}}
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!a> -> tensor<1x2x4x!b>
  return
}

// -----

!a = !quant.uniform<i8:f32, 1.0e+15>
!b = !quant.uniform<i8:f32, 1.0e-15>
func.func @avg_pool_Quant.C6_scales(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Quant.C6) the ratio of the scales 1.000000e+15 and 1.000000e-15 is beyond the multipliers and shifts of TOSA}}
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!a> -> tensor<1x2x4x!b>
  return
}

// -----

!a = !quant.uniform<i8:f32, 0.5>
func.func @avg_pool_Window.C11_not_quantised(%x: tensor<1x2x5x!a>) {
  // expected-error @+1 {{op (Window.C11) output has element type f32, must have !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = pool.avg_pool %x kernel [2] : tensor<1x2x5x!a> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @small_storage(%x: tensor<1x2x5x!quant.uniform<i4:f32, 0.5>>) {
  // expected-error @+1 {{operand #0 must be}}
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x5x!quant.uniform<i4:f32, 0.5>> -> tensor<1x2x4x!quant.uniform<i4:f32, 0.5>>
  return
}

// -----

func.func @calibrated(%x: tensor<1x2x5x!quant.calibrated<f32<-1.0:1.0>>>) {
  // expected-error @+1 {{operand #0 must be}}
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x5x!quant.calibrated<f32<-1.0:1.0>>> -> tensor<1x2x4x!quant.calibrated<f32<-1.0:1.0>>>
  return
}

// -----

func.func @lp_pool(%x: tensor<1x2x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{operand #0 must be}}
  %0 = pool.lp_pool %x kernel [2] : tensor<1x2x5x!quant.uniform<i8:f32, 0.5>> -> tensor<1x2x4x!quant.uniform<i8:f32, 0.5>>
  return
}
