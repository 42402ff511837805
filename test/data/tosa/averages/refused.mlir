// avg_pool2d_1x20x20x3_f16_accf16_st11_kern33_pad0010_s2
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x18x19x3xf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f16, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x18x19x3xf16>
    return %2 : tensor<1x18x19x3xf16>
  }
}


// -----
// avg_pool2d_adaptive_1x20x20x3_i8_acci32_st12_kern33_pad1101
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xi8>) -> (tensor<1x20x10x3xi8>) {
    %0 = "tosa.const"() <{values = dense<-16> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.const_shape  {values = dense<3> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<[1, 1, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.avg_pool2d_adaptive %arg0, %0, %1, %2, %3, %4 {acc_type = i32} : (tensor<1x20x20x3xi8>, tensor<1xi8>, tensor<1xi8>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x20x10x3xi8>
    return %5 : tensor<1x20x10x3xi8>
  }
}


// -----
// avg_pool2d_adaptive_1x20x20x3_i8_acci32_st21_kern32_pad0100
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xi8>) -> (tensor<1x10x19x3xi8>) {
    %0 = "tosa.const"() <{values = dense<-74> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-79> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.const_shape  {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.avg_pool2d_adaptive %arg0, %0, %1, %2, %3, %4 {acc_type = i32} : (tensor<1x20x20x3xi8>, tensor<1xi8>, tensor<1xi8>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x10x19x3xi8>
    return %5 : tensor<1x10x19x3xi8>
  }
}


// -----
// avg_pool2d_adaptive_1x20x20x3_f8e5m2_accf16_st11_kern33_pad0001_s3
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xf8E5M2>) -> (tensor<1x18x19x3xf8E5M2>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E5M2>}> : () -> tensor<1xf8E5M2>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E5M2>}> : () -> tensor<1xf8E5M2>
    %2 = tosa.const_shape  {values = dense<3> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = tosa.const_shape  {values = dense<[0, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.avg_pool2d_adaptive %arg0, %0, %1, %2, %3, %4 {acc_type = f16} : (tensor<1x20x20x3xf8E5M2>, tensor<1xf8E5M2>, tensor<1xf8E5M2>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x18x19x3xf8E5M2>
    return %5 : tensor<1x18x19x3xf8E5M2>
  }
}


// -----
// max_pool2d_adaptive_1x20x20x3_i8_st11_kern23_pad0010
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xi8>) -> (tensor<1x19x19x3xi8>) {
    %0 = tosa.const_shape  {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.max_pool2d_adaptive %arg0, %0, %1, %2 : (tensor<1x20x20x3xi8>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x19x19x3xi8>
    return %3 : tensor<1x19x19x3xi8>
  }
}


// -----
// max_pool2d_adaptive_1x20x20x3_f8e5m2_st21_kern23_pad0000_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xf8E5M2>) -> (tensor<1x10x18x3xf8E5M2>) {
    %0 = tosa.const_shape  {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.max_pool2d_adaptive %arg0, %0, %1, %2 {nan_mode = IGNORE} : (tensor<1x20x20x3xf8E5M2>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x10x18x3xf8E5M2>
    return %3 : tensor<1x10x18x3xf8E5M2>
  }
}


// -----
// max_pool2d_adaptive_1x20x20x3_f8e5m2_st11_kern32_pad1001_modeI
module attributes {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} {
  func.func @main(%arg0: tensor<1x20x20x3xf8E5M2>) -> (tensor<1x19x20x3xf8E5M2>) {
    %0 = tosa.const_shape  {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<[1, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.max_pool2d_adaptive %arg0, %0, %1, %2 {nan_mode = IGNORE} : (tensor<1x20x20x3xf8E5M2>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x19x20x3xf8E5M2>
    return %3 : tensor<1x19x20x3xf8E5M2>
  }
}


// -----
// avg_pool2d_ERRORIF_KernelSmallerOne_1x32x32x32_f16_accf32_st12_kern-2-3_pad0101
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x32xf16>) -> tensor<1x36x19x32xf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x32xf16>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: -2, -3>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 2>}> : (tensor<1x32x32x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x36x19x32xf16>
    "func.return"(%2) : (tensor<1x36x19x32xf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_StrideSmallerOne_1x31x20x6_f8e4m3_accf16_st-1-2_kern33_pad0010
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x31x20x6xf8E4M3FN>) -> tensor<1x1x1x6xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x31x20x6xf8E4M3FN>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f16, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: -1, -2>}> : (tensor<1x31x20x6xf8E4M3FN>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x1x1x6xf8E4M3FN>
    "func.return"(%2) : (tensor<1x1x1x6xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PadSmallerZero_1x32x32x1_i16_acci32_st22_kern32_pad-2-3-3-3
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x1xi16>) -> tensor<1x1x1x1xi16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x1xi16>):
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: -2, -3, -3, -3>, stride = array<i64: 2, 2>}> : (tensor<1x32x32x1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x1x1x1xi16>
    "func.return"(%2) : (tensor<1x1x1x1xi16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_WrongRank_1x29x32x18x5_f32_accf32_st11_kern23_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x29x32x18x5xf32>) -> tensor<1x28x30x18xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x29x32x18x5xf32>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x29x32x18x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x28x30x18xf32>
    "func.return"(%2) : (tensor<1x28x30x18xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_InputZeroPointNotZero_1x32x32x1_i16_acci32_st11_kern22_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x1xi16>) -> tensor<1x31x31x1xi16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x1xi16>):
    %0 = "tosa.const"() <{values = dense<3> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x32x32x1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x31x31x1xi16>
    "func.return"(%2) : (tensor<1x31x31x1xi16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PadLargerEqualKernel_1x32x32x1_i16_acci32_st22_kern32_pad5524
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x1xi16>) -> tensor<1x20x19x1xi16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x1xi16>):
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 5, 5, 2, 4>, stride = array<i64: 2, 2>}> : (tensor<1x32x32x1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x20x19x1xi16>
    "func.return"(%2) : (tensor<1x20x19x1xi16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PoolingOutputShapeMismatch_1x9x32x8_f32_accf32_st11_kern32_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x9x32x8xf32>) -> tensor<1x7x34x8xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x9x32x8xf32>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x9x32x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x34x8xf32>
    "func.return"(%2) : (tensor<1x7x34x8xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// avg_pool2d_ERRORIF_PoolingOutputShapeNonInteger_1x31x20x6_f8e4m3_accf16_st22_kern22_pad0000
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x31x20x6xf8E4M3FN>) -> tensor<1x15x10x6xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x31x20x6xf8E4M3FN>):
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
    %2 = "tosa.avg_pool2d"(%arg0, %0, %1) <{acc_type = f16, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x31x20x6xf8E4M3FN>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x15x10x6xf8E4M3FN>
    "func.return"(%2) : (tensor<1x15x10x6xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_KernelSmallerOne_1x13x16x32_f32_st21_kern-3-3_pad1100_modeI
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x13x16x32xf32>) -> tensor<1x10x20x32xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x13x16x32xf32>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: -3, -3>, nan_mode = #tosa.nan_mode<IGNORE>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 1>}> : (tensor<1x13x16x32xf32>) -> tensor<1x10x20x32xf32>
    "func.return"(%0) : (tensor<1x10x20x32xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_StrideSmallerOne_1x32x7x32_f16_st-2-3_kern22_pad0010_modeP
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x7x32xf16>) -> tensor<1x1x1x32xf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x7x32xf16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 2>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: -2, -3>}> : (tensor<1x32x7x32xf16>) -> tensor<1x1x1x32xf16>
    "func.return"(%0) : (tensor<1x1x1x32xf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PadSmallerZero_1x32x9x32_bf16_st11_kern22_pad-1-2-1-2_modeP
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x9x32xbf16>) -> tensor<1x1x1x32xbf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x9x32xbf16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 2>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: -1, -2, -1, -2>, stride = array<i64: 1, 1>}> : (tensor<1x32x9x32xbf16>) -> tensor<1x1x1x32xbf16>
    "func.return"(%0) : (tensor<1x1x1x32xbf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_WrongRank_1x24x28x11x12_f16_st11_kern23_pad0000_modeI
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x24x28x11x12xf16>) -> tensor<1x23x26x11xf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x24x28x11x12xf16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 3>, nan_mode = #tosa.nan_mode<IGNORE>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x24x28x11x12xf16>) -> tensor<1x23x26x11xf16>
    "func.return"(%0) : (tensor<1x23x26x11xf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PadLargerEqualKernel_1x32x32x28_f8e4m3_st22_kern22_pad4432_modeP
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x32x28xf8E4M3FN>) -> tensor<1x20x18x28xf8E4M3FN>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x32x28xf8E4M3FN>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 2>, nan_mode = #tosa.nan_mode<PROPAGATE>, pad = array<i64: 4, 4, 3, 2>, stride = array<i64: 2, 2>}> : (tensor<1x32x32x28xf8E4M3FN>) -> tensor<1x20x18x28xf8E4M3FN>
    "func.return"(%0) : (tensor<1x20x18x28xf8E4M3FN>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PoolingOutputShapeMismatch_1x32x7x32_f16_st11_kern23_pad0000_modeI
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x32x7x32xf16>) -> tensor<1x33x5x32xf16>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x32x7x32xf16>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 2, 3>, nan_mode = #tosa.nan_mode<IGNORE>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}> : (tensor<1x32x7x32xf16>) -> tensor<1x33x5x32xf16>
    "func.return"(%0) : (tensor<1x33x5x32xf16>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()


// -----
// max_pool2d_ERRORIF_PoolingOutputShapeNonInteger_1x13x16x32_f32_st22_kern33_pad0000_modeI
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tosa.tensor_name = "input-0"}], function_type = (tensor<1x13x16x32xf32>) -> tensor<1x6x7x32xf32>, res_attrs = [{tosa.tensor_name = "result-0"}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x13x16x32xf32>):
    %0 = "tosa.max_pool2d"(%arg0) <{kernel = array<i64: 3, 3>, nan_mode = #tosa.nan_mode<IGNORE>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x13x16x32xf32>) -> tensor<1x6x7x32xf32>
    "func.return"(%0) : (tensor<1x6x7x32xf32>) -> ()
  }) : () -> ()
}) {tosa.description = "TOSA FBS Converted", tosa.fbs_version = "1.1.0d"} : () -> ()

