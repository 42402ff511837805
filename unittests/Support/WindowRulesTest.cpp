// WindowRules, from which verifier and lowerings get extents and counts, must
// agree with windows that are laid out and counted one by one, for every
// combination of small parameters.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NaiveWindow.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <functional>

using namespace mlir::pool;
using namespace mlir::pool::test;

/// Calls `visit` for every combination of small parameters until `visit`
/// returns false. Returns the number of calls.
static int64_t visitGrid(
    const std::vector<WindowModes> &allModes,
    const std::function<bool(int64_t, const WindowDim &, const WindowModes &)>
        &visit) {
  int64_t numVisited = 0;
  for (const WindowModes &modes : allModes)
    for (int64_t input = 1; input <= 12; ++input)
      for (int64_t kernel = 1; kernel <= 5; ++kernel)
        for (int64_t stride = 1; stride <= 4; ++stride)
          for (int64_t dilation = 1; dilation <= 3; ++dilation)
            for (int64_t padBegin = 0; padBegin <= 3; ++padBegin)
              for (int64_t padEnd = 0; padEnd <= 3; ++padEnd) {
                ++numVisited;
                if (!visit(input, {kernel, stride, dilation, padBegin, padEnd},
                           modes))
                  return numVisited;
              }
  return numVisited;
}

static constexpr int64_t kGridSize = int64_t(24) * 12 * 5 * 4 * 3 * 4 * 4;

/// Compares resolveDim with NaiveWindow. Returns the difference, or an empty
/// string.
static std::string compareExtents(int64_t input, const WindowDim &window,
                                  const WindowModes &modes) {
  NaiveWindow naive(input, window, modes);
  RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
  if (!naive.fits()) {
    if (dim)
      return "accepted";
    return dim.violation() == RuleViolation::WindowExceedsInput ||
                   dim.violation() == RuleViolation::OutputBelowOne
               ? ""
               : "refused for another reason";
  }
  if (!dim)
    return "refused";
  if (dim->output != naive.getNumOutputs())
    return llvm::formatv("{0} outputs, not {1}", dim->output,
                         naive.getNumOutputs());
  if (dim->padBegin != naive.getPadBegin() || dim->padEnd != naive.getPadEnd())
    return llvm::formatv("pads {0} and {1}, not {2} and {3}", dim->padBegin,
                         dim->padEnd, naive.getPadBegin(), naive.getPadEnd());
  if (dim->overhang != naive.getOverhang())
    return llvm::formatv("overhang {0}, not {1}", dim->overhang,
                         naive.getOverhang());
  if (dim->getCoveredEnd() != naive.getCoveredEnd())
    return llvm::formatv("covered end {0}, not {1}", dim->getCoveredEnd(),
                         naive.getCoveredEnd());
  if (dim->input != input || dim->kernel != window.kernel ||
      dim->stride != window.stride || dim->dilation != window.dilation)
    return "parameters are not passed on";
  return "";
}

static std::string compareWindows(const ResolvedDim &dim,
                                  const NaiveWindow &naive) {
  for (int64_t o = 0; o < dim.output; ++o) {
    if (dim.getStart(o) != naive.getPosition(o, 0))
      return llvm::formatv("window {0} starts at {1}", o, dim.getStart(o));
    TapRange taps = getValidTaps(dim, o);
    if (taps.size() != naive.getCount(Divisor::Valid, o))
      return llvm::formatv("window {0} has {1} valid taps", o, taps.size());
    std::optional<int64_t> firstTap = naive.getFirstValidTap(o);
    if (firstTap && taps.begin != *firstTap)
      return llvm::formatv("first valid tap of window {0} is {1}, not {2}", o,
                           taps.begin, *firstTap);
    for (Divisor divisor : kDivisors)
      if (getCount(dim, divisor, o) != naive.getCount(divisor, o))
        return llvm::formatv("{0} count of window {1} is {2}, not {3}",
                             stringifyDivisor(divisor), o,
                             getCount(dim, divisor, o),
                             naive.getCount(divisor, o));
  }
  for (Divisor divisor : kDivisors)
    if (getFirstEmptyWindow(dim, divisor) != naive.getFirstEmptyWindow(divisor))
      return llvm::formatv("first empty window under {0}",
                           stringifyDivisor(divisor));
  return "";
}

