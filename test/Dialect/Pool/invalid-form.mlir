// The parser and the verifier must reject malformed operations, in the generic
// and in the pretty form. Cases are attributes of the wrong type, unknown
// enumeration cases, and missing or additional operands and results.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

func.func @kernel_missing(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{(Window.C2) kernel is empty, must name at least one dimension}}
  %0 = "pool.max_pool"(%x) <{}> : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @kernel_array_attribute(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{invalid properties {kernel = [2]} for op pool.max_pool: 'kernel': expected array<i64: ...>, not [2]}}
  %0 = "pool.max_pool"(%x) <{kernel = [2]}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @kernel_i32(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'kernel': expected array<i64: ...>, not array<i32: 2>}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i32: 2>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @kernel_dense_tensor(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'kernel': expected array<i64: ...>, not dense<2> : tensor<1xi64>}}
  %0 = "pool.max_pool"(%x) <{kernel = dense<2> : tensor<1xi64>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @strides_integer(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'strides': expected array<i64: ...>, not 1 : i64}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, strides = 1 : i64}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

// The code that tablegen generates would ignore an unknown key, so the dialect
// must check for it.
func.func @unknown_property(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{invalid properties {kernel = array<i64: 2>, stride = array<i64: 2>} for op pool.max_pool: 'stride' is not an attribute of this operation; did you mean 'strides'?}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, stride = array<i64: 2>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @property_of_another_operation(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'nan_mode' is not an attribute of this operation}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>,
         nan_mode = #pool.nan_mode<ignore>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @window_reduce_unknown_property(%x: tensor<1x2x4x4xf32>,
    %y: tensor<1x2x3x3xf32>) {
  // expected-error @+1 {{'pads' is not an attribute of this operation}}
  %0 = "pool.window_reduce"(%x, %y) <{
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>,
         reduction = #pool.reduction<max>, kernel = array<i64: 2, 2>,
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         static_pads_begin = array<i64: 0, 0>,
         static_pads_end = array<i64: 0, 0>, pads = array<i64: 1, 1>}>
     : (tensor<1x2x4x4xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @properties_not_a_dictionary(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{invalid properties [2] for op pool.max_pool: expected a dictionary}}
  %0 = "pool.max_pool"(%x) <[2]> : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @divisor_override_string(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'divisor_override': Invalid attribute}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>, divisor_override = "2"}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @enum_string(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'rounding_type': expected #pool.rounding_type<...>, not "ceil"}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, rounding_type = "ceil"}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @enum_of_another_kind(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'rounding_type': expected #pool.rounding_type<...>, not #pool.auto_pad<valid>}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         rounding_type = #pool.auto_pad<valid>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @enum_unit(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'layout': expected #pool.layout<...>, not unit}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, layout}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @divisor_string(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'divisor': expected #pool.divisor<...>, not "kernel"}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>, divisor = "kernel"}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_rounding_type(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [floor, ceil, ceil_torch]}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         rounding_type = #pool.rounding_type<round>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_auto_pad(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [explicit, same_upper, same_lower, valid]}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         auto_pad = #pool.auto_pad<notset>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_same_output(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [input, strided]}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         same_output = #pool.same_output<half>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_layout(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [channels_first, channels_last]}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         layout = #pool.layout<nchw>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_pad_value(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [neg_inf, zero, pos_inf]}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         pad_value = #pool.pad_value<inf>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_nan_mode(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [ignore, propagate]}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         nan_mode = #pool.nan_mode<quiet>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_divisor(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [valid, padded, kernel]}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>,
         divisor = #pool.divisor<all>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_integer_rounding(%x: tensor<1x2x6xf32>) {
  // expected-error @+2 {{expected one of [half_even, half_up, half_away]}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>,
         integer_rounding = #pool.integer_rounding<half_odd>}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @enum_number(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'rounding_type': expected #pool.rounding_type<...>, not 3 : i32}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, rounding_type = 3 : i32}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @enum_negative_number(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'divisor': expected #pool.divisor<...>, not -1 : i32}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>, divisor = -1 : i32}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

// A number that is too wide must be an error. It must not be truncated.
func.func @enum_wide_number(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'rounding_type': expected #pool.rounding_type<...>, not 4294967297 : i64}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         rounding_type = 4294967297 : i64}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @axis_wide_number(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'axis': expected an integer of type i64, not 18446744073709551617 : i128}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>,
         axis = 18446744073709551617 : i128}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

// The attribute `true` must not be read as axis -1.
func.func @axis_bool(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'axis': expected an integer of type i64, not true}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, axis = true}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @axis_string(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'axis': expected an integer of type i64, not "width"}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>, axis = "width"}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @input_zp_float(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'input_zp': expected an integer of type i64, not 1.000000e+00 : f32}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>, input_zp = 1.0 : f32}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @divisor_override_i32(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{attribute 'divisor_override' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>,
         divisor_override = 2 : i32}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @divisor_override_float(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{Invalid attribute `divisor_override`}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>,
         divisor_override = 2.0 : f32}>
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @no_operand(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{requires a single operand}}
  %0 = "pool.max_pool"() <{kernel = array<i64: 2>}> : () -> tensor<1x2x5xf32>
  return
}

