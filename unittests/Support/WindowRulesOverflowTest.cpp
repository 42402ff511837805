// WindowRules at the limits of 64-bit integers: overflow is rejected, all other
// results are exact, and no run time is proportional to an extent.
//
// Extents are too large to enumerate, so the reference computes the formulas of
// docs/Reference/Semantics.md in 128 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NaiveWindow.h"

#include "gtest/gtest.h"

#include <limits>
#include <random>

using namespace mlir::pool;
using namespace mlir::pool::test;

__extension__ typedef __int128 Wide;

static bool fits(Wide value) {
  return value >= -Wide(kMax) - 1 && value <= kMax;
}

static Wide divideFloor(Wide a, Wide b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}
static Wide divideCeil(Wide a, Wide b) { return -divideFloor(-a, b); }

namespace {
struct WideDim {
  bool accepted = false;
  Wide output = 0, padBegin = 0, padEnd = 0, overhang = 0, coveredEnd = 0;
};
} // namespace

/// Computes the table of docs/Reference/Semantics.md by its formulas. `dim` has
/// kernel, stride and dilation >= 1 and pads >= 0.
static WideDim resolveWide(int64_t input, const WindowDim &dim,
                           const WindowModes &modes) {
  WideDim result;
  Wide extent = Wide(dim.kernel - 1) * dim.dilation + 1;
  if (!fits(extent) || input < 1)
    return result;
  if (modes.isSame()) {
    result.output = modes.sameOutput == SameOutput::Input
                        ? Wide(input)
                        : divideCeil(input, dim.stride);
    Wide covered = (result.output - 1) * dim.stride + extent;
    Wide total = std::max<Wide>(0, covered - input);
    Wide less = total / 2, more = total - total / 2;
    bool upper = modes.autoPad == AutoPad::SameUpper;
    result.padBegin = upper ? less : more;
    result.padEnd = upper ? more : less;
    result.coveredEnd = std::max<Wide>(0, covered - result.padBegin - input);
    result.accepted = fits(covered);
    return result;
  }
  if (modes.autoPad == AutoPad::Explicit) {
    result.padBegin = dim.padBegin;
    result.padEnd = dim.padEnd;
  }
  Wide padded = Wide(input) + result.padBegin + result.padEnd;
  if (!fits(padded))
    return result;
  Wide up = divideCeil(padded - extent, dim.stride) + 1;
  switch (modes.rounding) {
  case RoundingType::Floor:
    result.output = divideFloor(padded - extent, dim.stride) + 1;
    break;
  case RoundingType::Ceil:
    result.output = extent > padded ? 0 : up;
    break;
  case RoundingType::CeilTorch:
    result.output = up;
    break;
  }
  if (result.output < 1 || !fits((result.output - 1) * dim.stride + extent))
    return result;
  if (modes.rounding == RoundingType::CeilTorch &&
      (result.output - 1) * dim.stride >= input + result.padBegin)
    --result.output;
  Wide end = (result.output - 1) * dim.stride + extent;
  result.overhang = std::max<Wide>(0, end - padded);
  result.coveredEnd = std::max<Wide>(0, end - result.padBegin - input);
  result.accepted = true;
  return result;
}

static Wide countWide(const ResolvedDim &dim, Divisor divisor, int64_t o) {
  if (divisor == Divisor::Kernel)
    return dim.kernel;
  bool padded = divisor == Divisor::Padded;
  Wide start = Wide(o) * dim.stride - dim.padBegin;
  Wide first = padded ? -Wide(dim.padBegin) : 0;
  Wide last = Wide(dim.input) + (padded ? dim.padEnd : 0) - 1;
  Wide firstTap = std::max<Wide>(0, divideCeil(first - start, dim.dilation));
  Wide lastTap =
      std::min<Wide>(dim.kernel - 1, divideFloor(last - start, dim.dilation));
  return std::max<Wide>(0, lastTap - firstTap + 1);
}

/// Returns six of the windows [0, end): the first, the middle, the last, and
/// three random ones. A window may occur twice. Returns none if `end` is 0.
static std::vector<int64_t> sampleWindows(int64_t end,
                                          std::mt19937_64 &random) {
  std::vector<int64_t> windows;
  if (end < 1)
    return windows;
  windows = {0, end / 2, end - 1};
  for (int i = 0; i < 3; ++i)
    windows.push_back(
        std::uniform_int_distribution<int64_t>(0, end - 1)(random));
  return windows;
}