/// Checks that getExplicitPads gives the same windows with rounding floor.
/// Counts must be the same too, except under the divisor `padded` if
/// `countsPadding` is false. Returns the error, or an empty string.
static std::string compareExplicitPads(const ResolvedDim &dim,
                                       const NaiveWindow &naive) {
  for (bool countsPadding : {false, true}) {
    auto pads = getExplicitPads(dim, countsPadding);
    if (!pads) {
      if (countsPadding && dim.overhang > 0)
        continue;
      return "no explicit pads";
    }
    if (countsPadding && dim.overhang > 0)
      return "explicit pads for an overhang that must not be counted";
    WindowDim window{dim.kernel, dim.stride, dim.dilation, pads->first,
                     pads->second};
    NaiveWindow same(dim.input, window, WindowModes());
    if (same.getNumOutputs() != naive.getNumOutputs() ||
        same.getPadBegin() != naive.getPadBegin())
      return llvm::formatv("explicit pads {0} and {1} give {2} outputs",
                           pads->first, pads->second, same.getNumOutputs());
    for (int64_t o = 0; o < dim.output; ++o)
      for (Divisor divisor : kDivisors) {
        if (divisor == Divisor::Padded && !countsPadding)
          continue;
        if (same.getCount(divisor, o) != naive.getCount(divisor, o))
          return llvm::formatv("explicit pads {0} and {1} change the {2} count "
                               "of window {3}",
                               pads->first, pads->second,
                               stringifyDivisor(divisor), o);
      }
  }
  return "";
}

TEST(WindowRulesTest, ExtentsAgreeWithEnumeration) {
  int64_t numAccepted = 0;
  int64_t numVisited =
      visitGrid(getAllModes(), [&](int64_t input, const WindowDim &window,
                                   const WindowModes &modes) {
        std::string difference = compareExtents(input, window, modes);
        EXPECT_EQ(difference, "")
            << "input " << input << " " << describe(window, modes);
        numAccepted += NaiveWindow(input, window, modes).fits();
        return difference.empty();
      });
  EXPECT_EQ(numVisited, kGridSize);
  EXPECT_GE(numAccepted, 100000);
}

TEST(WindowRulesTest, WindowsAgreeWithEnumeration) {
  int64_t numVisited =
      visitGrid(getAllModes(), [&](int64_t input, const WindowDim &window,
                                   const WindowModes &modes) {
        RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
        if (!dim)
          return true;
        std::string difference =
            compareWindows(*dim, NaiveWindow(input, window, modes));
        EXPECT_EQ(difference, "")
            << "input " << input << " " << describe(window, modes);
        return difference.empty();
      });
  EXPECT_EQ(numVisited, kGridSize);
}

TEST(WindowRulesTest, ExplicitPadsAreExact) {
  int64_t numVisited =
      visitGrid(getAllModes(), [&](int64_t input, const WindowDim &window,
                                   const WindowModes &modes) {
        RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
        if (!dim)
          return true;
        std::string difference =
            compareExplicitPads(*dim, NaiveWindow(input, window, modes));
        EXPECT_EQ(difference, "")
            << "input " << input << " " << describe(window, modes);
        return difference.empty();
      });
  EXPECT_EQ(numVisited, kGridSize);
}

