// pool-select-plan must choose the plan that was measured as the fastest for
// each of these operations. The planner once rejected it. Each comment says
// what the planner did not know.

// RUN: pool-opt %s --pool-select-plan=vector-bits=512 | FileCheck %s --check-prefixes=CHECK,V512
// RUN: pool-opt %s --pool-select-plan=vector-bits=256 | FileCheck %s --check-prefixes=CHECK,V256
// RUN: pool-opt %s --pool-select-plan=vector-bits=128 | FileCheck %s --check-prefixes=CHECK,V128

// Vectors of only padding cost nothing, so the code for a whole plane at once
// is short.
// CHECK-LABEL: func.func @padding_alone(
// CHECK:         pool.plan<"planes", columns = 3, cut = "row", first_column = 0, rows = 3>
func.func @padding_alone(%x: tensor<1x96x13x14xf64>)
    -> (tensor<1x96x3x3xf64>, tensor<1x96x3x3xi64>) {
  %y, %i = pool.max_pool %x kernel [13, 13] strides [4, 4]
      pads_begin [5, 5] pads_end [5, 5]
    : tensor<1x96x13x14xf64> -> tensor<1x96x3x3xf64>, tensor<1x96x3x3xi64>
  return %y, %i : tensor<1x96x3x3xf64>, tensor<1x96x3x3xi64>
}

// For dilated windows, each grid of rows carries its rows separately. This is
// faster even if registers spill.
// CHECK-LABEL: func.func @dilated(
// CHECK:         pool.plan<"planes", carry = true, columns = 31, cut = "row", first_column = 0, interleave = true, part_rows = 32, rows = 4>
func.func @dilated(%x: tensor<1x13x35x35xf32>) -> tensor<1x13x31x31xf32> {
  %y = pool.max_pool %x kernel [5, 5] dilations [2, 2] pads_begin [2, 2]
      pads_end [2, 2] : tensor<1x13x35x35xf32> -> tensor<1x13x31x31xf32>
  return %y : tensor<1x13x31x31xf32>
}

// Here windows share most of their elements. A plane is one group. For large
// windows, the code of such a group may be longer than usual.
// CHECK-LABEL: func.func @plane(
// V512:          pool.plan<"planes", columns = 20, cut = "row", first_column = -2, rows = 20>
// V256:          pool.plan<"planes", columns = 20, cut = "row", first_column = -2, rows = 4>
// V128:          pool.plan<"planes", columns = 20, cut = "row", first_column = 0, rows = 4>
func.func @plane(%x: tensor<1x512x20x20xf32>) -> tensor<1x512x20x20xf32> {
  %y = pool.max_pool %x kernel [5, 5] pads_begin [2, 2] pads_end [2, 2]
      : tensor<1x512x20x20xf32> -> tensor<1x512x20x20xf32>
  return %y : tensor<1x512x20x20xf32>
}

// CHECK-LABEL: func.func @plane_of_large_windows(
// CHECK:         pool.plan<"planes", columns = 20, cut = "row", first_column = {{[-0-9]+}}, rows = 20>
func.func @plane_of_large_windows(%x: tensor<1x512x20x20xf32>)
    -> tensor<1x512x20x20xf32> {
  %y = pool.max_pool %x kernel [13, 13] pads_begin [6, 6] pads_end [6, 6]
      : tensor<1x512x20x20xf32> -> tensor<1x512x20x20xf32>
  return %y : tensor<1x512x20x20xf32>
}

