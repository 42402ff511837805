// Plans that convert-pool-to-vector must reject, for adaptive pooling,
// unpooling and gradients. It reports the reason at the operation with the
// plan, and does not fall back to another lowering. There is a case for each
// reason.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics

// Adaptive pooling

func.func @adaptive_unknown_strategy(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: no strategy for this operation is named planes, only adaptive-planes, adaptive-channels}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"planes">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_planes_channels_last(%x: tensor<1x14x14x8xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: it is for buffers with the channels first}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] layout channels_last {pool.plan = #pool.plan<"adaptive-planes", row = "buffer">}
     : tensor<1x14x14x8xf32> -> tensor<1x5x5x8xf32>
  return
}

// -----

func.func @adaptive_planes_otherwise(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: it is for all extents: fallback has no meaning}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-planes", row = "buffer", fallback = #pool.plan<"direct">>}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_planes_keyword(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: row is "cache", must be one of plane, register, buffer}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-planes", row = "cache">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_planes_unknown_width(%x: tensor<1x8x14x?xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: the width is not known}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-planes", row = "register">}
     : tensor<1x8x14x?xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_planes_wide_rows(%x: tensor<1x8x14x999xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: a row has 999 columns, more than 16 vectors}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-planes", row = "register">}
     : tensor<1x8x14x999xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_planes_many_outputs(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: 801 outputs are no straight code}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 801] {pool.plan = #pool.plan<"adaptive-planes", row = "register">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x801xf32>
  return
}

// -----

func.func @adaptive_planes_unknown_height(%x: tensor<1x8x?x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: a plane is no straight code}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-planes", row = "plane">}
     : tensor<1x8x?x14xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_planes_of_three_dims(%x: tensor<1x8x14x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-planes: a plane is no straight code}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5, 5] {pool.plan = #pool.plan<"adaptive-planes", row = "plane">}
     : tensor<1x8x14x14x14xf32> -> tensor<1x8x5x5x5xf32>
  return
}

// -----

func.func @adaptive_channels_first(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-channels: it is for buffers with the channels last}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] {pool.plan = #pool.plan<"adaptive-channels", vectors = 4>}
     : tensor<1x8x14x14xf32> -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @adaptive_channels_otherwise(%x: tensor<1x14x14x8xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-channels: it is for all extents: fallback has no meaning}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] layout channels_last {pool.plan = #pool.plan<"adaptive-channels", vectors = 4, fallback = #pool.plan<"direct">>}
     : tensor<1x14x14x8xf32> -> tensor<1x5x5x8xf32>
  return
}

// -----

func.func @adaptive_channels_vectors(%x: tensor<1x14x14x8xf32>) {
  // expected-error@+1 {{'pool.adaptive_avg_pool' op cannot be lowered by pool.plan: adaptive-channels: vectors is 17, must be 1 to 16}}
  %0 = pool.adaptive_avg_pool %x output_size [5, 5] layout channels_last {pool.plan = #pool.plan<"adaptive-channels", vectors = 17>}
     : tensor<1x14x14x8xf32> -> tensor<1x5x5x8xf32>
  return
}

// -----

// max_unpool, and gradients of maxima, which write where indices say

func.func @scatter_unknown_strategy(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: no strategy for this operation is named staged, only blocks, gather, separable, slices}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"staged">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @blocks_within_a_row(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: indices count within a row}}
  %0 = pool.max_unpool %v, %i axis 3 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x4x8xf32>
  return
}

// -----

func.func @blocks_no_multiple(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: 9 of dimension 2 is no multiple of 4}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x9x8xf32>
  return
}

// -----

func.func @blocks_large(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: blocks have 25 elements, not 2 to 16}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x20x20xf32>
  return
}

// -----

func.func @blocks_huge(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: blocks have more than 16 elements}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x80x8xf32>
  return
}

// -----

func.func @blocks_of_one(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: blocks have 1 elements, not 2 to 16}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @blocks_far(%v: tensor<1x2x40000x40000xf32>, %i: tensor<1x2x40000x40000xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: distances have more than 32 bits}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x40000x40000xf32>, tensor<1x2x40000x40000xi64> -> tensor<1x2x80000x80000xf32>
  return
}

// -----

func.func @blocks_unknown(%v: tensor<1x2x?x4xf32>, %i: tensor<1x2x?x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: extents of dimension 2 are not known}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks">}
     : tensor<1x2x?x4xf32>, tensor<1x2x?x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @blocks_stream_parts_of_vectors(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: rows are no whole vectors, which stores past the caches are}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks", stream = true>}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @blocks_otherwise(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: blocks: it is for all extents: fallback has no meaning}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"blocks", fallback = #pool.plan<"slices">>}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @windows_of_unpooling(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: gather: indices are not known to be those of windows}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @windows_far_apart(%x: tensor<1x2x8x60xf32>, %g: tensor<1x2x6x20xf32>, %i: tensor<1x2x6x20xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: columns are covered by windows 40 before and 0 after their own, more than the 16 lanes of a vector}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] dilations [1, 20] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x8x60xf32>, tensor<1x2x6x20xf32>, tensor<1x2x6x20xi64> -> tensor<1x2x8x60xf32>
  return
}

