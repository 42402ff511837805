// The verifier must reject invalid windows. There is a case for each of
// Window.C1 to Window.C10. The message has the label, the dimension and the
// numbers. The rules are the same for every operation, so each case is one of
// every operation.

// RUN: pool-opt %s --split-input-file --verify-diagnostics
// RUN: sed 's/max_pool/min_pool/' %s | pool-opt --split-input-file --verify-diagnostics
// RUN: sed 's/max_pool/avg_pool/' %s | pool-opt --split-input-file --verify-diagnostics
// RUN: sed 's/max_pool/lp_pool/' %s | pool-opt --split-input-file --verify-diagnostics

// -----

func.func @max_pool_Window.C1_rank_too_low(%x: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C1) the input has rank 3, must have rank 4: batch, channels and the 2 dimensions of kernel}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x6xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C1_rank_too_high(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C1) the input has rank 4, must have rank 3: batch, channels and the 1 dimensions of kernel}}
  %0 = pool.max_pool %x kernel [2] : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C1_rank_zero(%x: tensor<f32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C1) the input has rank 0, must have rank 3}}
  %0 = pool.max_pool %x kernel [2] : tensor<f32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C1_encoding(%x: tensor<1x2x6x8xf32, "other">) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C1) tensor encodings are not supported}}
  %0 = pool.max_pool %x kernel [2, 2]
     : tensor<1x2x6x8xf32, "other"> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C2_kernel_empty(%x: tensor<1x2xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C2) kernel is empty, must name at least one dimension}}
  %0 = pool.max_pool %x kernel [] : tensor<1x2xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C2_strides_length(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C2) strides has 1 entries, kernel has 2}}
  %0 = pool.max_pool %x kernel [2, 2] strides [1]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C2_dilations_length(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C2) dilations has 3 entries, kernel has 2}}
  %0 = pool.max_pool %x kernel [2, 2] dilations [1, 1, 1]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C2_pads_begin_length(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C2) pads_begin has 1 entries, kernel has 2}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [1]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C2_pads_end_length(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C2) pads_end has 3 entries, kernel has 2}}
  %0 = pool.max_pool %x kernel [2, 2] pads_end [1, 2, 3]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C3_zero_kernel(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C3) dimension 3: kernel is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 0] : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C3_negative_kernel(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C3) dimension 2: kernel is -3, must be at least 1}}
  %0 = pool.max_pool %x kernel [-3, 2] : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

// Constraints that do not need extents are checked for unranked inputs, too.
func.func @max_pool_Window.C3_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C3) dimension 3: kernel is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 0] : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

// Messages count the dimensions of the input, not those of the kernel.
func.func @max_pool_Window.C3_channels_last(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C3) dimension 2: kernel is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 0] layout channels_last
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C4_zero_dilation(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C4) dimension 3: dilation is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] dilations [1, 0]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C4_negative_dilation(%x: tensor<?x?x?x?xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C4) dimension 2: dilation is -1, must be at least 1}}
  %0 = pool.max_pool %x kernel [1, 1] dilations [-1, 1]
     : tensor<?x?x?x?xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C5_zero_stride(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C5) dimension 2: stride is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] strides [0, 1]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C5_negative_stride(%x: tensor<?x?x?x?xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C5) dimension 3: stride is -9223372036854775808, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] strides [1, -9223372036854775808]
     : tensor<?x?x?x?xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C6_negative_pad_begin(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C6) dimension 2: pads are -1 and 0, must be at least 0}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [-1, 0]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C6_negative_pad_end(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C6) dimension 3: pads are 1 and -2, must be at least 0}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [0, 1] pads_end [0, -2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

// Pads are verified even if auto_pad ignores them.
func.func @max_pool_Window.C6_unused_pad(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C6) dimension 3: pads are 0 and -1, must be at least 0}}
  %0 = pool.max_pool %x kernel [2, 2] pads_end [0, -1] auto_pad valid
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C6_unused_pad_same(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C6) dimension 2: pads are -1 and 0, must be at least 0}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [-1, 0] auto_pad same_upper
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C7_no_channels(%x: tensor<1x0x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C7) dimension 1: channel extent is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x0x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C7_no_channels_last(%x: tensor<1x6x8x0xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C7) dimension 3: channel extent is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] layout channels_last
     : tensor<1x6x8x0xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C7_no_rows(%x: tensor<1x2x0x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C7) dimension 2: input extent is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x2x0x8xf32> -> tensor<*xf32>
  return
}