// Where extents are known, van Herk's loads take no time beside its other
// operations: rows of eight vectors take 0.92 of the time of planes.
// CHECK-LABEL: func.func @loads_beside(
// V128:          pool.plan<"van-herk", vectors = 8>
func.func @loads_beside(%x: tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32> {
  %y = pool.max_pool %x kernel [13, 13] pads_begin [6, 6] pads_end [6, 6]
      : tensor<1x32x32x32xf32> -> tensor<1x32x32x32xf32>
  return %y : tensor<1x32x32x32xf32>
}

// A grid with a single row has no rows to carry.
// CHECK-LABEL: func.func @short_grids(
// CHECK-NOT:     interleave
// CHECK:         return
func.func @short_grids(%x: tensor<1x4x12x24xf32>) -> tensor<1x4x12x24xf32> {
  %y = pool.max_pool %x kernel [3, 1] dilations [12, 1] pads_begin [12, 0]
      pads_end [12, 0] : tensor<1x4x12x24xf32> -> tensor<1x4x12x24xf32>
  return %y : tensor<1x4x12x24xf32>
}

// The plane has more rows than a group may have, even if the group's code is
// short.
// CHECK-LABEL: func.func @high_plane(
// CHECK:         pool.plan<"planes"
func.func @high_plane(%x: tensor<1x8x104x16xf32>) -> tensor<1x8x100x16xf32> {
  %y = pool.max_pool %x kernel [5, 1]
    : tensor<1x8x104x16xf32> -> tensor<1x8x100x16xf32>
  return %y : tensor<1x8x100x16xf32>
}

// The first group of a part must load all its rows. Three output rows make two
// groups, so carrying saves few loads.
// CHECK-LABEL: func.func @little_handed_on(
// CHECK:         pool.plan<"planes", columns = 3, cut = "row", first_column = 0, rows = 3>
func.func @little_handed_on(%x: tensor<1x83x14x14xf32>)
    -> tensor<1x83x3x3xf32> {
  %y = pool.lp_pool %x kernel [7, 7] strides [4, 4] pads_begin [2, 2]
      pads_end [2, 2] : tensor<1x83x14x14xf32> -> tensor<1x83x3x3xf32>
  return %y : tensor<1x83x3x3xf32>
}

// A row of 14 vectors is not cut into strips.
// CHECK-LABEL: func.func @stem(
// CHECK:         pool.plan<"planes", carry = true, columns = 56, cut = "row"
func.func @stem(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %y = pool.max_pool %x kernel [3, 3] strides [2, 2] pads_begin [1, 1]
      pads_end [1, 1] : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}

// A part of a block has the same number of bytes, whatever the length of
// vectors.
// CHECK-LABEL: func.func @blocks(
// V512:          pool.plan<"van-herk", vectors = 64>
// V256:          pool.plan<"van-herk", vectors = 128>
// V128:          pool.plan<"van-herk", vectors = 256>
func.func @blocks(%x: tensor<1x8x512x2048xf32>) -> tensor<1x8x512x2048xf32> {
  %y = pool.max_pool %x kernel [31, 31] pads_begin [15, 15] pads_end [15, 15]
    : tensor<1x8x512x2048xf32> -> tensor<1x8x512x2048xf32>
  return %y : tensor<1x8x512x2048xf32>
}

// Stores of vectors shorter than a cache line are non-temporal, too.
// CHECK-LABEL: func.func @streamed(
// CHECK:         pool.plan<"planes", {{.*}}prefetch = true, rows = 1, stream = true>
func.func @streamed(%x: tensor<16x64x224x224xf32>)
    -> tensor<16x64x112x112xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
    : tensor<16x64x224x224xf32> -> tensor<16x64x112x112xf32>
  return %y : tensor<16x64x112x112xf32>
}

// Groups that share elements square each element once. Loops over taps would
// square it once for each tap.
// CHECK-LABEL: func.func @shared_squares(
// V256:          pool.plan<"channels", columns = 2, loops = "none", rows = 9, vectors = 1>
// V128:          pool.plan<"channels", columns = 2, loops = "none", rows = 9, vectors = 1>
func.func @shared_squares(%x: tensor<1x28x29x167xf32>)
    -> tensor<1x9x9x167xf32> {
  %y = pool.lp_pool %x kernel [7, 7] strides [3, 3] pads_begin [2, 2]
      pads_end [2, 2] layout channels_last
      : tensor<1x28x29x167xf32> -> tensor<1x9x9x167xf32>
  return %y : tensor<1x9x9x167xf32>
}

// Loops over taps took 187 us with vectors of 256 bits. Reducing one dimension
// after the other takes 27 us.
// CHECK-LABEL: func.func @maxima_of_channels(
// CHECK:         pool.plan<"staged", block = 4, vectors = 8>
func.func @maxima_of_channels(%x: tensor<1x20x22x512xf32>)
    -> tensor<1x8x9x512xf32> {
  %y = pool.max_pool %x kernel [13, 13] strides [2, 2] pads_begin [4, 4]
      pads_end [4, 4] layout channels_last
      : tensor<1x20x22x512xf32> -> tensor<1x8x9x512xf32>
  return %y : tensor<1x8x9x512xf32>
}
