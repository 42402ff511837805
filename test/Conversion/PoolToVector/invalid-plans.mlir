// Plans of any strategy, and of "direct" and "global", that
// convert-pool-to-vector must reject. It reports the reason at the operation
// with the plan, and does not fall back to another lowering. There is a case
// for each reason.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics

// Parameters

func.func @unknown_strategy(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: no strategy for this operation is named tomorrow, only global, planes, van-herk, buffered-planes, merged, few-channels, channels, staged, direct}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"tomorrow">}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @strategy_of_another_table(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: no strategy for this operation is named slices, only global, planes, van-herk, buffered-planes, merged, few-channels, channels, staged, direct}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"slices">}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @unknown_parameter(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: tiles is no parameter of it}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 4, tiles = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @misspelt_parameter(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lane is no parameter of it; did you mean 'lanes'?}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lane = 4>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @parameter_of_no_strategy(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: vector is no parameter of it; the parameters are lanes, fallback}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 4, vector = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @parameter_of_another_cut(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: first_column is no parameter of it}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "strips", columns = 16, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @missing(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is missing}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct">}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @no_integer(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is "4", must be an integer}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = "4">}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @bool_for_integer(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is true, must be an integer}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = true>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @integer_for_bool(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: stream is 1 : i64, must be true or false}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, stream = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @no_keyword(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: cut is 1 : i64, must be a string}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = 1, columns = 30, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @unknown_keyword(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: cut is "wide", must be one of row, narrow, strips}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "wide", columns = 30, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @no_plan(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: fallback is "direct", must be a plan}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, fallback = "direct">}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @out_of_bounds(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: rows is 65, must be 1 to 64}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 65, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @negative(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: rows is -1, must be 1 to 64}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = -1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @within_a_chain(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 3, must be a power of two up to 16}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "narrow", columns = 16, rows = 1, fallback = #pool.plan<"direct", lanes = 3>>}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

// Operations without any strategy

func.func @huge_kernel(%x: tensor<1x1x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: spatial dimension 0 has kernel 1073741825, stride 1 and dilation 1, more than 1073741824, 1048576 and 1048576}}
  %0 = pool.max_pool %x kernel [1073741825] {pool.plan = #pool.plan<"direct", lanes = 4>}
     : tensor<1x1x?xf32> -> tensor<1x1x?xf32>
  return
}

// -----

func.func @huge_stride(%x: tensor<1x1x9xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: spatial dimension 0 has kernel 3, stride 2097152 and dilation 1, more than 1073741824, 1048576 and 1048576}}
  %0 = pool.max_pool %x kernel [3] strides [2097152] {pool.plan = #pool.plan<"direct", lanes = 4>}
     : tensor<1x1x9xf32> -> tensor<1x1x1xf32>
  return
}

// -----

// direct

func.func @direct_columns_apart(%x: memref<1x32x32xf32, strided<[2048, 64, 2]>>, %out: memref<1x32x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: direct: the elements of a buffer's last dimension are not consecutive}}
  pool.window_reduce <max> ins(%x : memref<1x32x32xf32, strided<[2048, 64, 2]>>)
      outs(%out : memref<1x32x30xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
      pads_end [0] layout <channels_first> {pool.plan = #pool.plan<"direct", lanes = 4>}
  return
}

// -----

func.func @direct_otherwise(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 4, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @direct_three_lanes(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 3, must be a power of two up to 16}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 3>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @direct_more_lanes(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: direct: lanes is 32, must be a power of two up to 16}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"direct", lanes = 32>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

// global

func.func @global_channels_last(%x: tensor<1x7x7x4xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: it is for buffers with the channels first}}
  %0 = pool.max_pool %x kernel [7, 7] layout channels_last {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x7x7x4xf32> -> tensor<1x1x1x4xf32>
  return
}

// -----

func.func @global_argmax(%x: tensor<1x4x7x7xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: lanes that are merged have no argmax and no halves}}
  %0:2 = pool.max_pool %x kernel [7, 7] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x4x7x7xf32> -> tensor<1x4x1x1xf32>, tensor<1x4x1x1xi64>
  return
}

// -----

func.func @global_unpacked(%x: memref<1x4x7x7xf32, strided<[256, 64, 8, 1]>>, %out: memref<1x4x1x1xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: global: planes are not packed}}
  pool.window_reduce <max> ins(%x : memref<1x4x7x7xf32, strided<[256, 64, 8, 1]>>)
      outs(%out : memref<1x4x1x1xf32>) kernel [7, 7] strides [1, 1] dilations [1, 1]
      pads_begin [0, 0] pads_end [0, 0] layout <channels_first> {pool.plan = #pool.plan<"global", code = "straight">}
  return
}

// -----

func.func @global_part_of_a_plane(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: windows are no whole planes}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @global_padded(%x: tensor<1x4x7x7xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: windows are no whole planes}}
  %0 = pool.max_pool %x kernel [7, 7] pads_begin [1, 1] pads_end [1, 1] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x4x7x7xf32> -> tensor<1x4x3x3xf32>
  return
}

// -----

func.func @global_huge(%x: tensor<1x4x?x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: planes have too many elements}}
  %0 = pool.max_pool %x kernel [1000000, 1000000, 2] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x4x?x?x?xf32> -> tensor<1x4x?x?x?xf32>
  return
}

// -----

func.func @global_otherwise_missing(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: windows may be no whole planes at run time: fallback is missing}}
  %0 = pool.max_pool %x kernel [7, 7] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @global_otherwise_without_meaning(%x: tensor<1x4x7x7xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: windows are whole planes: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [7, 7] {pool.plan = #pool.plan<"global", code = "straight", fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x7x7xf32> -> tensor<1x4x1x1xf32>
  return
}

// -----

func.func @global_long_code(%x: tensor<1x4x200x200xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: global: straight code is about 80048 operations, more than 10000}}
  %0 = pool.max_pool %x kernel [200, 200] {pool.plan = #pool.plan<"global", code = "straight">}
     : tensor<1x4x200x200xf32> -> tensor<1x4x1x1xf32>
  return
}
