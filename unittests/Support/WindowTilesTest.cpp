// WindowTiles, for known extents: all tiles of many small dimensions. On its
// slice of the input, a tile of windows must see the same elements as its
// windows in the whole. A tile of a gradient is cut out of a larger part of the
// gradient. The part must have all windows that reach the tile, by the rule for
// one dimension. Then all tiles together give the whole.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/WindowTiles.h"
#include "NaiveWindow.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir::pool;
using namespace mlir::pool::test;
using llvm::formatv;

static constexpr int64_t kMaxExtent = 12;

/// Returns the position in the input of tap `tap` of window `o`.
static int64_t getPosition(const ResolvedDim &dim, int64_t o, int64_t tap) {
  return dim.getStart(o) + tap * dim.dilation;
}

/// Checks the tile of the windows [offset, offset + size). Returns the error,
/// or an empty string.
static std::string compareWindowTile(const ResolvedDim &dim, int64_t offset,
                                     int64_t size) {
  ResolvedWindowTile tile =
      getWindowTile({dim.kernel, dim.stride, dim.dilation, dim.padBegin},
                    dim.input, offset, size);
  if (tile.inputOffset < 0 || tile.inputSize < 1 || tile.padBegin < 0 ||
      tile.padEnd < 0 || tile.inputOffset + tile.inputSize > dim.input)
    return "the slice is not one of the input";
  int64_t covered =
      (size - 1) * dim.stride + (dim.kernel - 1) * dim.dilation + 1;
  if (covered > tile.padBegin + tile.inputSize + tile.padEnd)
    return "the windows do not fit";
  for (int64_t o = 0; o < size; ++o)
    for (int64_t tap = 0; tap < dim.kernel; ++tap) {
      int64_t whole = getPosition(dim, offset + o, tap);
      int64_t part = o * dim.stride - tile.padBegin + tap * dim.dilation;
      bool isInInput = whole >= 0 && whole < dim.input;
      bool isInSlice = part >= 0 && part < tile.inputSize;
      if (isInInput != isInSlice ||
          (isInSlice && tile.inputOffset + part != whole))
        return formatv("element {0} of window {1} is another", tap, o);
    }
  return "";
}

/// Checks the part of a gradient from which the tile [offset, offset + size) is
/// cut. Returns the error, or an empty string.
static std::string compareGradTile(const ResolvedDim &dim,
                                   const WindowDim &window,
                                   const WindowModes &modes, int64_t offset,
                                   int64_t size) {
  ResolvedGradTile tile =
      getGradTile(window, dim.input, dim.output, offset, size);
  if (tile.inputOffset < 0 || tile.inputOffset > offset ||
      tile.inputOffset + tile.inputSize < offset + size ||
      tile.inputOffset + tile.inputSize > dim.input || tile.firstWindow < 0 ||
      tile.firstWindow + tile.numWindows > dim.output)
    return "the part is none of the whole that has the tile";
  RuleOr<ResolvedDim> part = resolveDim(tile.inputSize, window, modes);
  if (!part || part->output != tile.numWindows)
    return "the rule gives the part other windows";
  for (int64_t o = 0; o < dim.output; ++o)
    for (int64_t tap = 0; tap < dim.kernel; ++tap) {
      int64_t whole = getPosition(dim, o, tap);
      if (whole < offset || whole >= offset + size)
        continue;
      int64_t window = o - tile.firstWindow;
      if (window < 0 || window >= tile.numWindows ||
          getPosition(*part, window, tap) + tile.inputOffset != whole)
        return formatv("element {0} of window {1} is not in the part", tap, o);
      for (Divisor divisor : kDivisors)
        if (getCount(dim, divisor, o) != getCount(*part, divisor, window))
          return formatv("window {0} counts otherwise in the part", o);
    }
  return "";
}

TEST(WindowTilesTest, AllTilesOfSmallDimensions) {
  int64_t numWindowTiles = 0, numGradTiles = 0;
  for (int64_t kernel = 1; kernel <= 4; ++kernel)
    for (int64_t stride = 1; stride <= 4; ++stride)
      for (int64_t dilation = 1; dilation <= 3; ++dilation)
        for (int64_t padBegin : {0, 1, 2, 5})
          for (int64_t padEnd : {0, 1, 3, 6})
            for (const WindowModes &modes : getAllModes())
              for (int64_t input = 1; input <= kMaxExtent; ++input) {
                WindowDim window{kernel, stride, dilation, padBegin, padEnd};
                RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
                if (!dim)
                  continue;
                for (int64_t offset = 0; offset < dim->output; ++offset)
                  for (int64_t size = 1; offset + size <= dim->output; ++size) {
                    ++numWindowTiles;
                    ASSERT_EQ(compareWindowTile(*dim, offset, size), "")
                        << describe(window, modes) << " of " << input
                        << ", windows from " << offset << ", " << size;
                  }
                // Automatic pads depend on the extent, so every part would have
                // other pads than the whole.
                if (modes.isSame())
                  continue;
                for (int64_t offset = 0; offset < input; ++offset)
                  for (int64_t size = 1; offset + size <= input; ++size) {
                    ++numGradTiles;
                    ASSERT_EQ(
                        compareGradTile(*dim, window, modes, offset, size), "")
                        << describe(window, modes) << " of " << input
                        << ", elements from " << offset << ", " << size;
                  }
              }
  EXPECT_GE(numWindowTiles, 1000000);
  EXPECT_GE(numGradTiles, 1000000);
}

TEST(WindowTilesTest, NothingOverflows) {
  // Windows of two elements that are kLarge apart. The input has kLarge
  // elements, and so has the padding before it.
  constexpr int64_t kLarge = kMax / 4;
  WindowDim window{2, 3, kLarge, kLarge, 0};
  RuleOr<ResolvedDim> dim = resolveDim(kLarge, window, {RoundingType::Ceil});
  ASSERT_TRUE(dim);
  int64_t last = dim->output - 1;
  ResolvedWindowTile tile = getWindowTile(window, kLarge, last, 1);
  EXPECT_LE(dim->getStart(last), 0);
  EXPECT_EQ(tile.padBegin, -dim->getStart(last));
  EXPECT_EQ(tile.inputOffset, 0);
  EXPECT_EQ(tile.inputSize + tile.padBegin + tile.padEnd, kLarge + 1);
  ResolvedGradTile part =
      getGradTile(window, kLarge, dim->output, kLarge - 1, 1);
  EXPECT_EQ(part.inputOffset + part.inputSize, kLarge);
  EXPECT_EQ(part.firstWindow + part.numWindows, dim->output);
}
