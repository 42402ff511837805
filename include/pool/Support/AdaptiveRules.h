// The arithmetic of adaptive pooling, which divides the input among a given
// number of outputs.
//
// Output `o` of `O` covers the positions [floor(o * I / O), ceil((o + 1) * I /
// O)) of an extent `I` (docs/Reference/Semantics.md, "Adaptive and global
// pooling"). AdaptiveDim has these rules as signed 64-bit integer arithmetic.
// SymbolicAdaptiveRules.h has the rules over extents that are known only at run
// time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_ADAPTIVERULES_H
#define POOL_SUPPORT_ADAPTIVERULES_H

#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// A spatial dimension of `input` elements that is divided among `output`
/// windows. No window is empty, and every window lies inside the input.
struct AdaptiveDim {
  int64_t input;
  int64_t output;

  /// Returns the first position of window `o`.
  int64_t getStart(int64_t o) const;
  /// Returns the position after the last one of window `o`.
  int64_t getEnd(int64_t o) const;
  int64_t getSize(int64_t o) const { return getEnd(o) - getStart(o); }
  /// Returns the size of the largest window.
  int64_t getMaxSize() const;
  /// True if all windows have the same size and do not overlap. Kernel and
  /// stride are then `input / output`.
  bool isRegular() const { return input % output == 0; }
  /// True if all windows have the same size, and all neighbours are the same
  /// distance apart. The kernel is then getMaxSize(), and the stride `input /
  /// output`. Neighbours overlap by at most one position.
  bool hasStride() const {
    // Let q = input / output and r = input % output. Window o begins at
    // o * q + floor(o * r / output), which is o * q if r is 0 or 1.
    return isRegular() || (input > output && input % output == 1);
  }
};

/// Returns the dimension of `input` elements with `output` windows. Returns a
/// violation if one of the two is below 1 (Adaptive.C3, Adaptive.C4), or their
/// product does not fit int64 (Adaptive.C5).
RuleOr<AdaptiveDim> resolveAdaptiveDim(int64_t input, int64_t output);

/// Returns the input extents that resolveAdaptiveDim accepts, or an empty range
/// if `output` is below 1.
InputRange getAdaptiveInputRange(int64_t output);

} // namespace mlir::pool

#endif // POOL_SUPPORT_ADAPTIVERULES_H
