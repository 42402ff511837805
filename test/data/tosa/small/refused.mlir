// max_pool2d_1x9x9x2_f8e5m2_st21_kern22_pad1000_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xf8E5M2>) -> (tensor<1x5x8x2xf8E5M2>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf8E5M2>) -> tensor<1x5x8x2xf8E5M2>
    return %0 : tensor<1x5x8x2xf8E5M2>
  }
}


// -----
// max_pool2d_1x9x9x2_f8e5m2_st12_kern23_pad0100_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xf8E5M2>) -> (tensor<1x9x4x2xf8E5M2>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, nan_mode = IGNORE, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf8E5M2>) -> tensor<1x9x4x2xf8E5M2>
    return %0 : tensor<1x9x4x2xf8E5M2>
  }
}


// -----
// max_pool2d_1x9x9x2_f8e5m2_st21_kern23_pad1001_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xf8E5M2>) -> (tensor<1x5x8x2xf8E5M2>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf8E5M2>) -> tensor<1x5x8x2xf8E5M2>
    return %0 : tensor<1x5x8x2xf8E5M2>
  }
}


// -----
// max_pool2d_1x9x9x2_f8e4m3_st21_kern33_pad0000_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xf8E4M3FN>) -> (tensor<1x4x7x2xf8E4M3FN>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf8E4M3FN>) -> tensor<1x4x7x2xf8E4M3FN>
    return %0 : tensor<1x4x7x2xf8E4M3FN>
  }
}


// -----
// avg_pool2d_adaptive_1x9x9x2_i16_acci32_st11_kern33_pad0010
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x7x8x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.const_shape  {values = dense<3> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.avg_pool2d_adaptive %arg0, %0, %1, %2, %3, %4 {acc_type = i32} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x7x8x2xi16>
    return %5 : tensor<1x7x8x2xi16>
  }
}


// -----
// avg_pool2d_adaptive_1x9x9x2_i16_acci32_st11_kern23_pad0000
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x7x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.const_shape  {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.avg_pool2d_adaptive %arg0, %0, %1, %2, %3, %4 {acc_type = i32} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x8x7x2xi16>
    return %5 : tensor<1x8x7x2xi16>
  }
}


// -----
// avg_pool2d_adaptive_1x9x9x2_i16_acci32_st21_kern23_pad0111
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x5x9x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.const_shape  {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<[0, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.avg_pool2d_adaptive %arg0, %0, %1, %2, %3, %4 {acc_type = i32} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x5x9x2xi16>
    return %5 : tensor<1x5x9x2xi16>
  }
}


// -----
// max_pool2d_adaptive_1x9x9x2_f8e5m2_st11_kern32_pad0000_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xf8E5M2>) -> (tensor<1x7x8x2xf8E5M2>) {
    %0 = tosa.const_shape  {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.max_pool2d_adaptive %arg0, %0, %1, %2 {nan_mode = IGNORE} : (tensor<1x9x9x2xf8E5M2>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x7x8x2xf8E5M2>
    return %3 : tensor<1x7x8x2xf8E5M2>
  }
}