// -----

func.func @windows_channels_last(%x: tensor<1x8x8x3xf32>, %g: tensor<1x6x6x3xf32>, %i: tensor<1x6x6x3xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: dimension 1, before the last two, has windows}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"gather">}
     : tensor<1x8x8x3xf32>, tensor<1x6x6x3xf32>, tensor<1x6x6x3xi64> -> tensor<1x8x8x3xf32>
  return
}

// -----

func.func @windows_unknown_stride(%x: tensor<1x2x?x8x8xf32>, %g: tensor<1x2x?x8x8xf32>, %i: tensor<1x2x?x8x8xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: dimension 2, before the last two, has windows}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 1, 1] strides [2, 1, 1] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x?x8x8xf32>, tensor<1x2x?x8x8xf32>, tensor<1x2x?x8x8xi64> -> tensor<1x2x?x8x8xf32>
  return
}

// -----

func.func @windows_unknown(%x: tensor<1x2x8x?xf32>, %g: tensor<1x2x6x?xf32>, %i: tensor<1x2x6x?xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: extents of dimension 3 are not known}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x8x?xf32>, tensor<1x2x6x?xf32>, tensor<1x2x6x?xi64> -> tensor<1x2x8x?xf32>
  return
}

// -----

func.func @windows_unknown_output(%x: tensor<1x2x8x8xf32>, %g: tensor<1x2x6x?xf32>, %i: tensor<1x2x6x?xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: extents of dimension 3 are not known}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x8x8xf32>, tensor<1x2x6x?xf32>, tensor<1x2x6x?xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @windows_of_padding(%x: tensor<1x2x8x8xf32>, %g: tensor<1x2x8x10xf32>, %i: tensor<1x2x8x10xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: window 0 of dimension 3 has no elements}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 1] pads_begin [0, 1] pads_end [0, 1] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x8x8xf32>, tensor<1x2x8x10xf32>, tensor<1x2x8x10xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @windows_far(%x: tensor<1x1x50000x50000xf32>, %g: tensor<1x1x49998x49998xf32>, %i: tensor<1x1x49998x49998xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: distances have more than 32 bits}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] axis 2 {pool.plan = #pool.plan<"gather">}
     : tensor<1x1x50000x50000xf32>, tensor<1x1x49998x49998xf32>, tensor<1x1x49998x49998xi64> -> tensor<1x1x50000x50000xf32>
  return
}

// -----

func.func @windows_wide_stride(%x: tensor<1x2x8x19xf32>, %g: tensor<1x2x6x2xf32>, %i: tensor<1x2x6x2xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: the stride along the row is 9, more than 8}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 9] strides [1, 9] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x8x19xf32>, tensor<1x2x6x2xf32>, tensor<1x2x6x2xi64> -> tensor<1x2x8x19xf32>
  return
}

// -----

func.func @windows_high_stride(%x: tensor<1x2x1x8xf32>, %g: tensor<1x2x1x8xf32>, %i: tensor<1x2x1x8xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: the stride of rows is 4611686018427387904, more than 10000}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 1] strides [4611686018427387904, 1] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x1x8xf32>, tensor<1x2x1x8xf32>, tensor<1x2x1x8xi64> -> tensor<1x2x1x8xf32>
  return
}

// -----

func.func @windows_large(%x: tensor<1x2x200x200xf32>, %g: tensor<1x2x100x99xf32>, %i: tensor<1x2x100x99xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: windows have more than 10000 elements}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [101, 102] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x200x200xf32>, tensor<1x2x100x99xf32>, tensor<1x2x100x99xi64> -> tensor<1x2x200x200xf32>
  return
}

// -----

func.func @windows_long_code(%x: tensor<1x2x800x40xf32>, %g: tensor<1x2x202x31xf32>, %i: tensor<1x2x202x31xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: a row is about 43119 operations, more than 10000}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [599, 10] {pool.plan = #pool.plan<"gather">}
     : tensor<1x2x800x40xf32>, tensor<1x2x202x31xf32>, tensor<1x2x202x31xi64> -> tensor<1x2x800x40xf32>
  return
}

// -----