TEST(WindowRulesTest, InputRangeIsTheAcceptedExtents) {
  // Windows span up to 13 elements, so many windows do not fit the first of
  // these extents, 1 to 24.
  for (const WindowModes &modes : getAllModes())
    for (int64_t kernel = 1; kernel <= 5; ++kernel)
      for (int64_t stride = 1; stride <= 4; ++stride)
        for (int64_t pad = 0; pad <= 3; ++pad) {
          WindowDim window{kernel, stride, /*dilation=*/3, pad, /*padEnd=*/2};
          InputRange range = getInputRange(window, modes);
          for (int64_t input = 1; input <= 24; ++input)
            ASSERT_EQ(input >= range.min && input <= range.max,
                      NaiveWindow(input, window, modes).fits())
                << "input " << input << " " << describe(window, modes);
        }
}

TEST(WindowRulesTest, EmptyWindowsOfSparseTapsAgreeWithEnumeration) {
  // With dilations above the input extent, windows may miss the input.
  for (int64_t input = 1; input <= 9; ++input)
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t dilation = 1; dilation <= 14; ++dilation)
        for (int64_t stride = 1; stride <= 16; ++stride)
          for (int64_t padBegin : {0, 1, 2, 5, 13, 29})
            for (int64_t padEnd : {0, 3, 7, 40, 160}) {
              WindowDim window{kernel, stride, dilation, padBegin, padEnd};
              RuleOr<ResolvedDim> dim =
                  resolveDim(input, window, {RoundingType::Ceil});
              if (!dim)
                continue;
              NaiveWindow naive(input, window, {RoundingType::Ceil});
              for (Divisor divisor : kDivisors)
                ASSERT_EQ(getFirstEmptyWindow(*dim, divisor),
                          naive.getFirstEmptyWindow(divisor))
                    << "input " << input << " "
                    << describe(window, {RoundingType::Ceil});
            }
}

//===----------------------------------------------------------------------===//
// Violations
//===----------------------------------------------------------------------===//

TEST(WindowRulesTest, ViolationsAreNamed) {
  struct Case {
    int64_t input;
    WindowDim dim;
    WindowModes modes;
    RuleViolation violation;
  };
  const WindowModes floor, ceil{RoundingType::Ceil},
      ceilTorch{RoundingType::CeilTorch},
      valid{RoundingType::Floor, AutoPad::Valid},
      same{RoundingType::Floor, AutoPad::SameUpper};
  const Case cases[] = {
      {8, {0, 1, 1, 0, 0}, floor, RuleViolation::KernelBelowOne},
      {8, {-3, 1, 1, 0, 0}, same, RuleViolation::KernelBelowOne},
      {8, {2, 0, 1, 0, 0}, floor, RuleViolation::StrideBelowOne},
      {8, {2, -1, 1, 0, 0}, same, RuleViolation::StrideBelowOne},
      {8, {2, 1, 0, 0, 0}, floor, RuleViolation::DilationBelowOne},
      {8, {1, 1, -1, 0, 0}, same, RuleViolation::DilationBelowOne},
      {8, {2, 1, 1, -1, 0}, floor, RuleViolation::NegativePad},
      {8, {2, 1, 1, 0, -1}, floor, RuleViolation::NegativePad},
      // Pads are verified even if auto_pad ignores them.
      {8, {2, 1, 1, -1, 0}, valid, RuleViolation::NegativePad},
      {8, {2, 1, 1, 0, -1}, same, RuleViolation::NegativePad},
      {0, {1, 1, 1, 0, 0}, floor, RuleViolation::InputBelowOne},
      {0, {1, 1, 1, 1, 1}, floor, RuleViolation::InputBelowOne},
      {-1, {1, 1, 1, 0, 0}, same, RuleViolation::InputBelowOne},
      {4, {5, 1, 1, 0, 0}, floor, RuleViolation::WindowExceedsInput},
      {4, {3, 1, 2, 0, 0}, floor, RuleViolation::WindowExceedsInput},
      {4, {7, 3, 1, 1, 1}, ceil, RuleViolation::WindowExceedsInput},
      // `valid` ignores the pads, with which the window would fit.
      {4, {5, 1, 1, 1, 1}, valid, RuleViolation::WindowExceedsInput},
      // ceil((4 - 6) / 2) + 1 is 0. With stride 3, below, it is 1.
      {4, {6, 2, 1, 0, 0}, ceilTorch, RuleViolation::OutputBelowOne},
  };
  for (const Case &c : cases) {
    RuleOr<ResolvedDim> dim = resolveDim(c.input, c.dim, c.modes);
    SCOPED_TRACE(describe(c.dim, c.modes));
    ASSERT_FALSE(dim);
    EXPECT_EQ(dim.violation(), c.violation);
  }
  RuleOr<ResolvedDim> dim = resolveDim(4, {6, 3, 1, 0, 0}, ceilTorch);
  ASSERT_TRUE(dim);
  EXPECT_EQ(dim->output, 1);
  EXPECT_EQ(dim->overhang, 2);
}

