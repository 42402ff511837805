// The arithmetic of adaptive pooling, which divides the input among a given
// number of outputs.
//
// Output `o` of `O` covers the positions [floor(o * I / O), ceil((o + 1) * I /
// O)) of an extent `I` (docs/Reference/Semantics.md, "Adaptive and global
// pooling"). The rules are 64-bit signed integer arithmetic without IR types,
// as in WindowRules.h. The second half repeats them over an extent that is
// known only at run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_ADAPTIVERULES_H
#define POOL_SUPPORT_ADAPTIVERULES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// A spatial dimension of known input extent. No window is empty, and every
/// window lies inside the input.
struct AdaptiveDim {
  int64_t input;
  int64_t output;

  /// Window `o` covers the positions [getStart(o), getEnd(o)).
  int64_t getStart(int64_t o) const;
  int64_t getEnd(int64_t o) const;
  int64_t getSize(int64_t o) const { return getEnd(o) - getStart(o); }
  /// Returns the size of the largest window.
  int64_t getMaxSize() const;
  /// True if the windows have one size and do not overlap: kernel and stride
  /// are `input / output`.
  bool isRegular() const { return input % output == 0; }
  /// True if the windows have one size and distance: the kernel is
  /// getMaxSize(), the stride `input / output`. Neighbours overlap by at most
  /// one position.
  bool hasStride() const {
    // Let q = input / output and r = input % output. Window o begins at
    // o * q + floor(o * r / output), which is o * q if r is 0 or 1.
    return isRegular() || (input > output && input % output == 1);
  }
};

/// Returns the dimension of `input` elements with `output` windows. Both must
/// be at least 1 (Adaptive.C3, Adaptive.C4), and their product must fit 64 bits
/// (Adaptive.C5).
RuleOr<AdaptiveDim> resolveAdaptiveDim(int64_t input, int64_t output);

/// Returns the input extents that resolveAdaptiveDim accepts, or an empty range
/// if `output` is below 1.
InputRange getAdaptiveInputRange(int64_t output);

/// AdaptiveDim with an input extent of type index.
struct SymbolicAdaptiveDim {
  OpFoldResult input;
  int64_t output;
  /// At least AdaptiveDim::getMaxSize(), and at most one more. Equal to it if
  /// the extent is known or there is one window.
  OpFoldResult maxSize;
  /// True if the size of every window is `maxSize`.
  bool isRegular;
};

SymbolicAdaptiveDim resolveAdaptiveDim(OpBuilder &b, Location loc,
                                       OpFoldResult input, int64_t output);

/// AdaptiveDim::getStart(o); an affine function of `o` if the extent is known.
OpFoldResult getStart(OpBuilder &b, Location loc,
                      const SymbolicAdaptiveDim &dim, OpFoldResult o);

/// AdaptiveDim::getSize(o).
OpFoldResult getSize(OpBuilder &b, Location loc, const SymbolicAdaptiveDim &dim,
                     OpFoldResult o);

} // namespace mlir::pool

#endif // POOL_SUPPORT_ADAPTIVERULES_H