// -----

// An input without columns is invalid, even if there is padding.
func.func @max_pool_Window.C7_no_columns_padded(%x: tensor<1x2x6x0xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C7) dimension 3: input extent is 0, must be at least 1}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [2, 2]
     : tensor<1x2x6x0xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C8_kernel_exceeds_input(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C8) dimension 2: the window covers 7 = (7 - 1) * 1 + 1 elements, the padded input has 6 = 6 + 0 + 0}}
  %0 = pool.max_pool %x kernel [7, 2] : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C8_dilated(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C8) dimension 3: the window covers 11 = (3 - 1) * 5 + 1 elements, the padded input has 10 = 8 + 0 + 2}}
  %0 = pool.max_pool %x kernel [2, 3] dilations [1, 5] pads_end [0, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C8_valid_ignores_pads(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C8) dimension 2: the window covers 7 = (7 - 1) * 1 + 1 elements, the padded input has 6 = 6 + 0 + 0}}
  %0 = pool.max_pool %x kernel [7, 2] pads_begin [1, 0] auto_pad valid
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

// The formula of ceil gives one window, but this window does not fit the padded
// input.
func.func @max_pool_Window.C8_ceil(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C8) dimension 2: the window covers 9 = (9 - 1) * 1 + 1 elements, the padded input has 7 = 6 + 0 + 1}}
  %0 = pool.max_pool %x kernel [9, 2] strides [4, 1] pads_end [1, 1]
         rounding_type ceil
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C8_one_dimension_known(%x: tensor<?x?x?x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C8) dimension 3: the window covers 9 = (9 - 1) * 1 + 1 elements, the padded input has 8 = 8 + 0 + 0}}
  %0 = pool.max_pool %x kernel [2, 9] : tensor<?x?x?x8xf32> -> tensor<*xf32>
  return
}

// -----

// ceil_torch accepts a window larger than the input if its formula gives at
// least 1. With stride 4 it would give 1; with stride 3, as here, it gives 0.
func.func @max_pool_Window.C9_ceil_torch(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C9) dimension 2: the output extent is below 1: input 6, pads 0 and 0, kernel 9, stride 3, dilation 1}}
  %0 = pool.max_pool %x kernel [9, 2] strides [3, 1] rounding_type ceil_torch
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C10_window_extent(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C10) dimension 3: the extents leave a 64-bit integer: input 8, pads 0 and 0, kernel 9223372036854775807, stride 1, dilation 2}}
  %0 = pool.max_pool %x kernel [2, 9223372036854775807] dilations [1, 2]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C10_padded_input(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C10) dimension 2: the extents leave a 64-bit integer: input 6, pads 9223372036854775807 and 0, kernel 2, stride 1, dilation 1}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [9223372036854775807, 0]
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C10_last_window(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C10) dimension 2: the extents leave a 64-bit integer: input 6, pads 0 and 0, kernel 2, stride 9223372036854775807, dilation 1}}
  %0 = pool.max_pool %x kernel [2, 2] strides [9223372036854775807, 1]
         rounding_type ceil
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C10_same_pads(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C10) dimension 3: the extents leave a 64-bit integer: input 8, pads 0 and 0, kernel 2, stride 4611686018427387904, dilation 1}}
  %0 = pool.max_pool %x kernel [2, 2] strides [1, 4611686018427387904] auto_pad
         same_upper
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}

// -----

// The sum of the pads exceeds 64 bits, so no extent of the input would be
// valid.
func.func @max_pool_Window.C10_unknown_input(%x: tensor<?x?x?x?xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C10) dimension 2: the extents leave a 64-bit integer: input ?, pads 9223372036854775807 and 1, kernel 2, stride 1, dilation 1}}
  %0 = pool.max_pool %x kernel [2, 2] pads_begin [9223372036854775807, 0]
         pads_end [1, 0]
     : tensor<?x?x?x?xf32> -> tensor<*xf32>
  return
}

// -----

func.func @max_pool_Window.C10_window_positions(%x: tensor<1x2x6x8xf32>) {
  // expected-error @+1 {{'pool.max_pool' op (Window.C10) the number of window positions, the product of kernel, leaves a 64-bit integer}}
  %0 = pool.max_pool %x kernel [4294967296, 4294967296] auto_pad same_upper
     : tensor<1x2x6x8xf32> -> tensor<*xf32>
  return
}
