// The arithmetic of adaptive pooling, where the number of outputs is given and
// the windows follow from it. Window `o` of `O` covers the positions
//
//   [floor(o * I / O), ceil((o + 1) * I / O))
//
// of `I` elements (docs/Reference/Semantics.md, "Adaptive and global pooling").
// For I = 7 and O = 3, with the windows drawn below the elements:
//
//   a b c d e f g
//   0 0 0
//       1 1 1
//           2 2 2
//
// AdaptiveDim computes with 64-bit integers. SymbolicAdaptiveRules.h has the
// same rules for extents that are known only at run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_ADAPTIVERULES_H
#define POOL_SUPPORT_ADAPTIVERULES_H

#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// A spatial dimension of `input` elements, which `output` windows cover.
/// Windows are never empty and lie inside the input. Neighboring windows may
/// overlap.
struct AdaptiveDim {
  int64_t input;
  int64_t output;

  /// Returns the first position of window `o`.
  int64_t getStart(int64_t o) const;
  /// Returns the position after the last position of window `o`.
  int64_t getEnd(int64_t o) const;
  int64_t getSize(int64_t o) const { return getEnd(o) - getStart(o); }
  /// Returns the size of the largest window.
  int64_t getMaxSize() const;
  /// True if all windows have the same size and do not overlap. The kernel and
  /// the stride are then both `input / output`.
  bool isRegular() const { return input % output == 0; }
  /// True if all windows have the same size and the same distance from their
  /// neighbors. The kernel is then getMaxSize(), and the stride is `input /
  /// output`. Neighbors overlap by at most one position.
  bool hasStride() const {
    // Let q = input / output and r = input % output. Window o begins at
    // o * q + floor(o * r / output), which is o * q if r is 0 or 1.
    return isRegular() || (input > output && input % output == 1);
  }
};

/// Returns the dimension of `input` elements with `output` windows. Returns a
/// violation if `output` or `input` is below 1 (Adaptive.C3, Adaptive.C4), or
/// if their product does not fit int64 (Adaptive.C5).
RuleOr<AdaptiveDim> resolveAdaptiveDim(int64_t input, int64_t output);

/// Returns the range of the input extents that resolveAdaptiveDim accepts. The
/// range is empty if `output` is below 1.
InputRange getAdaptiveInputRange(int64_t output);

} // namespace mlir::pool

#endif // POOL_SUPPORT_ADAPTIVERULES_H
