// The plans that pool-select-plan writes for windows. Each strategy has a case
// in which it is the cheapest, with the usual cost weights or with others.
// convert-pool-to-vector must give the same code with and without this pass.

// RUN: pool-opt %s --pool-select-plan --split-input-file | FileCheck %s
// RUN: pool-opt %s --pool-select-plan=vector-bits=128 --split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: pool-opt %s --pool-select-plan="target=x86_64-linux-gnu mcpu=x86-64 mattr=+avx2" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=EIGHT
// RUN: pool-opt %s --convert-pool-to-vector --split-input-file > %t.alone
// RUN: pool-opt %s --pool-select-plan --split-input-file -o %t.planned
// RUN: pool-opt %t.planned --convert-pool-to-vector --split-input-file | diff %t.alone -
// RUN: pool-opt %t.alone --pool-select-plan --split-input-file | diff %t.alone -

// The window is the whole plane.

// CHECK-LABEL: func.func @global(
// CHECK:         {pool.plan = #pool.plan<"global", code = "straight">}
func.func @global(%x: tensor<2x64x7x7xf32>) -> tensor<2x64x1x1xf32> {
  %0 = pool.avg_pool %x kernel [7, 7] : tensor<2x64x7x7xf32> -> tensor<2x64x1x1xf32>
  return %0 : tensor<2x64x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @global_loop(
// CHECK:         {pool.plan = #pool.plan<"global", code = "loop">}
func.func @global_loop(%x: tensor<2x64x56x56xf32>) -> tensor<2x64x1x1xf32> {
  %0 = pool.max_pool %x kernel [56, 56] : tensor<2x64x56x56xf32> -> tensor<2x64x1x1xf32>
  return %0 : tensor<2x64x1x1xf32>
}

// -----

// Whether the window is the whole plane is known only at run time. The second
// operation can never be such global pooling.

// CHECK-LABEL: func.func @global_dynamic(
// CHECK:         {pool.plan = #pool.plan<"global", code = "straight", fallback =
// CHECK-SAME:      #pool.plan<"planes",{{.*}} cut = "narrow", fallback =
// CHECK-SAME:      #pool.plan<"planes",{{.*}} cut = "strips",
func.func @global_dynamic(%x: tensor<?x64x?x?xf32>) -> tensor<?x64x?x?xf32> {
  %0 = pool.avg_pool %x kernel [7, 7] : tensor<?x64x?x?xf32> -> tensor<?x64x?x?xf32>
  return %0 : tensor<?x64x?x?xf32>
}

// -----

// Large windows and planes of unknown size. The planner assumes that a plane is
// as high as wide. So a group has equal numbers of rows and columns, or fewer
// rows if its code would be too long. For at most 16 columns, it assumes no
// height.

// CHECK-LABEL: func.func @large_dynamic(
// CHECK:         {pool.plan = #pool.plan<"planes", columns = 16, cut = "narrow", fallback =
// CHECK-SAME:      #pool.plan<"planes", columns = 20, cut = "narrow", fallback =
// CHECK-SAME:      #pool.plan<"planes", columns = 52, cut = "narrow", fallback =
// CHECK-SAME:      #pool.plan<"van-herk", vectors = 64>, rows = 9>, rows = 20>, rows = 13>}
func.func @large_dynamic(%x: tensor<?x64x?x?xf32>) -> tensor<?x64x?x?xf32> {
  %0 = pool.max_pool %x kernel [13, 13] pads_begin [6, 6] pads_end [6, 6]
     : tensor<?x64x?x?xf32> -> tensor<?x64x?x?xf32>
  return %0 : tensor<?x64x?x?xf32>
}

// -----

// Rows of known width are not cut, and groups carry rows.

// CHECK-LABEL: func.func @row(
// CHECK:         {pool.plan = #pool.plan<"planes", carry = true, columns = 55, cut = "row", first_column = 0, part_rows = 55, rows = 1>}
func.func @row(%x: tensor<1x64x111x111xf32>) -> tensor<1x64x55x55xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2]
     : tensor<1x64x111x111xf32> -> tensor<1x64x55x55xf32>
  return %0 : tensor<1x64x55x55xf32>
}

