  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st22_kern22_pad1001"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x5x5x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-114> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-67> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x2xi8>
    return %2 : tensor<1x5x5x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st11_kern32_pad0001_modeP"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x7x9x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf16>) -> tensor<1x7x9x2xf16>
    return %0 : tensor<1x7x9x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st11_kern33_pad0000_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x7x7x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x7x7x2xf32>
    return %0 : tensor<1x7x7x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st21_kern33_pad0010_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x4x8x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x4x8x2xbf16>
    return %0 : tensor<1x4x8x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern32_pad1111_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x9x10x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, nan_mode = IGNORE, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x9x10x2xbf16>
    return %0 : tensor<1x9x10x2xbf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st12_kern23_pad0000"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x8x4x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-26> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-54> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x4x2xi8>
    return %2 : tensor<1x8x4x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st21_kern23_pad1010"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x5x8x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x5x8x2xi16>
    return %2 : tensor<1x5x8x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st21_kern32_pad1100"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x5x8x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-19> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<75> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x8x2xi8>
    return %2 : tensor<1x5x8x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st12_kern32_pad0101"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x5x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>) -> tensor<1x8x5x2xi16>
    return %0 : tensor<1x8x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern33_pad1110_modeP"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x9x8x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x9x8x2xbf16>
    return %0 : tensor<1x9x8x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern22_pad0111"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x9x10x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x9x10x2xi16>
    return %0 : tensor<1x9x10x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern33_pad1100"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x9x7x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x9x7x2xi16>
    return %0 : tensor<1x9x7x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st12_kern32_pad1101_modeI"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x9x5x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, nan_mode = IGNORE, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf16>) -> tensor<1x9x5x2xf16>
    return %0 : tensor<1x9x5x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st21_kern32_pad0010"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x4x9x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x4x9x2xi8>
    return %0 : tensor<1x4x9x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st12_kern33_pad1011_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x8x5x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xbf16>) -> tensor<1x8x5x2xbf16>
    return %0 : tensor<1x8x5x2xbf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern23_pad0011"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x5x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x8x5x2xi16>
    return %2 : tensor<1x8x5x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st21_kern32_pad0000"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x4x8x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-76> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<96> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x8x2xi8>
    return %2 : tensor<1x4x8x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st12_kern32_pad0001"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x7x5x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>) -> tensor<1x7x5x2xi16>
    return %0 : tensor<1x7x5x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st11_kern23_pad0111"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x9x9x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-115> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-107> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x2xi8>
    return %2 : tensor<1x9x9x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st11_kern32_pad1100_modeI"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x9x8x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, nan_mode = IGNORE, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x9x8x2xf32>
    return %0 : tensor<1x9x8x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st22_kern23_pad0111_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x5x5x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, nan_mode = IGNORE, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xbf16>) -> tensor<1x5x5x2xbf16>
    return %0 : tensor<1x5x5x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st21_kern23_pad0111"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x5x9x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x5x9x2xi8>
    return %0 : tensor<1x5x9x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern33_pad0010"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x7x8x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x7x8x2xi16>
    return %0 : tensor<1x7x8x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st11_kern32_pad1011_modeI"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x8x10x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, nan_mode = IGNORE, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf16>) -> tensor<1x8x10x2xf16>
    return %0 : tensor<1x8x10x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern22_pad1111_modeP"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x10x10x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x10x10x2xbf16>
    return %0 : tensor<1x10x10x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st12_kern33_pad0000_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x7x4x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xbf16>) -> tensor<1x7x4x2xbf16>
    return %0 : tensor<1x7x4x2xbf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st11_kern32_pad0000"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x7x8x2xi8>) {
    %0 = "tosa.const"() <{values = dense<58> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<29> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x7x8x2xi8>
    return %2 : tensor<1x7x8x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st22_kern23_pad1000_modeI"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x5x4x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xf16>) -> tensor<1x5x4x2xf16>
    return %0 : tensor<1x5x4x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern22_pad0110"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x9x9x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x9x9x2xi16>
    return %0 : tensor<1x9x9x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st22_kern33_pad0000"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x4x4x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    return %2 : tensor<1x4x4x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern32_pad0100_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x8x8x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, nan_mode = IGNORE, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x8x8x2xbf16>
    return %0 : tensor<1x8x8x2xbf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern22_pad1101"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x10x5x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x10x5x2xi16>
    return %2 : tensor<1x10x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st11_kern23_pad0111_modeI"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x9x9x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, nan_mode = IGNORE, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf16>) -> tensor<1x9x9x2xf16>
    return %0 : tensor<1x9x9x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st21_kern33_pad0011_modeI"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x4x9x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x4x9x2xf32>
    return %0 : tensor<1x4x9x2xf32>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st21_kern22_pad0100"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x5x8x2xi8>) {
    %0 = "tosa.const"() <{values = dense<101> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<66> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x8x2xi8>
    return %2 : tensor<1x5x8x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st11_kern33_pad1110_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x9x8x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x9x8x2xf32>
    return %0 : tensor<1x9x8x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st11_kern23_pad1001"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x9x8x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x9x8x2xi8>
    return %0 : tensor<1x9x8x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st11_kern33_pad0111"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x8x9x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-16> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<75> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x9x2xi8>
    return %2 : tensor<1x8x9x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st11_kern32_pad0101"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x8x9x2xi8>) {
    %0 = "tosa.const"() <{values = dense<69> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-78> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x9x2xi8>
    return %2 : tensor<1x8x9x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st11_kern32_pad0110"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x8x9x2xi8>) {
    %0 = "tosa.const"() <{values = dense<110> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-35> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x9x2xi8>
    return %2 : tensor<1x8x9x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st12_kern33_pad1100_modeP"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x9x4x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf16>) -> tensor<1x9x4x2xf16>
    return %0 : tensor<1x9x4x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st21_kern32_pad1101"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x5x9x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x5x9x2xi16>
    return %0 : tensor<1x5x9x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st11_kern23_pad0010"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x8x8x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-94> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<103> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x2xi8>
    return %2 : tensor<1x8x8x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st21_kern33_pad0000_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x4x7x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x4x7x2xf32>
    return %0 : tensor<1x4x7x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st11_kern32_pad1001_modeI"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x8x9x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x8x9x2xf32>
    return %0 : tensor<1x8x9x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st21_kern32_pad0011"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x4x10x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x4x10x2xi8>
    return %0 : tensor<1x4x10x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st21_kern32_pad1111_modeP"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x5x10x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf16>) -> tensor<1x5x10x2xf16>
    return %0 : tensor<1x5x10x2xf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern32_pad0110"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x5x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x8x5x2xi16>
    return %2 : tensor<1x8x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st22_kern33_pad0000_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x4x4x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xf32>) -> tensor<1x4x4x2xf32>
    return %0 : tensor<1x4x4x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern22_pad0000"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x8x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x8x8x2xi16>
    return %0 : tensor<1x8x8x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern33_pad0101_modeP"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x8x8x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x8x8x2xbf16>
    return %0 : tensor<1x8x8x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st21_kern22_pad0110"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x5x9x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x5x9x2xi16>
    return %0 : tensor<1x5x9x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern32_pad1001"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x5x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x8x5x2xi16>
    return %2 : tensor<1x8x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern22_pad0100"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x9x8x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x9x8x2xi16>
    return %0 : tensor<1x9x8x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st22_kern22_pad0110"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x5x5x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xi16>) -> tensor<1x5x5x2xi16>
    return %0 : tensor<1x5x5x2xi16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern23_pad1111"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x10x5x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x10x5x2xi16>
    return %2 : tensor<1x10x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st12_kern33_pad0000"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x7x4x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi8>) -> tensor<1x7x4x2xi8>
    return %0 : tensor<1x7x4x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern22_pad1110"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x10x5x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x10x5x2xi16>
    return %2 : tensor<1x10x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st21_kern23_pad1010_modeP"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x5x8x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf16>) -> tensor<1x5x8x2xf16>
    return %0 : tensor<1x5x8x2xf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st12_kern23_pad1000"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x9x4x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x9x4x2xi16>
    return %2 : tensor<1x9x4x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st11_kern32_pad1001"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x9x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>) -> tensor<1x8x9x2xi16>
    return %0 : tensor<1x8x9x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st21_kern23_pad0111_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x5x9x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 0, 1, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x5x9x2xf32>
    return %0 : tensor<1x5x9x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st11_kern22_pad0010"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x8x9x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x8x9x2xi8>
    return %0 : tensor<1x8x9x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st12_kern22_pad1010_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x9x5x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf32>) -> tensor<1x9x5x2xf32>
    return %0 : tensor<1x9x5x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st22_kern22_pad1010"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x5x5x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xi8>) -> tensor<1x5x5x2xi8>
    return %0 : tensor<1x5x5x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st22_kern22_pad1001_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x5x5x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xbf16>) -> tensor<1x5x5x2xbf16>
    return %0 : tensor<1x5x5x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st12_kern22_pad0101_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x9x5x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf32>) -> tensor<1x9x5x2xf32>
    return %0 : tensor<1x9x5x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i16_st22_kern22_pad1001"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x5x5x2xi16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xi16>) -> tensor<1x5x5x2xi16>
    return %0 : tensor<1x5x5x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st12_kern23_pad1000_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x9x4x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf32>) -> tensor<1x9x4x2xf32>
    return %0 : tensor<1x9x4x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st12_kern33_pad1000_modeI"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x8x4x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, nan_mode = IGNORE, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf16>) -> tensor<1x8x4x2xf16>
    return %0 : tensor<1x8x4x2xf16>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st21_kern32_pad0011"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x4x10x2xi8>) {
    %0 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<-94> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x10x2xi8>
    return %2 : tensor<1x4x10x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i16_acci32_st11_kern32_pad1011"(%arg0: tensor<1x9x9x2xi16>) -> (tensor<1x8x10x2xi16>) {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 2>, pad = array<i64: 1, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x8x10x2xi16>
    return %2 : tensor<1x8x10x2xi16>
  }

  func.func @"max_pool2d_1x9x9x2_f16_st12_kern22_pad0010_modeP"(%arg0: tensor<1x9x9x2xf16>) -> (tensor<1x8x5x2xf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 2>} : (tensor<1x9x9x2xf16>) -> tensor<1x8x5x2xf16>
    return %0 : tensor<1x8x5x2xf16>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern23_pad0101_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x9x8x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, nan_mode = IGNORE, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x9x8x2xbf16>
    return %0 : tensor<1x9x8x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st11_kern22_pad0100_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x9x8x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 1, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x9x8x2xf32>
    return %0 : tensor<1x9x8x2xf32>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st11_kern33_pad0011"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x7x9x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x7x9x2xi8>
    return %0 : tensor<1x7x9x2xi8>
  }

  func.func @"avg_pool2d_1x9x9x2_i8_acci32_st21_kern33_pad1101"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x5x8x2xi8>) {
    %0 = "tosa.const"() <{values = dense<27> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<88> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.avg_pool2d %arg0, %0, %1 {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 1>} : (tensor<1x9x9x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x8x2xi8>
    return %2 : tensor<1x5x8x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_bf16_st11_kern22_pad1010_modeI"(%arg0: tensor<1x9x9x2xbf16>) -> (tensor<1x9x9x2xbf16>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, nan_mode = IGNORE, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xbf16>) -> tensor<1x9x9x2xbf16>
    return %0 : tensor<1x9x9x2xbf16>
  }

  func.func @"max_pool2d_1x9x9x2_i8_st11_kern22_pad1101"(%arg0: tensor<1x9x9x2xi8>) -> (tensor<1x10x9x2xi8>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xi8>) -> tensor<1x10x9x2xi8>
    return %0 : tensor<1x10x9x2xi8>
  }

  func.func @"max_pool2d_1x9x9x2_f32_st11_kern23_pad1101_modeP"(%arg0: tensor<1x9x9x2xf32>) -> (tensor<1x10x8x2xf32>) {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x9x9x2xf32>) -> tensor<1x10x8x2xf32>
    return %0 : tensor<1x10x8x2xf32>
  }
