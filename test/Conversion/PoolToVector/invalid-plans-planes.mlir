// Plans that convert-pool-to-vector must reject, for planes of channels-first
// buffers. It reports the reason at the operation with the plan, and does not
// fall back to another lowering. There is a case for each reason.

// RUN: pool-opt %s --convert-pool-to-vector --split-input-file --verify-diagnostics

// planes

func.func @planes_channels_last(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: it is for buffers with the channels first}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x2x30x32xf32>
  return
}

// -----

func.func @planes_wide_sums(%x: tensor<1x4x32x32xi64>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: planes: sums are of 128 bits}}
  %0 = pool.avg_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xi64> -> tensor<1x4x30x30xi64>
  return
}

// -----

func.func @planes_columns_apart(%x: memref<1x32x32xf32, strided<[2048, 64, 2]>>, %out: memref<1x32x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: planes: the columns of a buffer are not consecutive in memory}}
  pool.window_reduce <max> ins(%x : memref<1x32x32xf32, strided<[2048, 64, 2]>>)
      outs(%out : memref<1x32x30xf32>) kernel [3] strides [1] dilations [1] pads_begin [0]
      pads_end [0] layout <channels_first> {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0>}
  return
}

// -----

func.func @planes_long(%x: tensor<1x1x1x2000xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: windows of 1 x 800 positions are no straight code}}
  %0 = pool.max_pool %x kernel [1, 800] {pool.plan = #pool.plan<"planes", cut = "strips", columns = 16, rows = 1>}
     : tensor<1x1x1x2000xf32> -> tensor<1x1x1x1201xf32>
  return
}

// -----

func.func @planes_padding_alone(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: a window may lie in padding alone, which no argmax follows}}
  %0:2 = pool.max_pool %x kernel [3, 3] pads_begin [4, 4] pads_end [4, 4] {pool.plan = #pool.plan<"planes", cut = "row", columns = 38, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x38x38xf32>, tensor<1x4x38x38xi64>
  return
}

// -----

func.func @planes_more_rows(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: rows is 31, but a plane has 30}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 31, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @planes_otherwise_missing(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: rows may be wider at run time: fallback is missing}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "narrow", columns = 30, rows = 1>}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @planes_otherwise_without_meaning(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: it is for all rows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @planes_otherwise_after_strips(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: it is for all rows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "narrow", columns = 30, rows = 1, fallback = #pool.plan<"planes", cut = "strips", columns = 16, rows = 1, fallback = #pool.plan<"direct", lanes = 4>>>}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @planes_row_of_unknown_width(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: cut is "row", but the width or its padding is not known}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0>}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @planes_row_of_other_width(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: a row has 30 columns and 0 of padding, not columns = 29, first_column = 0}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 29, rows = 1, first_column = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @planes_first_column_before_padding(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: a row has 32 columns and 1 of padding, not columns = 32, first_column = -2}}
  %0 = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] {pool.plan = #pool.plan<"planes", cut = "row", columns = 32, rows = 1, first_column = -2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x32x32xf32>
  return
}

// -----

func.func @planes_narrower_than_rows(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: columns is 29, but a row has 30}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "narrow", columns = 29, rows = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @planes_strips_wider_than_rows(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: strips have 31 columns, but a row may have no more than 30}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "strips", columns = 31, rows = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @planes_strips_wider_than_narrow(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: strips have 18 columns, but a row may have no more than 17}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "narrow", columns = 16, rows = 1, fallback = #pool.plan<"planes", cut = "strips", columns = 18, rows = 1>>}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @planes_strips_of_any_row(%x: tensor<1x4x?x?xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: strips have 2 columns, but a row may have no more than 1}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "strips", columns = 2, rows = 1>}
     : tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @planes_long_code(%x: tensor<1x4x200x4000xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: a group is about 102968 operations, more than 10000}}
  %0 = pool.max_pool %x kernel [64, 64] {pool.plan = #pool.plan<"planes", cut = "strips", columns = 1024, rows = 64>}
     : tensor<1x4x200x4000xf32> -> tensor<1x4x137x3937xf32>
  return
}

// -----

func.func @planes_argmax_carried(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: rows with an argmax are not carried}}
  %0:2 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, carry = true, part_rows = 30>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>, tensor<1x4x30x30xi64>
  return
}

// -----

func.func @planes_nothing_to_carry(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: groups share no rows to carry}}
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] {pool.plan = #pool.plan<"planes", cut = "row", columns = 16, rows = 1, first_column = 0, carry = true, part_rows = 4>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x16x16xf32>
  return
}

// -----

func.func @planes_interleave_dense(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: interleave is for windows whose neighbours share no rows, but dilation 2 divides stride 2}}
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 1] dilations [2, 1] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, carry = true, interleave = true, part_rows = 14>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x14x30xf32>
  return
}