// -----

// CHECK-LABEL: func.func @carry(
// CHECK:         {pool.plan = #pool.plan<"planes", carry = true, columns = 56, cut = "row", first_column = 0, part_rows = 56, rows = 2>}
func.func @carry(%x: tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.avg_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x64x56x56xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// -----

// Wider rows are cut into strips.

// CHECK-LABEL: func.func @wide(
// CHECK:         {pool.plan = #pool.plan<"planes", columns = 64, cut = "strips", rows = 2>}
func.func @wide(%x: tensor<1x1x64x1000xf32>) -> tensor<1x1x63x999xf32> {
  %0 = pool.max_pool %x kernel [2, 2] : tensor<1x1x64x1000xf32> -> tensor<1x1x63x999xf32>
  return %0 : tensor<1x1x63x999xf32>
}

// -----

// The result exceeds the caches, so stores are non-temporal.

// CHECK-LABEL: func.func @stream(
// CHECK:         {pool.plan = #pool.plan<"planes", columns = 56, cut = "row", first_column = 0, prefetch = true, rows = 1, stream = true>}
func.func @stream(%x: tensor<64x64x112x112xf32>) -> tensor<64x64x56x56xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<64x64x112x112xf32> -> tensor<64x64x56x56xf32>
  return %0 : tensor<64x64x56x56xf32>
}

// -----

// Carried rows that are short are not prefetched.

// CHECK-LABEL: func.func @stream_short_rows(
// CHECK:         {pool.plan = #pool.plan<"planes", carry = true, columns = 56, cut = "row", first_column = 0, part_rows = 56, rows = 1, stream = true>}
func.func @stream_short_rows(%x: tensor<64x64x112x112xf32>) -> tensor<64x64x56x56xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<64x64x112x112xf32> -> tensor<64x64x56x56xf32>
  return %0 : tensor<64x64x56x56xf32>
}

// -----

// Rows of unknown width: there is code for narrow rows, and strips for wider
// ones.