TEST(WindowRulesTest, ChecksOfTheWindowAlone) {
  EXPECT_EQ(checkDim({1, 1, 1, 0, 0}), std::nullopt);
  EXPECT_EQ(checkDim({9, 7, 5, 3, 1}), std::nullopt);
  EXPECT_EQ(checkDim({0, 1, 1, 0, 0}), RuleViolation::KernelBelowOne);
  EXPECT_EQ(checkDim({1, 0, 1, 0, 0}), RuleViolation::StrideBelowOne);
  EXPECT_EQ(checkDim({1, 1, 0, 0, 0}), RuleViolation::DilationBelowOne);
  EXPECT_EQ(checkDim({1, 1, 1, -1, 0}), RuleViolation::NegativePad);
  EXPECT_EQ(checkDim({1, 1, 1, 0, -1}), RuleViolation::NegativePad);
  // If the window itself is invalid, no extent is accepted.
  for (WindowDim dim : {WindowDim{0, 1, 1, 0, 0}, WindowDim{1, 0, 1, 0, 0},
                        WindowDim{1, 1, 0, 0, 0}, WindowDim{1, 1, 1, -1, 0}}) {
    InputRange range = getInputRange(dim, WindowModes());
    EXPECT_GT(range.min, range.max);
  }
}

//===----------------------------------------------------------------------===//
// Examples of docs/Reference/Semantics.md
//===----------------------------------------------------------------------===//

static std::vector<int64_t> getCounts(const ResolvedDim &dim, Divisor divisor) {
  std::vector<int64_t> counts;
  for (int64_t o = 0; o < dim.output; ++o)
    counts.push_back(getCount(dim, divisor, o));
  return counts;
}

TEST(WindowRulesTest, CeilTorchDropsTheWindowInPaddingOnly) {
  WindowDim window{2, 2, 1, 1, 1};
  EXPECT_EQ(resolveDim(5, window, {RoundingType::Ceil})->output, 4);
  EXPECT_EQ(resolveDim(5, window, {RoundingType::CeilTorch})->output, 3);
}

TEST(WindowRulesTest, OverhangIsNotPadding) {
  // 1..6 with kernel 3, stride 2, pads 1, ceil: the last window has one padding
  // position and one of overhang.
  ResolvedDim dim = *resolveDim(6, {3, 2, 1, 1, 1}, {RoundingType::Ceil});
  EXPECT_EQ(dim.output, 4);
  EXPECT_EQ(dim.overhang, 1);
  EXPECT_EQ(getCounts(dim, Divisor::Valid), (std::vector<int64_t>{2, 3, 3, 1}));
  EXPECT_EQ(getCounts(dim, Divisor::Padded),
            (std::vector<int64_t>{3, 3, 3, 2}));
  EXPECT_EQ(getCounts(dim, Divisor::Kernel),
            (std::vector<int64_t>{3, 3, 3, 3}));
  EXPECT_EQ(getExplicitPads(dim, /*countsPadding=*/true), std::nullopt);
  EXPECT_EQ(getExplicitPads(dim, /*countsPadding=*/false),
            std::make_pair(int64_t(1), int64_t(2)));
}

