// Plans of the strategy "merged" that convert-pool-to-vector must reject. It
// reports the reason at the operation with the plan. There is a case for each
// reason.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics

func.func @channels_last(%x: tensor<1x16x64x4xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: merged: it is for buffers with the channels first}}
  %0 = pool.max_pool %x kernel [8, 8] strides [8, 8] layout channels_last {pool.plan = #pool.plan<"merged">}
     : tensor<1x16x64x4xf32> -> tensor<1x2x8x4xf32>
  return
}

// -----

func.func @strided_columns(%x: memref<1x4x64xf32, strided<[512, 128, 2]>>, %out: memref<1x4x8xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: merged: the columns of a buffer are not consecutive in memory}}
  pool.window_reduce <max> ins(%x : memref<1x4x64xf32, strided<[512, 128, 2]>>)
      outs(%out : memref<1x4x8xf32>) kernel [8] strides [8] dilations [1]
      pads_begin [0] pads_end [0] {pool.plan = #pool.plan<"merged">}
  return
}

// -----

func.func @dilated(%x: tensor<1x4x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: merged: columns of windows lie apart}}
  %0 = pool.max_pool %x kernel [8] strides [16] dilations [2] {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x64xf32> -> tensor<1x4x4xf32>
  return
}

// -----

func.func @padding(%x: tensor<1x4x62xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: merged: windows may cover padding}}
  %0 = pool.max_pool %x kernel [8] strides [8] pads_begin [2] pads_end [0] {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x62xf32> -> tensor<1x4x8xf32>
  return
}

// -----

func.func @uniform_sums(%x: tensor<1x4x64xf32>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: merged: the kernel alone does not tell that no window covers padding}}
  %0 = pool.avg_pool %x kernel [8] strides [8] {pool.uniform_sums, pool.plan = #pool.plan<"merged">}
     : tensor<1x4x64xf32> -> tensor<1x4x8xf32>
  return
}

// -----

func.func @too_long(%x: tensor<1x4x65536xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: merged: 2096 operations are no straight code}}
  %0 = pool.max_pool %x kernel [1024] strides [1024] {pool.plan = #pool.plan<"merged">}
     : tensor<1x4x65536xf32> -> tensor<1x4x64xf32>
  return
}

// -----

func.func @parameter(%x: tensor<1x4x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: merged: rows is no parameter of it}}
  %0 = pool.max_pool %x kernel [8] strides [8] {pool.plan = #pool.plan<"merged", rows = 2>}
     : tensor<1x4x64xf32> -> tensor<1x4x8xf32>
  return
}

// -----

func.func @otherwise(%x: tensor<1x4x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: merged: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [8] strides [8]
     {pool.plan = #pool.plan<"merged", fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x64xf32> -> tensor<1x4x8xf32>
  return
}