// CHECK-LABEL: func.func @dynamic(
// CHECK:         {pool.plan = #pool.plan<"planes", carry = true, columns = 15, cut = "narrow", fallback =
// CHECK-SAME:      #pool.plan<"planes",{{.*}} cut = "narrow", fallback =
// CHECK-SAME:      #pool.plan<"planes",{{.*}} cut = "strips",
func.func @dynamic(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_van_herk(
// CHECK:         {pool.plan = #pool.plan<"global", code = "straight", fallback =
// CHECK-SAME:      #pool.plan<"planes",{{.*}} cut = "narrow",
// CHECK-SAME:      #pool.plan<"van-herk", vectors = 64>
func.func @dynamic_van_herk(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = pool.max_pool %x kernel [17, 17] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

// Windows of many rows with stride 1 suit van Herk's blocks.

// CHECK-LABEL: func.func @van_herk(
// CHECK:         {pool.plan = #pool.plan<"van-herk", vectors = 30>}
func.func @van_herk(%x: tensor<1x8x128x512xf32>) -> tensor<1x8x96x480xf32> {
  %0 = pool.max_pool %x kernel [33, 33] : tensor<1x8x128x512xf32> -> tensor<1x8x96x480xf32>
  return %0 : tensor<1x8x96x480xf32>
}

// -----

// The windows are too large for straight code in both dimensions. With a stride,
// columns are reduced by passes.

// CHECK-LABEL: func.func @strided_columns(
// CHECK:         {pool.plan = #pool.plan<"buffered-planes", block = 25, vectors = 4>}
func.func @strided_columns(%x: tensor<1x8x200x200xf32>) -> tensor<1x8x75x75xf32> {
  %0 = pool.max_pool %x kernel [51, 51] strides [2, 2] : tensor<1x8x200x200xf32> -> tensor<1x8x75x75xf32>
  return %0 : tensor<1x8x75x75xf32>
}

// -----

// A single row that is longer than the first-level cache is reduced in parts.
// So is a row of unknown length.

// CHECK-LABEL: func.func @long_row(
// CHECK:         {pool.plan = #pool.plan<"staged", block = 1, parts = true, vectors = 4>}
func.func @long_row(%x: tensor<1x8x16000xf32>) -> tensor<1x8x1590xf32> {
  %0 = pool.max_pool %x kernel [101] strides [10] : tensor<1x8x16000xf32> -> tensor<1x8x1590xf32>
  return %0 : tensor<1x8x1590xf32>
}

// -----

// CHECK-LABEL: func.func @row_of_unknown_length(
// CHECK:         #pool.plan<"staged", block = 1, parts = true, vectors = 4>
func.func @row_of_unknown_length(%x: tensor<1x8x?xf32>) -> tensor<1x8x?xf32> {
  %0 = pool.max_pool %x kernel [101] strides [10] : tensor<1x8x?xf32> -> tensor<1x8x?xf32>
  return %0 : tensor<1x8x?xf32>
}

// -----

// CHECK-LABEL: func.func @short_row(
// CHECK:         {pool.plan = #pool.plan<"staged", block = 1, vectors = 4>}
func.func @short_row(%x: tensor<1x8x1600xf32>) -> tensor<1x8x150xf32> {
  %0 = pool.max_pool %x kernel [101] strides [10] : tensor<1x8x1600xf32> -> tensor<1x8x150xf32>
  return %0 : tensor<1x8x150xf32>
}

// -----

// Windows do not overlap. So their rows are read as whole vectors.

// CHECK-LABEL: func.func @merged(
// CHECK:         {pool.plan = #pool.plan<"merged">}
func.func @merged(%x: tensor<1x8x128x128xf32>) -> tensor<1x8x16x16xf32> {
  %0 = pool.max_pool %x kernel [8, 8] strides [8, 8] : tensor<1x8x128x128xf32> -> tensor<1x8x16x16xf32>
  return %0 : tensor<1x8x16x16xf32>
}

// -----

// Columns have a stride and a dilation.

// CHECK-LABEL: func.func @buffered(
// CHECK:         {pool.plan = #pool.plan<"buffered-planes", block = 25, vectors = 4>}
func.func @buffered(%x: tensor<1x8x200x200xf32>) -> tensor<1x8x75x75xf32> {
  %0 = pool.max_pool %x kernel [51, 26] strides [2, 2] dilations [1, 2]
     : tensor<1x8x200x200xf32> -> tensor<1x8x75x75xf32>
  return %0 : tensor<1x8x75x75xf32>
}

// -----

// The straight code of these windows is too long for many columns or rows, but
// not for few of them.

// CHECK-LABEL: func.func @fewer_rows(
// CHECK:         {pool.plan = #pool.plan<"planes", columns = 29, cut = "row", first_column = 0, rows = 3>}
func.func @fewer_rows(%x: tensor<1x8x128x128xf32>) -> tensor<1x8x29x29xf32> {
  %0 = pool.max_pool %x kernel [16, 16] strides [4, 4] : tensor<1x8x128x128xf32> -> tensor<1x8x29x29xf32>
  return %0 : tensor<1x8x29x29xf32>
}

// -----

// CHECK-LABEL: func.func @fewer_columns(
// CHECK:         {pool.plan = #pool.plan<"planes", columns = 32, cut = "strips", rows = 4>}
func.func @fewer_columns(%x: tensor<1x8x512x512xf32>) -> (tensor<1x8x169x169xf32>, tensor<1x8x169x169xi64>) {
  %v, %i = pool.max_pool %x kernel [7, 7] strides [3, 3] axis 2
    : tensor<1x8x512x512xf32> -> tensor<1x8x169x169xf32>, tensor<1x8x169x169xi64>
  return %v, %i : tensor<1x8x169x169xf32>, tensor<1x8x169x169xi64>
}

// -----

// A block has windows that share rows: 60 rows are 12 strides of five. Equal
// blocks of 40 windows have ten.

// CHECK-LABEL: func.func @buffered_strided_rows(
// CHECK:         {pool.plan = #pool.plan<"buffered-planes", block = 10, vectors = 4>}
func.func @buffered_strided_rows(%x: tensor<1x8x256x225xf32>) -> tensor<1x8x40x97xf32> {
  %0 = pool.max_pool %x kernel [60, 17] strides [5, 2] dilations [1, 2]
     : tensor<1x8x256x225xf32> -> tensor<1x8x40x97xf32>
  return %0 : tensor<1x8x40x97xf32>
}

// -----

// Lanes are channels.

// CHECK-LABEL: func.func @few_channels(
// CHECK:         {pool.plan = #pool.plan<"few-channels", columns = 4>}
func.func @few_channels(%x: tensor<1x32x32x3xf32>) -> tensor<1x31x31x3xf32> {
  %0 = pool.max_pool %x kernel [2, 2] layout channels_last : tensor<1x32x32x3xf32> -> tensor<1x31x31x3xf32>
  return %0 : tensor<1x31x31x3xf32>
}

// -----

// CHECK-LABEL: func.func @channels(
// CHECK:         {pool.plan = #pool.plan<"channels", columns = 4, loops = "none", rows = 4, vectors = 1>}
func.func @channels(%x: tensor<1x32x32x64xf32>) -> tensor<1x31x31x64xf32> {
  %0 = pool.max_pool %x kernel [2, 2] layout channels_last : tensor<1x32x32x64xf32> -> tensor<1x31x31x64xf32>
  return %0 : tensor<1x31x31x64xf32>
}

// -----

// Data beyond the caches is prefetched and stored non-temporally.

// CHECK-LABEL: func.func @channels_of_batch(
// CHECK:         {pool.plan = #pool.plan<"channels", {{.*}}, prefetch = true, rows = {{[0-9]+}}, stream = true, vectors = {{[0-9]+}}>}
func.func @channels_of_batch(%x: tensor<16x112x112x64xf32>) -> tensor<16x56x56x64xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [2, 2] layout channels_last : tensor<16x112x112x64xf32> -> tensor<16x56x56x64xf32>
  return %0 : tensor<16x56x56x64xf32>
}

// -----

// Neighbouring columns are one page (512 x 8 bytes) apart, so they share a set
// of the first-level cache. Therefore the plan loops over taps, which reads
// consecutive channels.

// CHECK-LABEL: func.func @channels_apart(
// CHECK:         {pool.plan = #pool.plan<"channels", columns = 1, loops = "all", rows = 1, vectors = 8>}
func.func @channels_apart(%x: tensor<1x16x18x512xf64>) -> tensor<1x7x8x512xf64> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] layout channels_last : tensor<1x16x18x512xf64> -> tensor<1x7x8x512xf64>
  return %0 : tensor<1x7x8x512xf64>
}

