// The verifier must reject an invalid max_unpool. There is a case for each of
// Unpool.C1 to Unpool.C8. The message has the label and the numbers. Also tests
// wrong types.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

// -----

func.func @max_unpool_Unpool.C1_output_rank(%v: tensor<1x2xf32>, %i: tensor<1x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C1) output has rank 2, must have at least 3: batch, channels and a spatial dimension}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2xf32>, tensor<1x2xi32> -> tensor<1x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C1_values_rank(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C1) values has rank 3, output has rank 4}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2xf32>, tensor<1x2x2x2xi32> -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C1_indices_rank(%v: tensor<1x2x2x2xf32>, %i: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C1) indices has rank 3, output has rank 4}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2x2xf32>, tensor<1x2x2xi32> -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C1_encoding(%v: tensor<1x2x2xf32, "sparse">, %i: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C1) values has a tensor encoding, which is not supported}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2xf32, "sparse">, tensor<1x2x2xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C2_too_few(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi32>, %n: index) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C2) 1 extents are given, the result type has 2 unknown extents}}
  %0 = pool.max_unpool %v, %i extents(%n)
     : tensor<1x2x2xf32>, tensor<1x2x2xi32> -> tensor<1x?x?xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C2_too_many(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi32>, %n: index) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C2) 1 extents are given, the result type has 0 unknown extents}}
  %0 = pool.max_unpool %v, %i extents(%n)
     : tensor<1x2x2xf32>, tensor<1x2x2xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C3_extents(%v: tensor<1x2x2xf32>, %i: tensor<?x2x3xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C3) indices, dimension 2: the extent is 3, values gives 2}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2xf32>, tensor<?x2x3xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C4_axis_too_high(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C4) axis is 3, must lie in [-3, 2]}}
  %0 = pool.max_unpool %v, %i axis 3
     : tensor<1x2x2xf32>, tensor<1x2x2xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C4_axis_too_low(%v: tensor<*xf32>, %i: tensor<*xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C4) axis is -4, must lie in [-3, 2]}}
  %0 = pool.max_unpool %v, %i axis -4
     : tensor<*xf32>, tensor<*xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C5_channels(%v: tensor<1x3x2xf32>, %i: tensor<1x3x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C5) dimension 1 lies before axis 2, where elements keep their position: values has extent 3, output has 2}}
  %0 = pool.max_unpool %v, %i axis 2
     : tensor<1x3x2xf32>, tensor<1x3x2xi32> -> tensor<1x2x4xf32>
  return
}

// -----

// The axis is after the row dimension, so a row keeps its position. Therefore
// values and result must have the same number of rows.
func.func @max_unpool_Unpool.C5_spatial(%v: tensor<1x3x?x2xf32>, %i: tensor<1x3x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C5) dimension 2 lies before axis 3, where elements keep their position: indices has extent 2, output has 4}}
  %0 = pool.max_unpool %v, %i axis -1
     : tensor<1x3x?x2xf32>, tensor<1x3x2x2xi32> -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C6_i32_bound(%v: tensor<1x1x1x1xf32>, %i: tensor<1x1x1x1xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C6) indices of type i32 cannot name the 2147488281 positions of the result's dimensions from axis 2 on}}
  %0 = pool.max_unpool %v, %i axis 2
     : tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32> -> tensor<1x1x46341x46341xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C6_i64_bound(%v: tensor<1x1x1xf32>, %i: tensor<1x1x1xi64>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C6) indices of type i64 cannot name the 2^63 or more positions of the result's dimensions from axis 0 on}}
  %0 = pool.max_unpool %v, %i : tensor<1x1x1xf32>, tensor<1x1x1xi64>
     -> tensor<2x4294967296x4294967296xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C7_values(%v: tensor<1x0x2xf32>, %i: tensor<1x?x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C7) values, dimension 1: the extent is 0, must be at least 1}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x0x2xf32>, tensor<1x?x2xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C7_indices(%v: tensor<1x?x2xf32>, %i: tensor<1x0x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C7) indices, dimension 1: the extent is 0, must be at least 1}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x?x2xf32>, tensor<1x0x2xi32> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C7_output(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C7) output, dimension 2: the extent is 0, must be at least 1}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2xf32>, tensor<1x2x2xi32> -> tensor<1x2x0xf32>
  return
}

// -----

func.func @max_unpool_Unpool.C8_element_type(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op (Unpool.C8) output has element type f64, must have f32}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2xf32>, tensor<1x2x2xi32> -> tensor<1x2x4xf64>
  return
}

// -----

func.func @max_unpool_index_type(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi16>) {
  // expected-error @+1 {{'pool.max_unpool' op operand #1 must be tensor of i32 or i64 values}}
  %0 = pool.max_unpool %v, %i
     : tensor<1x2x2xf32>, tensor<1x2x2xi16> -> tensor<1x2x4xf32>
  return
}

// -----

func.func @max_unpool_unranked_result(%v: tensor<1x2x2xf32>, %i: tensor<1x2x2xi32>) {
  // expected-error @+1 {{'pool.max_unpool' op result #0 must be ranked tensor}}
  %0 = "pool.max_unpool"(%v, %i)
     : (tensor<1x2x2xf32>, tensor<1x2x2xi32>) -> tensor<*xf32>
  return
}