// -----
// max_pool2d_adaptive_1x9x9x2_f8e5m2_st21_kern33_pad0001_modeP
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xf8E5M2>) -> (tensor<1x4x8x2xf8E5M2>) {
    %0 = tosa.const_shape  {values = dense<3> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<[0, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.max_pool2d_adaptive %arg0, %0, %1, %2 : (tensor<1x9x9x2xf8E5M2>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x4x8x2xf8E5M2>
    return %3 : tensor<1x4x8x2xf8E5M2>
  }
}


// -----
// max_pool2d_adaptive_1x9x9x2_bf16_st12_kern32_pad1010_modeP
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x8x5x2xbf16>) {
    %0 = tosa.const_shape  {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<[1, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.max_pool2d_adaptive %arg0, %0, %1, %2 : (tensor<1x9x9x2xbf16>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x8x5x2xbf16>
    return %3 : tensor<1x8x5x2xbf16>
  }
}


// -----
// avg_pool2d_ERRORIF_KernelSmallerOne_1x32x32x32_f16_accf32_st12_kern-1-3_pad1011
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x32xf16>) -> tensor<1x35x19x32xf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x32xf16>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: -1, -3>, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 1, 2>}> : (tensor<1x32x32x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x35x19x32xf16>
    "func.return"(%2) : (tensor<1x35x19x32xf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_StrideSmallerOne_1x9x32x8_f32_accf32_st-2-2_kern22_pad1011
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x9x32x8xf32>) -> tensor<1x1x1x8xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x9x32x8xf32>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: -2, -2>}> : (tensor<1x9x32x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x8xf32>
    "func.return"(%2) : (tensor<1x1x1x8xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PadSmallerZero_1x17x32x18_f8e5m2_accf16_st12_kern33_pad-1-3-2-2
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x17x32x18xf8E5M2>) -> tensor<1x1x1x18xf8E5M2>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x17x32x18xf8E5M2>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E5M2>}> : () -> tensor<1xf8E5M2>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E5M2>}> : () -> tensor<1xf8E5M2>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f16, kernel = array<i64: 3, 3>, pad = array<i64: -1, -3, -2, -2>, stride = array<i64: 1, 2>}> : (tensor<1x17x32x18xf8E5M2>, tensor<1xf8E5M2>, tensor<1xf8E5M2>) -> tensor<1x1x1x18xf8E5M2>
    "func.return"(%2) : (tensor<1x1x1x18xf8E5M2>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_WrongRank_1x31x31x4x22_i8_acci32_st11_kern23_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x31x31x4x22xi8>) -> tensor<1x30x29x4xi8>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x31x31x4x22xi8>):
    %0 = "tosa.const"() <{values = dense<47> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x31x31x4x22xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x30x29x4xi8>
    "func.return"(%2) : (tensor<1x30x29x4xi8>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PadLargerEqualKernel_1x31x20x6_f8e4m3_accf16_st21_kern33_pad4443
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x31x20x6xf8E4M3FN>) -> tensor<1x19x25x6xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x31x20x6xf8E4M3FN>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f16, kernel = array<i64: 3, 3>, pad = array<i64: 4, 4, 4, 3>, stride = array<i64: 2, 1>}> : (tensor<1x31x20x6xf8E4M3FN>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x19x25x6xf8E4M3FN>
    "func.return"(%2) : (tensor<1x19x25x6xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PoolingOutputShapeMismatch_1x9x32x8_f32_accf32_st11_kern22_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x9x32x8xf32>) -> tensor<1x8x32x8xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x9x32x8xf32>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x9x32x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x32x8xf32>
    "func.return"(%2) : (tensor<1x8x32x8xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PoolingOutputShapeNonInteger_1x9x32x8_f32_accf32_st22_kern23_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x9x32x8xf32>) -> tensor<1x4x15x8xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x9x32x8xf32>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x9x32x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x15x8xf32>
    "func.return"(%2) : (tensor<1x4x15x8xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_KernelSmallerOne_1x32x32x28_f8e4m3_st21_kern-2-3_pad1001_modeI
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x28xf8E4M3FN>) -> tensor<1x18x37x28xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x28xf8E4M3FN>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: -2, -3>, nan_mode = #tosa.nan_mode<IGNORE>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>}> : (tensor<1x32x32x28xf8E4M3FN>) -> tensor<1x18x37x28xf8E4M3FN>
    "func.return"(%0) : (tensor<1x18x37x28xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_StrideSmallerOne_1x7x10x32_i16_st-1-2_kern33_pad1110
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x7x10x32xi16>) -> tensor<1x1x1x32xi16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x7x10x32xi16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 3>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: 1, 1, 1, 0>, stride = array<i64: -1, -2>}> : (tensor<1x7x10x32xi16>) -> tensor<1x1x1x32xi16>
    "func.return"(%0) : (tensor<1x1x1x32xi16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PadSmallerZero_1x32x9x32_bf16_st11_kern23_pad-3-3-2-2_modeP
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x9x32xbf16>) -> tensor<1x1x1x32xbf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x9x32xbf16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 3>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: -3, -3, -2, -2>, stride = array<i64: 1, 1>}> : (tensor<1x32x9x32xbf16>) -> tensor<1x1x1x32xbf16>
    "func.return"(%0) : (tensor<1x1x1x32xbf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_WrongRank_1x7x15x29x29_f8e4m3_st11_kern32_pad0000_modeI
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x7x15x29x29xf8E4M3FN>) -> tensor<1x5x14x29xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x7x15x29x29xf8E4M3FN>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 2>, nan_mode = #tosa.nan_mode<IGNORE>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x7x15x29x29xf8E4M3FN>) -> tensor<1x5x14x29xf8E4M3FN>
    "func.return"(%0) : (tensor<1x5x14x29xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PadLargerEqualKernel_1x32x32x28_f8e4m3_st22_kern33_pad5455_modeP
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x28xf8E4M3FN>) -> tensor<1x20x20x28xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x28xf8E4M3FN>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 3>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: 5, 4, 5, 5>, stride = array<i64: 2, 2>}> : (tensor<1x32x32x28xf8E4M3FN>) -> tensor<1x20x20x28xf8E4M3FN>
    "func.return"(%0) : (tensor<1x20x20x28xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PoolingOutputShapeMismatch_1x32x9x32_bf16_st11_kern32_pad0000_modeP
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x9x32xbf16>) -> tensor<1x33x8x32xbf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x9x32xbf16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 2>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x32x9x32xbf16>) -> tensor<1x33x8x32xbf16>
    "func.return"(%0) : (tensor<1x33x8x32xbf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PoolingOutputShapeNonInteger_1x32x32x32_i8_st22_kern33_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x32xi8>) -> tensor<1x15x15x32xi8>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x32xi8>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 3>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x32x32x32xi8>) -> tensor<1x15x15x32xi8>
    "func.return"(%0) : (tensor<1x15x15x32xi8>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()