// -----

// Almost the same extents as in @channels_apart, but columns do not share a set
// of the cache.

// CHECK-LABEL: func.func @channels_not_apart(
// CHECK:         {pool.plan = #pool.plan<"channels", columns = {{.*}}, loops = "none",
func.func @channels_not_apart(%x: tensor<1x16x18x504xf64>) -> tensor<1x7x8x504xf64> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] layout channels_last : tensor<1x16x18x504xf64> -> tensor<1x7x8x504xf64>
  return %0 : tensor<1x7x8x504xf64>
}

// -----

// A small plane is one group, so no rows are carried.

// CHECK-LABEL: func.func @small_plane(
// CHECK:         {pool.plan = #pool.plan<"planes", columns = 6, cut = "row", first_column = 0, rows = 6>}
func.func @small_plane(%x: tensor<1x256x13x13xf32>) -> tensor<1x256x6x6xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] : tensor<1x256x13x13xf32> -> tensor<1x256x6x6xf32>
  return %0 : tensor<1x256x6x6xf32>
}

// -----

// With uniform sums, the order depends only on the kernel. So blocks of rows
// are not allowed.

// CHECK-LABEL: func.func @channels_rows(
// CHECK:         {pool.plan = #pool.plan<"channels", columns = 9, loops = "rows", rows = 1, vectors = 1>,
func.func @channels_rows(%x: tensor<1x?x64x64xf32>) -> tensor<1x?x26x64xf32> {
  %0 = pool.avg_pool %x kernel [40, 20] dilations [1, 2] layout channels_last {pool.uniform_sums}
     : tensor<1x?x64x64xf32> -> tensor<1x?x26x64xf32>
  return %0 : tensor<1x?x26x64xf32>
}

