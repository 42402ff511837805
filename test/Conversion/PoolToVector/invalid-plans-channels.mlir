// Plans that convert-pool-to-vector must reject, for channels-last buffers. It
// reports the reason at the operation with the plan, and does not fall back to
// another lowering. There is a case for each reason.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics

// few-channels

func.func @few_channels_first(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: it is for buffers with the channels last}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @few_channels_unpacked(%x: memref<1x32x3xf32, strided<[256, 8, 1]>>, %out: memref<1x30x3xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: few-channels: columns are not packed}}
  pool.window_reduce <max> ins(%x : memref<1x32x3xf32, strided<[256, 8, 1]>>)
      outs(%out : memref<1x30x3xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
      pads_end [0] layout <channels_last> {pool.plan = #pool.plan<"few-channels", columns = 4>}
  return
}

// -----

func.func @few_channels_argmax(%x: tensor<1x32x32x3xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: lanes that are shuffled have no argmax and no halves}}
  %0:2 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x32x32x3xf32> -> tensor<1x30x30x3xf32>, tensor<1x30x30x3xi64>
  return
}

// -----

func.func @few_channels_wide_sums(%x: tensor<1x32x32x1xi64>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: few-channels: lanes that are shuffled have no argmax and no halves}}
  %0 = pool.avg_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 2>}
     : tensor<1x32x32x1xi64> -> tensor<1x30x30x1xi64>
  return
}

// -----

func.func @few_channels_unknown(%x: tensor<1x32x32x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: the number of channels is not known}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x32x32x?xf32> -> tensor<1x30x30x?xf32>
  return
}

// -----

func.func @few_channels_many(%x: tensor<1x32x32x9xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: 9 channels are more than half a vector of 16}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x32x32x9xf32> -> tensor<1x30x30x9xf32>
  return
}

// -----

func.func @few_channels_one_column(%x: tensor<1x32x32x3xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: a row has one column}}
  %0 = pool.max_pool %x kernel [3, 32] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x32x32x3xf32> -> tensor<1x30x1x3xf32>
  return
}

// -----

func.func @few_channels_long(%x: tensor<1x1x400x3xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: windows of 200 columns are no straight code}}
  %0 = pool.max_pool %x kernel [1, 200] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 4>}
     : tensor<1x1x400x3xf32> -> tensor<1x1x201x3xf32>
  return
}

// -----

func.func @few_channels_otherwise(%x: tensor<1x32x32x3xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 4, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x32x32x3xf32> -> tensor<1x30x30x3xf32>
  return
}

// -----

func.func @few_channels_more_columns(%x: tensor<1x32x32x3xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: columns is 6, must be 5 at most}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 6>}
     : tensor<1x32x32x3xf32> -> tensor<1x30x30x3xf32>
  return
}

// -----

func.func @few_channels_long_code(%x: tensor<1x1x40000x1xi8>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: few-channels: a strip is about 15750 operations, more than 10000}}
  %0 = pool.max_pool %x kernel [1, 500] strides [1, 500] layout channels_last {pool.plan = #pool.plan<"few-channels", columns = 32>}
     : tensor<1x1x40000x1xi8> -> tensor<1x1x80x1xi8>
  return
}

// -----

// channels

func.func @channels_first(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: it is for buffers with the channels last}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @channels_apart(%x: memref<1x32x64xf32, strided<[4096, 128, 2]>>, %out: memref<1x30x64xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: channels: the channels of a buffer are not consecutive in memory}}
  pool.window_reduce <max> ins(%x : memref<1x32x64xf32, strided<[4096, 128, 2]>>)
      outs(%out : memref<1x30x64xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
      pads_end [0] layout <channels_last> {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
  return
}

// -----

func.func @channels_wide_sums(%x: tensor<1x32x32x64xi64>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: channels: sums are of 128 bits}}
  %0 = pool.avg_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
     : tensor<1x32x32x64xi64> -> tensor<1x30x30x64xi64>
  return
}

// -----

func.func @channels_padding_alone(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: a window may lie in padding alone, which no argmax follows}}
  %0:2 = pool.max_pool %x kernel [3, 3] pads_begin [4, 4] pads_end [4, 4] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
     : tensor<1x32x32x64xf32> -> tensor<1x38x38x64xf32>, tensor<1x38x38x64xi64>
  return
}

// -----

func.func @channels_otherwise(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return
}

// -----

func.func @channels_rows_with_loops(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: rows is for straight code, must be 1}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "rows", rows = 2, columns = 1, vectors = 1>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return
}

// -----

func.func @channels_columns_with_loops(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: columns is for straight code, must be 1}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "all", rows = 1, columns = 2, vectors = 1>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return
}

// -----

func.func @channels_vectors_without_loops(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: vectors is for loops over all taps, must be 1}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "rows", rows = 1, columns = 1, vectors = 2>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return
}

// -----

func.func @channels_stream_part_of_vector(%x: tensor<1x32x32x66xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: prefetch and stream are for packed buffers of whole vectors of channels, with at most two spatial dimensions}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, stream = true, vectors = 1>}
     : tensor<1x32x32x66xf32> -> tensor<1x30x30x66xf32>
  return
}

// -----

func.func @channels_prefetch_volume(%x: tensor<1x32x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: prefetch and stream are for packed buffers of whole vectors of channels, with at most two spatial dimensions}}
  %0 = pool.max_pool %x kernel [3, 3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, prefetch = true, vectors = 1>}
     : tensor<1x32x32x32x64xf32> -> tensor<1x30x30x30x64xf32>
  return
}

// -----

func.func @channels_prefetch_many(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: prefetch is for up to 64 cache lines of a group that others do not read, but there are 80}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 8, columns = 10, prefetch = true, vectors = 1>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return
}

// -----

func.func @channels_more_rows(%x: tensor<1x4x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: rows is 3, but there are 2}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 3, columns = 1, vectors = 1>}
     : tensor<1x4x32x64xf32> -> tensor<1x2x30x64xf32>
  return
}

// -----

func.func @channels_more_columns(%x: tensor<1x32x4x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: columns is 3, but there are 2}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 3, vectors = 1>}
     : tensor<1x32x4x64xf32> -> tensor<1x30x2x64xf32>
  return
}

// -----

func.func @channels_more_vectors(%x: tensor<1x32x32x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: vectors is 5, of 16 channels each}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "all", rows = 1, columns = 1, vectors = 5>}
     : tensor<1x32x32x64xf32> -> tensor<1x30x30x64xf32>
  return
}

// -----

func.func @channels_unknown_vectors(%x: tensor<1x32x32x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: vectors is 2, of 16 channels each}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"channels", loops = "all", rows = 1, columns = 1, vectors = 2>}
     : tensor<1x32x32x?xf32> -> tensor<1x30x30x?xf32>
  return
}

// -----

func.func @channels_long_code(%x: tensor<1x200x200x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: a group is about 14552 operations, more than 10000}}
  %0 = pool.max_pool %x kernel [81, 81] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 4, columns = 4, vectors = 1>}
     : tensor<1x200x200x64xf32> -> tensor<1x120x120x64xf32>
  return
}

// -----

func.func @channels_argmax_of_many_bits(%x: tensor<1x70000x70000x64xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: channels: an argmax within a group has more than 31 bits}}
  %0:2 = pool.max_pool %x kernel [2, 2] dilations [65536, 65536] layout channels_last {pool.plan = #pool.plan<"channels", loops = "none", rows = 1, columns = 1, vectors = 1>}
     : tensor<1x70000x70000x64xf32> -> tensor<1x4464x4464x64xf32>, tensor<1x4464x4464x64xi64>
  return
}