// -----

func.func @planes_interleave_prefetch(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: prefetch is for rows that follow each other, not for those that interleave}}
  %0 = pool.max_pool %x kernel [3, 3] dilations [2, 1] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, carry = true, interleave = true, part_rows = 14, prefetch = true>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x28x30xf32>
  return
}

// -----

func.func @planes_interleave_uncarried(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes}}
  %0 = pool.max_pool %x kernel [3, 3] dilations [2, 1] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, interleave = true>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x28x30xf32>
  return
}

// -----

func.func @planes_carry_too_much(%x: tensor<1x1x600x600xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: 1482 vectors are carried, more than 128}}
  %0 = pool.max_pool %x kernel [40, 40] {pool.plan = #pool.plan<"planes", cut = "row", columns = 561, rows = 1, first_column = 0, carry = true, part_rows = 4>}
     : tensor<1x1x600x600xf32> -> tensor<1x1x561x561xf32>
  return
}

// -----

func.func @planes_prefetch_unpacked(%x: memref<1x4x32x32xf32, strided<[8192, 2048, 64, 1]>>, %out: memref<1x4x30x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: planes: prefetch and stream are for buffers that are packed}}
  pool.window_reduce <max> ins(%x : memref<1x4x32x32xf32, strided<[8192, 2048, 64, 1]>>)
      outs(%out : memref<1x4x30x30xf32>) kernel [3, 3] strides [1, 1] dilations [1, 1]
      pads_begin [0, 0] pads_end [0, 0] layout <channels_first> {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, prefetch = true>}
  return
}

// -----

func.func @planes_stream_unpacked(%x: memref<1x4x32x32xf32>, %out: memref<1x4x32x16xf32, strided<[8192, 2048, 17, 1]>>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: planes: prefetch and stream are for buffers that are packed}}
  pool.window_reduce <max> ins(%x : memref<1x4x32x32xf32>)
      outs(%out : memref<1x4x32x16xf32, strided<[8192, 2048, 17, 1]>>) kernel [1, 2] strides [1, 2]
      dilations [1, 1] pads_begin [0, 0] pads_end [0, 0] layout <channels_first> {pool.plan = #pool.plan<"planes", cut = "row", columns = 16, rows = 1, first_column = 0, stream = true>}
  return
}

// -----

func.func @planes_prefetch_without_rows(%x: tensor<1x4x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: planes: there are no rows to prefetch}}
  %0 = pool.max_pool %x kernel [3] {pool.plan = #pool.plan<"planes", cut = "row", columns = 30, rows = 1, first_column = 0, prefetch = true>}
     : tensor<1x4x32xf32> -> tensor<1x4x30xf32>
  return
}

// -----

// van-herk

func.func @van_herk_channels_last(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: it is for buffers with the channels first}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x2x30x32xf32>
  return
}

// -----

func.func @van_herk_strides(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: it is for columns at stride 1}}
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x15x15xf32>
  return
}

// -----

func.func @van_herk_row_alone(%x: tensor<1x4x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: a row alone is no plane}}
  %0 = pool.max_pool %x kernel [3] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32xf32> -> tensor<1x4x30xf32>
  return
}

// -----

func.func @van_herk_long_columns(%x: tensor<1x1x4x2000xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: windows of 800 columns are no straight code}}
  %0 = pool.max_pool %x kernel [3, 800] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x1x4x2000xf32> -> tensor<1x1x2x1201xf32>
  return
}

// -----

func.func @van_herk_argmax(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: columns in registers have no argmax}}
  %0:2 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>, tensor<1x4x30x30xi64>
  return
}

// -----

func.func @van_herk_wide_sums(%x: tensor<1x4x32x32xi64>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: van-herk: sums are of 128 bits}}
  %0 = pool.avg_pool %x kernel [3, 3] {pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32x32xi64> -> tensor<1x4x30x30xi64>
  return
}

// -----

// Planes in a slice of a buffer are reduced in place. Outer dimensions are not.

func.func @van_herk_unpacked_volumes(%x: memref<1x2x8x32x32xf32, strided<[524288, 65536, 4096, 64, 1]>>, %out: memref<1x2x6x30x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: van-herk: buffers are not packed}}
  pool.window_reduce <max> ins(%x : memref<1x2x8x32x32xf32, strided<[524288, 65536, 4096, 64, 1]>>)
      outs(%out : memref<1x2x6x30x30xf32>) kernel [3, 3, 3] strides [1, 1, 1] dilations [1, 1, 1]
      pads_begin [0, 0, 0] pads_end [0, 0, 0] layout <channels_first> {pool.plan = #pool.plan<"van-herk", vectors = 2>}
  return
}

// -----