// Blocks are for any number of rows.

// CHECK-LABEL: func.func @staged_unknown_rows(
// CHECK:         {pool.plan = #pool.plan<"staged", block = 40, vectors = 8>}
func.func @staged_unknown_rows(%x: tensor<1x?x64x64xf32>) -> tensor<1x?x25x64xf32> {
  %0 = pool.max_pool %x kernel [40, 40] layout channels_last
     : tensor<1x?x64x64xf32> -> tensor<1x?x25x64xf32>
  return %0 : tensor<1x?x25x64xf32>
}

// The padding of "same" is less than a window, whatever the extents and the
// stride, so every window has an element to choose.

// CHECK-LABEL: func.func @same_padding(
// CHECK:         {pool.plan = #pool.plan<"channels", columns = {{[0-9]+}}, loops = "none",
func.func @same_padding(%x: tensor<1x?x?x64xf32>) -> (tensor<1x?x?x64xf32>, tensor<1x?x?x64xi64>) {
  %0, %1 = pool.max_pool %x kernel [3, 3] strides [2, 2] auto_pad same_upper same_output strided
     layout channels_last
     : tensor<1x?x?x64xf32> -> tensor<1x?x?x64xf32>, tensor<1x?x?x64xi64>
  return %0, %1 : tensor<1x?x?x64xf32>, tensor<1x?x?x64xi64>
}

// -----

// The cost of van Herk's blocks does not grow with the windows. The 64 outputs
// are two blocks of the same size.

// CHECK-LABEL: func.func @staged(
// CHECK:         {pool.plan = #pool.plan<"staged", block = 32, vectors = 8>}
func.func @staged(%x: tensor<1x64x64x64xf32>) -> tensor<1x64x64x64xf32> {
  %0 = pool.max_pool %x kernel [63, 63] pads_begin [31, 31] pads_end [31, 31] layout channels_last
     : tensor<1x64x64x64xf32> -> tensor<1x64x64x64xf32>
  return %0 : tensor<1x64x64x64xf32>
}

// -----

// Large windows of three channels took 289 us with several columns in a vector.
// Reducing one dimension after the other takes 77 us.

// CHECK-LABEL: func.func @staged_few_channels(
// CHECK:         {pool.plan = #pool.plan<"staged", block = 14, vectors = 8>}
func.func @staged_few_channels(%x: tensor<1x224x224x3xf32>) -> tensor<1x224x224x3xf32> {
  %0 = pool.max_pool %x kernel [15, 15] pads_begin [7, 7] pads_end [7, 7] layout channels_last
     : tensor<1x224x224x3xf32> -> tensor<1x224x224x3xf32>
  return %0 : tensor<1x224x224x3xf32>
}

// -----

// Outer dimensions and indices make straight code more expensive than stages.
// Columns in registers have no indices.

// CHECK-LABEL: func.func @volumes(
// CHECK:         {pool.plan = #pool.plan<"van-herk", vectors = 2>}
func.func @volumes(%x: tensor<1x16x32x32x32xf32>) -> tensor<1x16x32x32x32xf32> {
  %0 = pool.max_pool %x kernel [9, 9, 9] pads_begin [4, 4, 4] pads_end [4, 4, 4]
     : tensor<1x16x32x32x32xf32> -> tensor<1x16x32x32x32xf32>
  return %0 : tensor<1x16x32x32x32xf32>
}