func.func @windows_otherwise(%x: tensor<1x2x8x8xf32>, %g: tensor<1x2x6x6xf32>, %i: tensor<1x2x6x6xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: it is for all extents: fallback has no meaning}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] {pool.plan = #pool.plan<"gather", fallback = #pool.plan<"slices">>}
     : tensor<1x2x8x8xf32>, tensor<1x2x6x6xf32>, tensor<1x2x6x6xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @windows_reach(%x: tensor<1x2x8x64xf32>, %g: tensor<1x2x8x64xf32>, %i: tensor<1x2x8x64xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: windows of dimension 3 reach over 200000001 elements, more than 384 for an extent of 64}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 2] dilations [1, 200000000] pads_begin [0, 200000000] {pool.plan = #pool.plan<"gather">}
    : tensor<1x2x8x64xf32>, tensor<1x2x8x64xf32>, tensor<1x2x8x64xi64> -> tensor<1x2x8x64xf32>
  return
}

// -----

func.func @windows_parameter(%x: tensor<1x2x8x8xf32>, %g: tensor<1x2x6x6xf32>, %i: tensor<1x2x6x6xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: gather: rows is no parameter of it}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] {pool.plan = #pool.plan<"gather", rows = 1>}
     : tensor<1x2x8x8xf32>, tensor<1x2x6x6xf32>, tensor<1x2x6x6xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @slices_otherwise(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: slices: it is for all extents: fallback has no meaning}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"slices", fallback = #pool.plan<"slices">>}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @slices_parameter(%v: tensor<1x2x4x4xf32>, %i: tensor<1x2x4x4xi64>) {
  // expected-error@+1 {{'pool.max_unpool' op cannot be lowered by pool.plan: slices: rows is no parameter of it}}
  %0 = pool.max_unpool %v, %i axis 2 {pool.plan = #pool.plan<"slices", rows = 1>}
     : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @max_pool_grad_unknown(%x: tensor<1x8x33x33xf32>, %g: tensor<1x8x16x16xf32>, %i: tensor<1x8x16x16xi64>) {
  // expected-error@+1 {{'pool.max_pool_grad' op cannot be lowered by pool.plan: no strategy for this operation is named window-sums, only blocks, gather, separable, slices}}
  %0 = pool.max_pool_grad %x, %g, %i kernel [3, 3] strides [2, 2] {pool.plan = #pool.plan<"window-sums">}
     : tensor<1x8x33x33xf32>, tensor<1x8x16x16xf32>, tensor<1x8x16x16xi64> -> tensor<1x8x33x33xf32>
  return
}

// -----

// Gradients of averages

func.func @gather_unknown_strategy(%g: tensor<1x2x30x30xf32>) {
  // expected-error@+1 {{'pool.avg_pool_grad' op cannot be lowered by pool.plan: no strategy for this operation is named blocks, only window-sums, strided-gather}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] {pool.plan = #pool.plan<"blocks">} : tensor<1x2x30x30xf32> -> tensor<1x2x32x32xf32>
  return
}

// -----

func.func @window_sums_strided(%g: tensor<1x2x32x16xf32>) {
  // expected-error@+1 {{'pool.avg_pool_grad' op cannot be lowered by pool.plan: window-sums: windows move by more than one element in spatial dimension 1}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] strides [1, 2] {pool.plan = #pool.plan<"window-sums">} : tensor<1x2x32x16xf32> -> tensor<1x2x34x33xf32>
  return
}

// -----

func.func @adaptive_of_regular_windows(%x: tensor<1x8x14x14xf32>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: no strategy for this operation is named adaptive-planes, only global, planes,}}
  %0 = pool.adaptive_avg_pool %x output_size [7, 7] {pool.plan = #pool.plan<"adaptive-planes", row = "plane">}
     : tensor<1x8x14x14xf32> -> tensor<1x8x7x7xf32>
  return
}

// -----

func.func @window_sums_otherwise(%g: tensor<1x2x30x30xf32>) {
  // expected-error@+1 {{'pool.avg_pool_grad' op cannot be lowered by pool.plan: window-sums: it is for all extents: fallback has no meaning}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] {pool.plan = #pool.plan<"window-sums", fallback = #pool.plan<"strided-gather">>} : tensor<1x2x30x30xf32> -> tensor<1x2x32x32xf32>
  return
}

// -----

func.func @strided_gather_otherwise(%g: tensor<1x2x30x30xf32>) {
  // expected-error@+1 {{'pool.avg_pool_grad' op cannot be lowered by pool.plan: strided-gather: it is for all extents: fallback has no meaning}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] {pool.plan = #pool.plan<"strided-gather", fallback = #pool.plan<"window-sums">>} : tensor<1x2x30x30xf32> -> tensor<1x2x32x32xf32>
  return
}

// -----

func.func @strided_gather_parameter(%g: tensor<1x2x30x30xf32>) {
  // expected-error@+1 {{'pool.avg_pool_grad' op cannot be lowered by pool.plan: strided-gather: lanes is no parameter of it}}
  %0 = pool.avg_pool_grad %g kernel [3, 3] {pool.plan = #pool.plan<"strided-gather", lanes = 4>} : tensor<1x2x30x30xf32> -> tensor<1x2x32x32xf32>
  return
}