func.func @van_herk_uniform_sums(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.avg_pool' op cannot be lowered by pool.plan: van-herk: blocks add in an order that depends on the row}}
  %0 = pool.avg_pool %x kernel [3, 3] {pool.uniform_sums, pool.plan = #pool.plan<"van-herk", vectors = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @van_herk_otherwise(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"van-herk", vectors = 2, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @van_herk_no_vectors(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: vectors is 0, must be 1 to 1024}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"van-herk", vectors = 0>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

// Blocks are always as large as possible.

func.func @van_herk_block(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: van-herk: block is no parameter of it}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"van-herk", block = 3, vectors = 2>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

// buffered-planes

func.func @buffered_channels_last(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: it is for buffers with the channels first}}
  %0 = pool.max_pool %x kernel [3, 3] layout channels_last {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x2x30x32xf32>
  return
}

// -----

func.func @buffered_row_alone(%x: tensor<1x4x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: a row alone is no plane}}
  %0 = pool.max_pool %x kernel [3] {pool.plan = #pool.plan<"buffered-planes", block = 1, vectors = 1>}
     : tensor<1x4x32xf32> -> tensor<1x4x30xf32>
  return
}

// -----

func.func @buffered_long_stride(%x: tensor<1x4x32x4096xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: a stride of 1000 columns is no straight code}}
  %0 = pool.max_pool %x kernel [3, 2048] strides [1, 1000] {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
     : tensor<1x4x32x4096xf32> -> tensor<1x4x30x3xf32>
  return
}

// -----

func.func @buffered_unpacked_volumes(%x: memref<1x2x8x32x32xf32, strided<[524288, 65536, 4096, 64, 1]>>, %out: memref<1x2x6x30x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: buffered-planes: buffers are not packed}}
  pool.window_reduce <max> ins(%x : memref<1x2x8x32x32xf32, strided<[524288, 65536, 4096, 64, 1]>>)
      outs(%out : memref<1x2x6x30x30xf32>) kernel [3, 3, 3] strides [1, 1, 1] dilations [1, 1, 1]
      pads_begin [0, 0, 0] pads_end [0, 0, 0] layout <channels_first> {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
  return
}

// -----

// A stage across the lanes reads vectors of consecutive columns.

func.func @buffered_columns_apart(%x: memref<1x4x32x32xf32, strided<[16384, 4096, 128, 2]>>, %out: memref<1x4x30x30xf32>) {
  // expected-error@+1 {{'pool.window_reduce' op cannot be lowered by pool.plan: buffered-planes: the columns of a buffer are not consecutive in memory}}
  pool.window_reduce <max> ins(%x : memref<1x4x32x32xf32, strided<[16384, 4096, 128, 2]>>)
      outs(%out : memref<1x4x30x30xf32>) kernel [3, 3] strides [1, 1] dilations [1, 1] pads_begin [0, 0]
      pads_end [0, 0] layout <channels_first> {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
  return
}

// -----

func.func @buffered_otherwise(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: it is for all windows: fallback has no meaning}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1, fallback = #pool.plan<"direct", lanes = 4>>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @buffered_no_block(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: block is missing}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"buffered-planes", vectors = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @buffered_more_windows(%x: tensor<1x4x5x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: block is 3, must be 2 at most}}
  %0 = pool.max_pool %x kernel [4, 3] {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
     : tensor<1x4x5x32xf32> -> tensor<1x4x2x30xf32>
  return
}

// -----

func.func @buffered_more_windows_than_share(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: block is 4, must be 3 at most}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"buffered-planes", block = 4, vectors = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

// Rows of windows that lie apart are in several blocks: only every second of
// four windows may be in one.

func.func @buffered_rows_apart(%x: tensor<1x4x12x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: block is 3, must be 2 at most}}
  %0 = pool.max_pool %x kernel [5, 3] dilations [2, 1] {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 1>}
     : tensor<1x4x12x32xf32> -> tensor<1x4x4x30xf32>
  return
}

// -----

func.func @buffered_many_vectors(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: vectors is 17, must be 1 to 16}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"buffered-planes", block = 3, vectors = 17>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @buffered_unknown_parameter(%x: tensor<1x4x32x32xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: rows is no parameter of it}}
  %0 = pool.max_pool %x kernel [3, 3] {pool.plan = #pool.plan<"buffered-planes", block = 3, rows = 1, vectors = 1>}
     : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return
}

// -----

func.func @buffered_large_buffers(%x: tensor<1x1x200x100000xf32>) {
  // expected-error@+1 {{'pool.max_pool' op cannot be lowered by pool.plan: buffered-planes: the buffers of a block of 90 take about}}
  %0 = pool.max_pool %x kernel [90, 3] {pool.plan = #pool.plan<"buffered-planes", block = 90, vectors = 1>}
     : tensor<1x1x200x100000xf32> -> tensor<1x1x111x99998xf32>
  return
}
