// The verifier must reject declared types that the rule does not give. There is
// a case for each message of Window.C11, of every operation.

// RUN: pool-opt %s --split-input-file --verify-diagnostics
// RUN: sed 's/max_pool/min_pool/' %s | pool-opt --split-input-file --verify-diagnostics
// RUN: sed 's/max_pool/avg_pool/; s/) values/) output/' %s | pool-opt --split-input-file --verify-diagnostics
// RUN: sed 's/max_pool/lp_pool/; s/) values/) output/' %s | pool-opt --split-input-file --verify-diagnostics

func.func @max_pool_Window.C11_element_type(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values has element type f64, must have f32}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<1x2x5x7xf64>
  return
}

// -----

func.func @max_pool_Window.C11_rank(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values has rank 3, must have rank 4}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6x8xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @max_pool_Window.C11_channels(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 1: the extent is 3, the rule gives 2}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<1x3x5x7xf32>
  return
}

// -----

func.func @max_pool_Window.C11_floor(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 3: the extent is 4, the rule gives 3 = floor((8 + 0 + 1 - 5) / 2) + 1}}
  %0 = pool.max_pool %x kernel [2, 3] strides [2, 2] dilations [1, 2] pads_end
         [0, 1]
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @max_pool_Window.C11_ceil(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 2: the extent is 2, the rule gives 3 = ceil((6 + 0 + 0 - 3) / 2) + 1}}
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] rounding_type ceil
     : tensor<1x2x6x8xf32> -> tensor<1x2x2x?xf32>
  return
}

// -----

func.func @max_pool_Window.C11_ceil_torch(%x: tensor<1x2x6x5xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 3: the extent is 4, the rule gives 3 = ceil((5 + 1 + 1 - 2) / 2) + 1, less 1 for a last window in the end padding}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] pads_begin [1, 1] pads_end
         [1, 1] rounding_type ceil_torch
     : tensor<1x2x6x5xf32> -> tensor<1x2x4x4xf32>
  return
}

// -----

// A declared type may have fewer known extents than the rule gives, but not
// more.
func.func @max_pool_Window.C11_more_static(%x: tensor<1x2x?x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 2: the extent is 5, the rule gives ?, an extent of the input being unknown}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x?x8xf32> -> tensor<1x2x5x7xf32>
  return
}

// -----

func.func @max_pool_Window.C11_more_static_batch(%x: tensor<*xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 0: the extent is 1, the rule gives ?, an extent of the input being unknown}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<*xf32> -> tensor<1x?x?x?xf32>
  return
}

// -----

func.func @max_pool_Window.C11_unranked_input_rank(%x: tensor<*xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values has rank 3, must have rank 4}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<*xf32> -> tensor<?x?x?xf32>
  return
}

// -----

func.func @max_pool_Window.C11_encoding(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values has a tensor encoding, which is not supported}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32> -> tensor<1x2x5x7xf32, "other">
  return
}

// -----

// With same_*, the declared type may fit the other same_output. Then the
// message says so. `input` keeps the input's extent; `strided`, the rule of
// OpenVINO and ONNX, divides it by the stride.
func.func @max_pool_Window.C11_same_input(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 2: the extent is 3, the rule gives 6 = the input extent, same_output = input; same_output = strided would accept this type}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x4xf32>
  return
}

// -----

func.func @max_pool_Window.C11_same_strided(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 2: the extent is 6, the rule gives 3 = ceil(6 / 2), same_output = strided; same_output = input would accept this type}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_lower
         same_output strided
     : tensor<1x2x6x8xf32> -> tensor<1x2x6x8xf32>
  return
}

// -----

func.func @max_pool_Window.C11_same_less_static(%x: tensor<1x2x?x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C11) values, dimension 3: the extent is 4, the rule gives 8 = the input extent, same_output = input; same_output = strided would accept this type}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
     : tensor<1x2x?x8xf32> -> tensor<1x2x?x4xf32>
  return
}

// -----

// The declared type fits neither value of same_output, so the message has no
// such advice.
func.func @max_pool_Window.C11_same_neither(%x: tensor<1x2x6x8xf32>) {
  // expected-error-re @+1 {{'pool.max_pool' op (Window.C11) values, dimension 2: the extent is 3, the rule gives 6 = the input extent, same_output = input{{$}}}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] auto_pad same_upper
     : tensor<1x2x6x8xf32> -> tensor<1x2x3x5xf32>
  return
}
