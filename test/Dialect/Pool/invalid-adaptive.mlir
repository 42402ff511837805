// The verifier must reject invalid adaptive pooling. A case for each rule: the
// message has the label of the rule, such as (Adaptive.C1), and the numbers.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

// -----

func.func @adaptive_avg_pool_Adaptive.C1_rank(%x: tensor<1x2x3xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C1) the input has rank 3, must have rank 4: batch, channels and the 2 dimensions of output_size}}
  %0 = pool.adaptive_avg_pool %x output_size [2, 2]
     : tensor<1x2x3xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_avg_pool_Adaptive.C1_encoding(%x: tensor<1x2x3xf32, "sparse">) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C1) tensor encodings are not supported}}
  %0 = pool.adaptive_avg_pool %x output_size [2]
     : tensor<1x2x3xf32, "sparse"> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_avg_pool_Adaptive.C2_empty(%x: tensor<1x2xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C2) output_size is empty, must name at least one dimension}}
  %0 = pool.adaptive_avg_pool %x output_size [] : tensor<1x2xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_avg_pool_Adaptive.C3_channels(%x: tensor<1x3x0xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C3) dimension 2: channel extent is 0, must be at least 1}}
  %0 = pool.adaptive_avg_pool %x output_size [2] layout channels_last
     : tensor<1x3x0xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_max_pool_Adaptive.C3_spatial(%x: tensor<1x3x0xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Adaptive.C3) dimension 2: input extent is 0, must be at least 1}}
  %0 = pool.adaptive_max_pool %x output_size [2]
     : tensor<1x3x0xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_avg_pool_Adaptive.C4_zero(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C4) dimension 3: output_size is 0, must be at least 1}}
  %0 = pool.adaptive_avg_pool %x output_size [2, 0]
     : tensor<1x3x4x4xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_max_pool_Adaptive.C4_negative_dynamic(%x: tensor<1x3x?xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Adaptive.C4) dimension 2: output_size is -1, must be at least 1}}
  %0 = pool.adaptive_max_pool %x output_size [-1]
     : tensor<1x3x?xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_avg_pool_Adaptive.C5_overflow(%x: tensor<1x1x4611686018427387904xi8>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C5) dimension 2: the product of the input extent 4611686018427387904 and output_size 3 leaves a 64-bit integer}}
  %0 = pool.adaptive_avg_pool %x output_size [3]
     : tensor<1x1x4611686018427387904xi8> -> tensor<*xi8>
  return
}

// -----

func.func @adaptive_max_pool_Extremum.C1_axis(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Extremum.C1) axis is 3, must lie in [-3, 2]}}
  %0 = pool.adaptive_max_pool %x output_size [2] axis 3
     : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_avg_pool_Average.C2_zero_point(%x: tensor<1x2x6xui8>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Average.C2) input_zp is -1, which is not a value of ui8}}
  %0 = pool.adaptive_avg_pool %x output_size [2] input_zp -1
     : tensor<1x2x6xui8> -> tensor<*xui8>
  return
}

// -----

func.func @adaptive_avg_pool_Average.C2_zero_point_float(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Average.C2) output_zp is 1, must be 0 for f32}}
  %0 = pool.adaptive_avg_pool %x output_size [2] output_zp 1
     : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_max_pool_Extremum.C2_i32_bound(%x: tensor<1x1x46341x46341xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Extremum.C2) indices of type i32 cannot name the 2147488281 positions of the dimensions from axis 0 on}}
  %0, %1 = pool.adaptive_max_pool %x output_size [2, 2]
     : tensor<1x1x46341x46341xf32> -> tensor<*xf32>, tensor<*xi32>
  return
}

// -----

func.func @adaptive_avg_pool_Adaptive.C6_extent(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_avg_pool' op (Adaptive.C6) output has type tensor<1x2x3xf32>, must have tensor<1x2x2xf32> or one that is less static}}
  %0 = pool.adaptive_avg_pool %x output_size [2]
     : tensor<1x2x6xf32> -> tensor<1x2x3xf32>
  return
}

// -----

func.func @adaptive_max_pool_Adaptive.C6_element_type(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Adaptive.C6) values has type tensor<1x2x2xf16>, must have tensor<1x2x2xf32> or one that is less static}}
  %0 = pool.adaptive_max_pool %x output_size [2]
     : tensor<1x2x6xf32> -> tensor<1x2x2xf16>
  return
}

// -----

func.func @adaptive_max_pool_Adaptive.C6_indices(%x: tensor<?x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Adaptive.C6) indices has type tensor<1x2x2xi64>, must have tensor<?x2x2xi64> or one that is less static}}
  %0, %1 = pool.adaptive_max_pool %x output_size [2]
     : tensor<?x2x6xf32> -> tensor<?x2x2xf32>, tensor<1x2x2xi64>
  return
}

// -----

func.func @adaptive_avg_pool_discardable_output_size(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'output_size' is a clause, not an attribute in braces; write `output_size [3]` before the braces}}
  %0 = pool.adaptive_avg_pool %x output_size [2] {output_size = array<i64: 3>}
     : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_max_pool_discardable_padding(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op 'padding' }}
  %0 = pool.adaptive_max_pool %x output_size [2] {padding = 1 : i64}
     : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @adaptive_max_pool_Extremum.C2_image(%x: tensor<1x4294967296x4294967296xi8>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op (Extremum.C2) the positions of one image leave a 64-bit integer: its known extents are 4294967296 x 4294967296}}
  %0, %1 = pool.adaptive_max_pool %x output_size [2] axis 2
     : tensor<1x4294967296x4294967296xi8> -> tensor<*xi8>, tensor<*xi64>
  return
}

// -----

func.func @adaptive_max_pool_index_type(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.adaptive_max_pool' op result #1 must be }}
  %0, %1 = pool.adaptive_max_pool %x output_size [2]
     : tensor<1x2x6xf32> -> tensor<*xf32>, tensor<*xi16>
  return
}