TEST(WindowRulesTest, PaddedUnderCeilCanCountNothing) {
  ResolvedDim dim = *resolveDim(2, {1, 3, 1, 0, 0}, {RoundingType::Ceil});
  EXPECT_EQ(dim.output, 2);
  EXPECT_EQ(getFirstEmptyWindow(dim, Divisor::Valid), 1);
  EXPECT_EQ(getFirstEmptyWindow(dim, Divisor::Padded), 1);
  EXPECT_EQ(getFirstEmptyWindow(dim, Divisor::Kernel), std::nullopt);
}

TEST(WindowRulesTest, SamePadsAreNeverNegative) {
  // Kernel 1, stride 3 on 5: windows start at 0 and 3.
  WindowModes modes{RoundingType::Floor, AutoPad::SameUpper,
                    SameOutput::Strided};
  ResolvedDim dim = *resolveDim(5, {1, 3, 1, 0, 0}, modes);
  EXPECT_EQ(dim.output, 2);
  EXPECT_EQ(dim.padBegin, 0);
  EXPECT_EQ(dim.padEnd, 0);
  // Kernel 1, stride 2 on 6: ceil(6 / 2) for every rounding.
  modes.rounding = RoundingType::Ceil;
  EXPECT_EQ(resolveDim(6, {1, 2, 1, 0, 0}, modes)->output, 3);
}

//===----------------------------------------------------------------------===//
// Window parameters of an operation
//===----------------------------------------------------------------------===//

TEST(WindowRulesTest, AbsentListsHoldDefaults) {
  const int64_t kernel[] = {3, 2}, strides[] = {2, 1};
  WindowAttrs window;
  window.kernel = kernel;
  window.strides = strides;
  EXPECT_EQ(window.getNumSpatialDims(), 2u);
  EXPECT_EQ(window.getRank(), 4u);
  WindowDim dim = window.getDim(0);
  EXPECT_EQ(dim.kernel, 3);
  EXPECT_EQ(dim.stride, 2);
  EXPECT_EQ(dim.dilation, 1);
  EXPECT_EQ(dim.padBegin, 0);
  EXPECT_EQ(dim.padEnd, 0);

  EXPECT_EQ(window.getChannelDim(), 1u);
  EXPECT_EQ(window.getSpatialDim(0), 2u);
  EXPECT_EQ(window.getSpatialDim(1), 3u);
  window.layout = Layout::ChannelsLast;
  EXPECT_EQ(window.getChannelDim(), 3u);
  EXPECT_EQ(window.getSpatialDim(0), 1u);
  EXPECT_EQ(window.getSpatialDim(1), 2u);
}

/// Compares getPadBounds with the pads of one extent. Returns the difference,
/// or an empty string.
static std::string compareBounds(const PadBounds &bounds,
                                 const ResolvedDim &dim) {
  int64_t begin = dim.padBegin, end = dim.getCoveredEnd();
  if (bounds.padBegin.value_or(begin) != begin ||
      bounds.coveredEnd.value_or(end) != end)
    return llvm::formatv("pads are {0} and {1}", begin, end);
  if (bounds.mostBegin.value_or(begin) < begin ||
      bounds.mostEnd.value_or(end) < end)
    return llvm::formatv("pads of {0} and {1} exceed the bounds", begin, end);
  if (!bounds.coversPadding && (begin != 0 || end != 0))
    return "windows cover padding";
  return "";
}

TEST(WindowRulesTest, PadBoundsHoldForEveryExtent) {
  int64_t numVisited =
      visitGrid(getAllModes(), [&](int64_t input, const WindowDim &window,
                                   const WindowModes &modes) {
        RuleOr<ResolvedDim> dim = resolveDim(input, window, modes);
        std::string difference =
            dim ? compareBounds(getPadBounds(window, modes), *dim) : "";
        EXPECT_EQ(difference, "")
            << "input " << input << " " << describe(window, modes);
        return difference.empty();
      });
  EXPECT_EQ(numVisited, kGridSize);
}
