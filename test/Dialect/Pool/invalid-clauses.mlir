// The parser must reject misspelt clauses and attributes, and values that do
// not fit a clause. Each gets one diagnostic. If a known name is similar, the
// diagnostic suggests that name.

// RUN: pool-opt %s --split-input-file --verify-diagnostics
// RUN: not pool-opt %s --split-input-file 2>&1 | FileCheck %s --implicit-check-not="see current operation"

// This run checks that each error comes alone, without the operation in generic
// form.
// CHECK: unknown clause 'stride'

func.func @misspelt(%x: tensor<1x2x6x6xf32>) {
  // expected-error @+1 {{unknown clause 'stride'; did you mean 'strides'?}}
  %0 = pool.max_pool %x kernel [2, 2] stride [2, 2]
     : tensor<1x2x6x6xf32> -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @misspelt_kernel(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{unknown clause 'kernal'; did you mean 'kernel'?}}
  %0 = pool.min_pool %x kernal [2] : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @misspelt_after_others(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{unknown clause 'integer_roundin'; did you mean 'integer_rounding'?}}
  %0 = pool.avg_pool %x kernel [2] layout channels_first integer_roundin half_up
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

// A name of one letter is similar to too many other names, so the error
// suggests none.
func.func @unknown(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{unknown clause 'q'; the clauses are kernel, strides, dilations, pads_begin, pads_end, rounding_type, auto_pad, same_output, layout, p}}
  %0 = pool.lp_pool %x kernel [2] q 2 : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @misspelt_adaptive(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{unknown clause 'output_sizes'; did you mean 'output_size'?}}
  %0 = pool.adaptive_avg_pool %x output_sizes [2]
     : tensor<1x2x6xf32> -> tensor<1x2x2xf32>
  return
}

// -----

func.func @misspelt_adaptive_max(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{unknown clause 'nanmode'; did you mean 'nan_mode'?}}
  %0 = pool.adaptive_max_pool %x output_size [2] nanmode ignore
     : tensor<1x2x6xf32> -> tensor<1x2x2xf32>
  return
}

// -----

func.func @misspelt_unpool(%v: tensor<1x2x3xf32>, %i: tensor<1x2x3xi64>) {
  // expected-error @+1 {{unknown clause 'axes'; did you mean 'axis'?}}
  %0 = pool.max_unpool %v, %i axes 2
     : tensor<1x2x3xf32>, tensor<1x2x3xi64> -> tensor<1x2x6xf32>
  return
}

// -----

func.func @misspelt_grad(%x: tensor<1x2x6xf32>, %g: tensor<1x2x3xf32>) {
  // expected-error @+1 {{unknown clause 'stride'; did you mean 'strides'?}}
  %0 = pool.max_pool_grad %x, %g kernel [2] stride [2]
     : tensor<1x2x6xf32>, tensor<1x2x3xf32> -> tensor<1x2x6xf32>
  return
}

// -----

func.func @misspelt_avg_grad(%g: tensor<1x2x3xf32>) {
  // expected-error @+1 {{unknown clause 'stride'; did you mean 'strides'?}}
  %0 = pool.avg_pool_grad %g kernel [2] stride [2]
     : tensor<1x2x3xf32> -> tensor<1x2x6xf32>
  return
}

// -----

func.func @misspelt_window_reduce(%x: memref<1x4x9xf32>, %y: memref<1x4x8xf32>) {
  // expected-error @+3 {{unknown clause 'nan_mod'; did you mean 'nan_mode'?}}
  pool.window_reduce <max> ins(%x : memref<1x4x9xf32>)
    outs(%y : memref<1x4x8xf32>) kernel [2] strides [1] dilations [1]
    pads_begin [0] pads_end [0] nan_mod <propagate>
  return
}

// -----

func.func @divisor_number(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{clause 'divisor' takes one of [valid, padded, kernel], but has a number; 'divisor_override' takes a number}}
  %0 = pool.avg_pool %x kernel [2] divisor 3
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @layout_number(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{clause 'layout' takes one of [channels_first, channels_last], but has a number}}
  %0 = pool.avg_pool %x kernel [2] layout 1
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @divisor_override_without_value(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected integer value}}
  %0 = pool.avg_pool %x kernel [2] divisor_override
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @wrong_operand_type(%x: tensor<1x2x6xi1>) {
  // expected-error @+1 {{operand #0 must be tensor of float (f16, bf16, f32, f64) or integer (8, 16, 32, 64 bits) or uniform quantised (8, 16, 32 bits) values, but got 'tensor<1x2x6xi1>'}}
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x6xi1> -> tensor<1x2x5xi1>
  return
}

// -----

// The dialect accepts any attribute, but an attribute with a misspelt name has
// no effect. So names similar to a parameter's give a warning.
func.func @attributes(%x: tensor<1x2x6xf32>) {
  // expected-warning @+1 {{attribute 'kernal' has no effect; did you mean 'kernel'?}}
  %0 = pool.max_pool %x kernel [2] {kernal = [1], note = "mine", id = 7}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  // expected-warning @+1 {{attribute 'plan' has no effect; did you mean 'pool.plan'?}}
  %1 = pool.max_pool %x kernel [2] {plan = 3}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}