// -----

func.func @two_operands(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{requires a single operand}}
  %0 = "pool.max_pool"(%x, %x) <{kernel = array<i64: 2>}>
     : (tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @three_results(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{result group starting at #1 requires 0 or 1 element, but found 2}}
  %0:3 = "pool.max_pool"(%x) <{kernel = array<i64: 2>}>
     : (tensor<1x2x6xf32>)
    -> (tensor<1x2x5xf32>, tensor<1x2x5xi64>, tensor<1x2x5xi64>)
  return
}

// -----

func.func @avg_pool_two_results(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{requires one result}}
  %0:2 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>}>
     : (tensor<1x2x6xf32>) -> (tensor<1x2x5xf32>, tensor<1x2x5xi64>)
  return
}

// -----

func.func @result_not_a_tensor(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{result #0 must be tensor of}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>}>
     : (tensor<1x2x6xf32>) -> f32
  return
}

// -----

// A parameter outside the properties would have no effect, so it is an error.
func.func @max_pool_discardable_strides(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'strides' stands outside the properties, where it has no effect: write it in the operation's form or within <{ }>}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>}> {strides = array<i64: 2>}
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @avg_pool_discardable_divisor(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'divisor' stands outside the properties}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>}>
         {divisor = #pool.divisor<kernel>}
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_no_kernel(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected 'kernel'}}
  %0 = pool.max_pool %x strides [2] : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_kernel_not_a_list(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected '['}}
  %0 = pool.max_pool %x kernel 2 : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_kernel_not_integer(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected integer value}}
  %0 = pool.max_pool %x kernel [2.5] : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_kernel_too_large(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{integer value too large}}
  %0 = pool.max_pool %x kernel [99999999999999999999]
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_enum_case(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected one of [explicit, same_upper, same_lower, valid] for source of the padding, got: SAME_UPPER}}
  %0 = pool.max_pool %x kernel [2] auto_pad SAME_UPPER
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_foreign_attribute(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{unknown clause 'divisor'; the clauses are kernel, strides, dilations, pads_begin, pads_end, rounding_type, auto_pad, same_output, layout, axis, pad_value, nan_mode}}
  %0 = pool.max_pool %x kernel [2] divisor kernel
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_twice(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{`strides` clause can appear at most once}}
  %0 = pool.max_pool %x kernel [2] strides [2] strides [1]
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

// An annotation may have any name except those that front ends give to
// parameters.

func.func @pretty_foreign_attribute_name(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'ceil_mode' is not an attribute of this operation}}
  %0 = pool.max_pool %x kernel [2] {ceil_mode = true}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

// The error needs no warning beside it, also for a name similar to a clause's.

func.func @pretty_foreign_name_like_a_clause(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'stride' is not an attribute of this operation}}
  %0 = pool.max_pool %x kernel [2] {stride = [1]}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @avg_pool_foreign_attribute(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pads' is not an attribute of this operation}}
  %0 = "pool.avg_pool"(%x) <{kernel = array<i64: 2>}>
         {pads = array<i64: 1, 1>}
     : (tensor<1x2x6xf32>) -> tensor<1x2x5xf32>
  return
}
