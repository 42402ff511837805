// An independent implementation of docs/Reference/Semantics.md, "One
// dimension", to test WindowRules against.
//
// This implementation shares only the enumerations and the parameter structs
// with the rules. It lays out windows one after the other and looks at each
// position. This is slow, so it suits only small extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UNITTESTS_SUPPORT_NAIVEWINDOW_H
#define POOL_UNITTESTS_SUPPORT_NAIVEWINDOW_H

#include "pool/Support/WindowRules.h"

#include <limits>
#include <string>
#include <vector>

namespace mlir::pool::test {

inline constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
inline constexpr Divisor kDivisors[] = {Divisor::Valid, Divisor::Padded,
                                        Divisor::Kernel};

/// All 24 combinations of rounding, auto_pad and same_output.
std::vector<WindowModes> getAllModes();

/// Describes a parameter set, for a failed comparison.
std::string describe(const WindowDim &dim, const WindowModes &modes);

/// Windows of one dimension, laid out over an input.
class NaiveWindow {
public:
  NaiveWindow(int64_t input, const WindowDim &dim, const WindowModes &modes);

  /// False if the window does not fit; the functions below are then undefined.
  bool fits() const { return numOutputs > 0; }

  int64_t getNumOutputs() const { return numOutputs; }
  int64_t getPadBegin() const { return padBegin; }
  int64_t getPadEnd() const { return padEnd; }
  int64_t getOverhang() const;
  int64_t getCoveredEnd() const;

  /// Position of a window's tap relative to the input's first element.
  int64_t getPosition(int64_t o, int64_t tap) const;
  int64_t getCount(Divisor divisor, int64_t o) const;
  /// First tap of the window inside the input, or none.
  std::optional<int64_t> getFirstValidTap(int64_t o) const;
  std::optional<int64_t> getFirstEmptyWindow(Divisor divisor) const;
  /// True if a window has a position outside the input.
  bool coversPadding() const;

private:
  void layOutExplicit(RoundingType rounding);
  void layOutSame(bool upper, SameOutput sameOutput);
  bool isInside(int64_t position) const {
    return position >= 0 && position < input;
  }

  int64_t input, kernel, stride, dilation;
  /// Number of elements that a window spans, from its first to its last.
  int64_t extent;
  int64_t padBegin = 0, padEnd = 0;
  int64_t numOutputs = 0;
};

} // namespace mlir::pool::test

#endif // POOL_UNITTESTS_SUPPORT_NAIVEWINDOW_H
