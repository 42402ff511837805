  func.func @"avg_pool2d_1x20x20x3_f16_accf32_st11_kern22_pad1011_s4"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x20x21x3xf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x20x21x3xf16>
    return %2 : tensor<1x20x21x3xf16>
  }

  func.func @"avg_pool2d_1x20x20x3_i16_acci32_st21_kern32_pad1001"(%arg0: tensor<1x20x20x3xi16>) -> (tensor<1x10x20x3xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x20x20x3xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x10x20x3xi16>
    return %2 : tensor<1x10x20x3xi16>
  }

  func.func @"avg_pool2d_1x20x20x3_f32_accf32_st11_kern22_pad0000_s0"(%arg0: tensor<1x20x20x3xf32>) -> (tensor<1x19x19x3xf32>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x19x19x3xf32>
    return %2 : tensor<1x19x19x3xf32>
  }

  func.func @"avg_pool2d_1x20x20x3_f16_accf32_st11_kern23_pad1000_s2"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x20x18x3xf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x20x18x3xf16>
    return %2 : tensor<1x20x18x3xf16>
  }

  func.func @"max_pool2d_1x20x20x3_f32_st11_kern33_pad0111_modeI"(%arg0: tensor<1x20x20x3xf32>) -> (tensor<1x19x20x3xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf32>) -> tensor<1x19x20x3xf32>
    return %0 : tensor<1x19x20x3xf32>
  }

  func.func @"max_pool2d_1x20x20x3_f16_st22_kern22_pad0011_modeI"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x10x11x3xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x20x20x3xf16>) -> tensor<1x10x11x3xf16>
    return %0 : tensor<1x10x11x3xf16>
  }

  func.func @"max_pool2d_1x20x20x3_bf16_st12_kern22_pad1000_modeI"(%arg0: tensor<1x20x20x3xbf16>) -> (tensor<1x20x10x3xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x20x20x3xbf16>) -> tensor<1x20x10x3xbf16>
    return %0 : tensor<1x20x10x3xbf16>
  }

  func.func @"max_pool2d_1x20x20x3_i8_st22_kern32_pad0100"(%arg0: tensor<1x20x20x3xi8>) -> (tensor<1x10x10x3xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x20x20x3xi8>) -> tensor<1x10x10x3xi8>
    return %0 : tensor<1x10x10x3xi8>
  }

  func.func @"avg_pool2d_1x20x20x3_bf16_accf32_st11_kern23_pad1000_s1"(%arg0: tensor<1x20x20x3xbf16>) -> (tensor<1x20x18x3xbf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x20x18x3xbf16>
    return %2 : tensor<1x20x18x3xbf16>
  }

  func.func @"avg_pool2d_1x20x20x3_f16_accf32_st11_kern23_pad0100_s0"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x20x18x3xf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x20x18x3xf16>
    return %2 : tensor<1x20x18x3xf16>
  }

  func.func @"max_pool2d_1x20x20x3_f32_st11_kern22_pad0000_modeP"(%arg0: tensor<1x20x20x3xf32>) -> (tensor<1x19x19x3xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf32>) -> tensor<1x19x19x3xf32>
    return %0 : tensor<1x19x19x3xf32>
  }

  func.func @"avg_pool2d_1x20x20x3_i8_acci32_st21_kern32_pad1010"(%arg0: tensor<1x20x20x3xi8>) -> (tensor<1x10x20x3xi8>) {
    %0 = "tosa.const"() <{values = dense<-53> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-8> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x20x20x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x10x20x3xi8>
    return %2 : tensor<1x10x20x3xi8>
  }

  func.func @"max_pool2d_1x20x20x3_i16_st11_kern32_pad0111"(%arg0: tensor<1x20x20x3xi16>) -> (tensor<1x19x21x3xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xi16>) -> tensor<1x19x21x3xi16>
    return %0 : tensor<1x19x21x3xi16>
  }

  func.func @"max_pool2d_1x20x20x3_f16_st11_kern32_pad1111_modeP"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x20x21x3xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf16>) -> tensor<1x20x21x3xf16>
    return %0 : tensor<1x20x21x3xf16>
  }

  func.func @"avg_pool2d_1x20x20x3_i8_acci32_st11_kern22_pad0010"(%arg0: tensor<1x20x20x3xi8>) -> (tensor<1x19x20x3xi8>) {
    %0 = "tosa.const"() <{values = dense<-120> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-87> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x19x20x3xi8>
    return %2 : tensor<1x19x20x3xi8>
  }

  func.func @"max_pool2d_1x20x20x3_f16_st21_kern32_pad1001_modeP"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x10x20x3xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x20x20x3xf16>) -> tensor<1x10x20x3xf16>
    return %0 : tensor<1x10x20x3xf16>
  }

  func.func @"avg_pool2d_1x20x20x3_f32_accf32_st11_kern22_pad0010_s4"(%arg0: tensor<1x20x20x3xf32>) -> (tensor<1x19x20x3xf32>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x19x20x3xf32>
    return %2 : tensor<1x19x20x3xf32>
  }

  func.func @"avg_pool2d_1x20x20x3_bf16_accf32_st11_kern32_pad1011_s1"(%arg0: tensor<1x20x20x3xbf16>) -> (tensor<1x19x21x3xbf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x19x21x3xbf16>
    return %2 : tensor<1x19x21x3xbf16>
  }

  func.func @"avg_pool2d_1x20x20x3_f16_accf32_st11_kern32_pad0101_s4"(%arg0: tensor<1x20x20x3xf16>) -> (tensor<1x19x20x3xf16>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf16>}> : () -> tensor<1xf16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x19x20x3xf16>
    return %2 : tensor<1x19x20x3xf16>
  }

  func.func @"avg_pool2d_1x20x20x3_f32_accf32_st11_kern33_pad1010_s4"(%arg0: tensor<1x20x20x3xf32>) -> (tensor<1x19x19x3xf32>) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x20x20x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x19x19x3xf32>
    return %2 : tensor<1x19x19x3xf32>
  }