/// Checks resolveDim, getCount, getFirstEmptyWindow and the outputs that
/// getExplicitPads gives, for one input extent. Returns true if all are right.
static bool agrees(int64_t input, const WindowDim &window,
                   const WindowModes &modes, std::mt19937_64 &random) {
  WideDim wide = resolveWide(input, window, modes);
  RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
  if (bool(dim) != wide.accepted)
    return false;
  if (!dim)
    return true;
  if (dim->output != wide.output || dim->padBegin != wide.padBegin ||
      dim->padEnd != wide.padEnd || dim->overhang != wide.overhang ||
      dim->getCoveredEnd() != wide.coveredEnd)
    return false;

  for (Divisor divisor : {Divisor::Valid, Divisor::Padded, Divisor::Kernel}) {
    for (int64_t o : sampleWindows(dim->output, random))
      if (getCount(*dim, divisor, o) != countWide(*dim, divisor, o))
        return false;
    std::optional<int64_t> empty = getFirstEmptyWindow(*dim, divisor);
    if (empty && (*empty < 0 || *empty >= dim->output ||
                  countWide(*dim, divisor, *empty) != 0))
      return false;
    for (int64_t o : sampleWindows(empty.value_or(dim->output), random))
      if (countWide(*dim, divisor, o) == 0)
        return false;
  }
  for (bool countsPadding : {false, true}) {
    auto pads = getExplicitPads(*dim, countsPadding);
    if (!pads)
      continue;
    RuleOr<ResolvedDim> same =
        resolveDim(input,
                   {window.kernel, window.stride, window.dilation, pads->first,
                    pads->second},
                   WindowModes());
    if (!same || same->output != dim->output)
      return false;
  }
  return true;
}

static constexpr int64_t kFactors[] = {1,
                                       2,
                                       3,
                                       1000,
                                       int64_t(1) << 31,
                                       (int64_t(1) << 32) + 1,
                                       int64_t(1) << 62,
                                       kMax / 2,
                                       kMax - 1,
                                       kMax};
static constexpr int64_t kPads[] = {0, 1, int64_t(1) << 62, kMax - 1, kMax};

TEST(WindowRulesOverflowTest, InputRangeIsExactAtItsBounds) {
  std::mt19937_64 random(20);
  int64_t numCompared = 0, numEmpty = 0;
  for (const WindowModes &modes : getAllModes())
    for (int64_t kernel : kFactors)
      for (int64_t stride : kFactors)
        for (int64_t dilation : kFactors)
          for (int64_t padBegin : kPads)
            for (int64_t padEnd : kPads) {
              WindowDim window{kernel, stride, dilation, padBegin, padEnd};
              InputRange range = getInputRange(window, modes);
              std::vector<int64_t> inputs = {1, 2, int64_t(1) << 62, kMax - 1,
                                             kMax};
              if (range.min <= range.max) {
                ASSERT_GE(range.min, 1) << describe(window, modes);
                inputs.insert(inputs.end(),
                              {range.min - 1, range.min,
                               range.min + (range.max - range.min) / 2,
                               range.max});
                if (range.max < kMax)
                  inputs.push_back(range.max + 1);
              } else {
                ++numEmpty;
              }
              for (int64_t input : inputs) {
                ++numCompared;
                ASSERT_TRUE(agrees(input, window, modes, random))
                    << "input " << input << " " << describe(window, modes);
                ASSERT_EQ(bool(resolveDim(input, window, modes)),
                          input >= range.min && input <= range.max)
                    << "input " << input << " in [" << range.min << ", "
                    << range.max << "] " << describe(window, modes);
              }
            }
  EXPECT_GT(numCompared, 3000000);
  EXPECT_GT(numEmpty, 1000);
}

TEST(WindowRulesOverflowTest, WhatLeavesInt64IsNamed) {
  const WindowModes floor, ceil{RoundingType::Ceil},
      same{RoundingType::Floor, AutoPad::SameUpper, SameOutput::Input};
  auto getViolation = [](int64_t input, WindowDim dim, WindowModes modes) {
    RuleOr<ResolvedDim> resolved = resolveDim(input, dim, modes);
    EXPECT_FALSE(resolved);
    return resolved ? RuleViolation::KernelBelowOne : resolved.violation();
  };
  // The extent of the window overflows.
  EXPECT_EQ(checkDim({kMax, 1, 2, 0, 0}), RuleViolation::Overflow);
  EXPECT_FALSE(getWindowExtent({kMax, 1, 2, 0, 0}));
  EXPECT_EQ(getViolation(8, {3, 1, kMax, 0, 0}, floor),
            RuleViolation::Overflow);
  // The largest window extent.
  ASSERT_TRUE(getWindowExtent({2, 1, kMax - 1, 0, 0}));
  EXPECT_EQ(*getWindowExtent({2, 1, kMax - 1, 0, 0}), kMax);
  EXPECT_EQ(*getWindowExtent({kMax, 1, 1, 0, 0}), kMax);
  EXPECT_EQ(resolveDim(kMax, {kMax, 1, 1, 0, 0}, floor)->output, 1);
  EXPECT_EQ(resolveDim(kMax, {1, 1, 1, 0, 0}, floor)->output, kMax);
  // The padded input overflows.
  EXPECT_EQ(getViolation(kMax, {1, 1, 1, 1, 0}, floor),
            RuleViolation::Overflow);
  EXPECT_EQ(getViolation(1, {1, 1, 1, kMax, kMax}, floor),
            RuleViolation::Overflow);
  // The end of the last window overflows.
  EXPECT_EQ(getViolation(kMax, {2, kMax - 1, 1, 0, 0}, ceil),
            RuleViolation::Overflow);
  EXPECT_EQ(getViolation(kMax, {2, 1, 1, 0, 0}, same), RuleViolation::Overflow);
  EXPECT_EQ(getViolation(3, {1, kMax, 1, 0, 0}, same), RuleViolation::Overflow);
}

