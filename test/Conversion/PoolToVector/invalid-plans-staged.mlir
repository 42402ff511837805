// Plans of the strategy "staged" that convert-pool-to-vector must reject. It
// reports the reason at the operation with the plan. There is a case for each
// reason.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics

func.func @one_dimension(%x: tensor<1x4x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: block is 3, must be 1 at most}}
  %0 = pool.max_pool %x kernel [3] {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x4x32xf32> -> tensor<1x4x30xf32>
  return
}

// -----

func.func @many_operations(%x: tensor<1x4x32x4096xi8>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: strides of a vector take 985 operations, more than 700}}
  %0 = pool.max_pool %x kernel [3, 200] strides [1, 90] {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x4x32x4096xi8> -> tensor<1x4x30x44xi8>
  return
}

// -----

func.func @unknown_row(%x: tensor<1x4x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: the length of the only row, and so of its buffers, is unknown, which parts are for}}
  %0 = pool.max_pool %x kernel [30] {pool.plan = #pool.plan<"staged", block = 1, vectors = 1>}
     : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
  return
}

// -----

func.func @long_stride(%x: tensor<1x4x32x4096xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: a stride of 1000 columns is no straight code}}
  %0 = pool.max_pool %x kernel [3, 2048] strides [1, 1000] {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x4x32x4096xf32> -> tensor<1x4x30x3xf32>
  return
}

// -----

func.func @unpacked(%x: memref<1x32x3xf32, strided<[256, 8, 1]>>, %out: memref<1x30x3xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: staged: buffers are not packed}}
  pool.window_reduce <max> ins(%x : memref<1x32x3xf32, strided<[256, 8, 1]>>)
      outs(%out : memref<1x30x3xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
      pads_end [0] layout <channels_last> {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
  return
}

// -----

func.func @uniform_sums(%x: tensor<1x32x32x8xf32>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: staged: blocks add in an order that depends on the row}}
  %0 = pool.avg_pool %x kernel [3, 3] layout channels_last
     {pool.uniform_sums, pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x32x32x8xf32> -> tensor<1x30x30x8xf32>
  return
}

// -----

func.func @many_elements(%x: tensor<1x1099511627776x2x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: a plane has more than 1099511627776 elements}}
  %0 = pool.max_pool %x kernel [3, 2] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x1099511627776x2x8xf32> -> tensor<1x1099511627774x1x8xf32>
  return
}

// -----

func.func @block_of_few_windows(%x: tensor<1x32x32x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: block is 4, must be 3 at most}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 4, vectors = 1>}
     : tensor<1x32x32x8xf32> -> tensor<1x30x30x8xf32>
  return
}

// -----

func.func @block_of_few_outputs(%x: tensor<1x5x32x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: block is 3, must be 2 at most}}
  %0 = pool.max_pool %x kernel [4, 4] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1>}
     : tensor<1x5x32x8xf32> -> tensor<1x2x29x8xf32>
  return
}

// -----

// Of seven windows, only every third may be in a block.

func.func @block_of_dilated_windows(%x: tensor<1x19x32x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: block is 4, must be 3 at most}}
  %0 = pool.max_pool %x kernel [5, 5] dilations [3, 1] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 4, vectors = 1>}
     : tensor<1x19x32x8xf32> -> tensor<1x7x28x8xf32>
  return
}

// -----

func.func @large_buffers(%x: tensor<1x1000x1000x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: the buffers of a block of 40 take about 10525184 bytes, more than 8388608}}
  %0 = pool.max_pool %x kernel [40, 40] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 40, vectors = 8>}
     : tensor<1x1000x1000x64xf32> -> tensor<1x961x961x64xf32>
  return
}

// -----

func.func @vectors(%x: tensor<1x32x32x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: vectors is 17, must be 1 to 16}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 17>}
     : tensor<1x32x32x8xf32> -> tensor<1x30x30x8xf32>
  return
}

// -----

func.func @otherwise(%x: tensor<1x32x32x8xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: staged: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last
     {pool.plan = #pool.plan<"staged", block = 3, vectors = 1, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x32x32x8xf32> -> tensor<1x30x30x8xf32>
  return
}