// CHECK-LABEL: func.func @buffered_indices(
// CHECK:         {pool.plan = #pool.plan<"buffered-planes", block = 13, vectors = 4>}
func.func @buffered_indices(%x: tensor<1x64x64x64xf32>)
    -> (tensor<1x64x64x64xf32>, tensor<1x64x64x64xi64>) {
  %0, %1 = pool.max_pool %x kernel [15, 15] pads_begin [7, 7] pads_end [7, 7]
     : tensor<1x64x64x64xf32> -> tensor<1x64x64x64xf32>, tensor<1x64x64x64xi64>
  return %0, %1 : tensor<1x64x64x64xf32>, tensor<1x64x64x64xi64>
}

// -----

// Blocks of equal size are best: 961 outputs are 31 blocks of 31 rows. A block
// may have up to 40 rows, but larger blocks than 31 would leave a smaller last
// one.

// CHECK-LABEL: func.func @staged_of_long_rows(
// CHECK:         {pool.plan = #pool.plan<"staged", block = 31, vectors = 8>}
func.func @staged_of_long_rows(%x: tensor<1x1000x1000x64xf32>) -> tensor<1x961x961x64xf32> {
  %0 = pool.max_pool %x kernel [40, 40] layout channels_last
     : tensor<1x1000x1000x64xf32> -> tensor<1x961x961x64xf32>
  return %0 : tensor<1x961x961x64xf32>
}

// -----

// CHECK-LABEL: func.func @channels_all(
// CHECK:         {pool.plan = #pool.plan<"channels", columns = 1, loops = "all", rows = 1, vectors = 4>}
func.func @channels_all(%x: tensor<1x64x64x64xf32>) -> tensor<1x1x1x64xf32> {
  %0 = pool.max_pool %x kernel [64, 64] layout channels_last : tensor<1x64x64x64xf32> -> tensor<1x1x1x64xf32>
  return %0 : tensor<1x1x1x64xf32>
}

// -----

// An operation that fits no other strategy.

// CHECK-LABEL: func.func @direct(
// CHECK:         {pool.plan = #pool.plan<"direct", lanes = 16>}
// FOUR-LABEL:  func.func @direct(
// FOUR:          {pool.plan = #pool.plan<"direct", lanes = 4>}
// EIGHT-LABEL: func.func @direct(
// EIGHT:         {pool.plan = #pool.plan<"direct", lanes = 8>}
func.func @direct(%x: tensor<1x4x?x?xi32>) -> (tensor<1x4x?x?xi32>, tensor<1x4x?x?xi64>) {
  %0, %1 = pool.max_pool %x kernel [3, 3] strides [1, 1000] dilations [2, 2] pads_begin [2, 2] pads_end [2, 2]
     : tensor<1x4x?x?xi32> -> tensor<1x4x?x?xi32>, tensor<1x4x?x?xi64>
  return %0, %1 : tensor<1x4x?x?xi32>, tensor<1x4x?x?xi64>
}

// -----

// AVX2 has 16 registers. A row of 15 vectors is carried, but four rows of three
// vectors are loaded again.

// EIGHT-LABEL: func.func @carried(
// EIGHT:         {pool.plan = #pool.plan<"planes", carry = true, columns = 56, cut = "row",
func.func @carried(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %0 = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1]
     : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// -----

// EIGHT-LABEL: func.func @loaded_again(
// EIGHT:         {pool.plan = #pool.plan<"planes", columns = 20, cut = "row",
func.func @loaded_again(%x: tensor<1x512x20x20xf32>) -> tensor<1x512x20x20xf32> {
  %0 = pool.max_pool %x kernel [5, 5] pads_begin [2, 2] pads_end [2, 2]
     : tensor<1x512x20x20xf32> -> tensor<1x512x20x20xf32>
  return %0 : tensor<1x512x20x20xf32>
}