TEST(WindowRulesOverflowTest, FirstEmptyWindowTakesNoTime) {
  // Windows of two elements, kMax / 4 apart, over an input of three. The
  // windows start in the begin padding and mostly have no element in the input.
  // The first window has an element at 0, the second has none.
  int64_t quarter = kMax / 4;
  RuleOr<ResolvedDim> dim =
      resolveDim(3, {2, 5, quarter, quarter, quarter}, WindowModes());
  ASSERT_TRUE(dim);
  EXPECT_EQ(getFirstEmptyWindow(*dim, Divisor::Valid), 1);
  EXPECT_EQ(getFirstEmptyWindow(*dim, Divisor::Padded), std::nullopt);

  // With stride equal to dilation, all taps lie at multiples of `quarter`. Both
  // windows have a tap at 0, so none is empty.
  dim = resolveDim(quarter - 1, {2, quarter, quarter, quarter, quarter},
                   WindowModes());
  ASSERT_TRUE(dim);
  EXPECT_EQ(getFirstEmptyWindow(*dim, Divisor::Valid), std::nullopt);

  // Windows of one element, a stride apart. The first empty window lies beyond
  // an input of nearly 2^62 elements.
  int64_t input = (int64_t(1) << 62) - 7;
  dim = resolveDim(input, {1, 3, 1, 0, int64_t(1) << 61}, WindowModes());
  ASSERT_TRUE(dim);
  EXPECT_EQ(getFirstEmptyWindow(*dim, Divisor::Valid), (input + 2) / 3);
}

TEST(WindowRulesOverflowTest, EmptyWindowsOfRandomSparseTaps) {
  // Strides and dilations are large enough for several steps of Euclid's
  // algorithm, and small enough to enumerate all windows.
  std::mt19937_64 random(3);
  auto draw = [&](int64_t min, int64_t max) {
    return std::uniform_int_distribution<int64_t>(min, max)(random);
  };
  int64_t numEmpty = 0;
  for (int i = 0; i < 50000; ++i) {
    int64_t dilation = draw(1, 200);
    int64_t input = draw(1, 220);
    WindowDim window{draw(1, 5), draw(1, i % 2 ? 260 : 20), dilation,
                     draw(0, 1000), draw(0, 1000)};
    WindowModes modes{RoundingType::Ceil};
    RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
    NaiveWindow naive(input, window, modes);
    ASSERT_EQ(bool(dim), naive.fits());
    if (!dim)
      continue;
    for (Divisor divisor : {Divisor::Valid, Divisor::Padded}) {
      std::optional<int64_t> empty = naive.getFirstEmptyWindow(divisor);
      numEmpty += empty.has_value();
      ASSERT_EQ(getFirstEmptyWindow(*dim, divisor), empty)
          << "input " << input << " " << describe(window, modes);
    }
  }
  EXPECT_GT(numEmpty, 20000);
}

TEST(WindowRulesOverflowTest, Products) {
  EXPECT_EQ(getProduct({}), 1);
  EXPECT_EQ(getProduct({7}), 7);
  EXPECT_EQ(getProduct({2, 3, 5}), 30);
  EXPECT_EQ(getProduct({kMax}), kMax);
  EXPECT_EQ(getProduct({kMax, 1, 1}), kMax);
  EXPECT_EQ(getProduct({kMax, 2}), std::nullopt);
  EXPECT_EQ(getProduct({kMax, kMax, kMax, kMax}), std::nullopt);
  int64_t root = int64_t(1) << 31;
  EXPECT_EQ(getProduct({root, root}), int64_t(1) << 62);
  EXPECT_EQ(getProduct({root, root, 2}), std::nullopt);
  // 7 * 7 * 73 * 127 * 337 * 92737 * 649657 is 2^63 - 1.
  EXPECT_EQ(getProduct({7, 7, 73, 127, 337, 92737, 649657}), kMax);
  // A factor of 0 gives 0, however large the rest.
  EXPECT_EQ(getProduct({0}), 0);
  EXPECT_EQ(getProduct({kMax, kMax, 0}), 0);
  EXPECT_EQ(getProduct({0, kMax, kMax}), 0);
}
