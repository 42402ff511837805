// Errors must say what to write instead: if an operand is a buffer, if a
// parameter stands in braces, and if the name of an operation is misspelt.

// RUN: pool-opt %s --split-input-file --verify-diagnostics

func.func @pretty_buffer(%x: memref<1x2x6xf32>) {
  // expected-error @+1 {{takes tensors, not 'memref<1x2x6xf32>'; pool.window_reduce takes buffers, and bufferization.to_tensor makes a tensor of a buffer}}
  %0 = pool.max_pool %x kernel [2] : memref<1x2x6xf32> -> memref<1x2x5xf32>
  return
}

// -----

func.func @buffer(%x: memref<1x2x6xf32>) {
  // expected-error @+1 {{'pool.max_pool' op takes tensors, not 'memref<1x2x6xf32>'; pool.window_reduce takes buffers, and bufferization.to_tensor makes a tensor of a buffer}}
  %0 = "pool.max_pool"(%x) <{kernel = array<i64: 2>}>
     : (memref<1x2x6xf32>) -> memref<1x2x5xf32>
  return
}

// -----

func.func @grad_of_buffer(%g: memref<1x2x5xf32>) {
  // expected-error @+1 {{takes tensors, not 'memref<1x2x5xf32>'}}
  %0 = pool.avg_pool_grad %g kernel [2] : memref<1x2x5xf32> -> memref<1x2x6xf32>
  return
}

// -----

func.func @pretty_type_no_shape(%x: f32) {
  // expected-error @+1 {{operand #0 must be tensor of}}
  %0 = pool.max_pool %x kernel [2] : f32 -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_discardable_kernel(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'kernel' is a clause, not an attribute in braces; write `kernel [3]` before the braces}}
  %0 = pool.max_pool %x kernel [2] {kernel = array<i64: 3>}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_kernel_in_braces(%x: tensor<1x2x6x6xf32>) {
  // expected-error @+1 {{custom op 'pool.max_pool' 'kernel' is a clause, not an attribute in braces; write `kernel [2, 3]` before the braces}}
  %0 = pool.max_pool %x {kernel = [2, 3], strides = [2, 2]}
     : tensor<1x2x6x6xf32> -> tensor<1x2x3x2xf32>
  return
}

// -----

func.func @pretty_strides_in_braces(%x: tensor<1x2x6x6xf32>) {
  // expected-error @+1 {{'strides' is a clause, not an attribute in braces; write `strides [2, 2]` before the braces}}
  %0 = pool.max_pool %x kernel [2, 2] {strides = [2, 2], layout = "channels_last"}
     : tensor<1x2x6x6xf32> -> tensor<1x2x3x3xf32>
  return
}

// -----

func.func @pretty_case_in_braces(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'divisor' is a clause, not an attribute in braces; write `divisor padded` before the braces}}
  %0 = pool.avg_pool %x kernel [2] {divisor = #pool.divisor<padded>}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_unfit_in_braces(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'rounding_type' is a clause, not an attribute in braces; write `rounding_type` and its value before the braces}}
  %0 = pool.max_pool %x kernel [2] {rounding_type = f32}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_bool_in_braces(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'axis' is a clause, not an attribute in braces; write `axis` and its value before the braces}}
  %0 = pool.max_pool %x kernel [2] {axis = true}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_unsigned_in_braces(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{write `axis 255` before the braces}}
  %0 = pool.max_pool %x kernel [2] {axis = 255 : ui8}
     : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_kernel_after_braces(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected 'kernel' before the braces}}
  %0 = pool.max_pool %x {a = 1} kernel : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_nothing_before_type(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected 'kernel'}}
  %0 = pool.max_pool %x : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @pretty_braces_without_kernel(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{expected 'kernel' before the braces}}
  %0 = pool.max_pool %x {name = "first"} : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @misspelt_operation(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{custom op 'pool.maxpool' is unknown; did you mean 'pool.max_pool'?}}
  %0 = pool.maxpool %x kernel [2] : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}

// -----

func.func @unknown_operation(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{custom op 'pool.convolution' is unknown; the operations are pool.adaptive_avg_pool, pool.adaptive_max_pool, pool.avg_pool, pool.avg_pool_grad, pool.largest_index, pool.lp_pool, pool.max_pool,}}
  %0 = pool.convolution %x : tensor<1x2x6xf32> -> tensor<1x2x5xf32>
  return
}
