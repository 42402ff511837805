// The arithmetic of adaptive pooling, whose windows share the input among a
// given number of outputs.
//
// Output `o` of `O` covers the positions [floor(o * I / O), ceil((o + 1) * I /
// O)) of an extent `I` (docs/Reference/Semantics.md, "Adaptive and global pooling"). The
// rules are 64-bit signed integer arithmetic without IR types, as in
// WindowRules.h, and the same again over an extent that only run time knows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_ADAPTIVERULES_H
#define POOL_SUPPORT_ADAPTIVERULES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// A spatial dimension whose input extent is known. No window is empty, and
/// every one lies inside the input.
struct AdaptiveDim {
  int64_t input;
  int64_t output;

  /// Window `o` covers the positions [getStart(o), getEnd(o)).
  int64_t getStart(int64_t o) const;
  int64_t getEnd(int64_t o) const;
  int64_t getSize(int64_t o) const { return getEnd(o) - getStart(o); }
  /// The size of the largest window.
  int64_t getMaxSize() const;
  /// True if the windows have one size and do not overlap: those of a kernel
  /// and stride of `input / output`.
  bool isRegular() const { return input % output == 0; }
  /// True if the windows have one size and are equally far apart: those of a
  /// kernel of getMaxSize() and a stride of `input / output`. They overlap by
  /// one position, or not at all.
  bool hasStride() const {
    // With I = q * O + r, window o begins at o * q + floor(o * r / O).
    return isRegular() || (input > output && input % output == 1);
  }
};

/// The dimension of `input` elements that `output` windows share: both at least
/// 1 (Adaptive.C3, Adaptive.C4), and their product a 64-bit integer
/// (Adaptive.C5).
RuleOr<AdaptiveDim> resolveAdaptiveDim(int64_t input, int64_t output);

/// The input extents that resolveAdaptiveDim accepts; empty if `output` is
/// below 1.
InputRange getAdaptiveInputRange(int64_t output);

/// AdaptiveDim with an input extent of type index.
struct SymbolicAdaptiveDim {
  OpFoldResult input;
  int64_t output;
  /// At least AdaptiveDim::getMaxSize(), at most one more, and that size where
  /// the extent is known or there is one window.
  OpFoldResult maxSize;
  /// True if all windows have `maxSize`.
  bool isRegular;
};

SymbolicAdaptiveDim resolveAdaptiveDim(OpBuilder &b, Location loc,
                                       OpFoldResult input, int64_t output);

/// AdaptiveDim::getStart(o), as an affine function where the extent is known.
OpFoldResult getStart(OpBuilder &b, Location loc,
                      const SymbolicAdaptiveDim &dim, OpFoldResult o);

/// AdaptiveDim::getSize(o).
OpFoldResult getSize(OpBuilder &b, Location loc, const SymbolicAdaptiveDim &dim,
                     OpFoldResult o);

} // namespace mlir::pool

#endif // POOL_SUPPORT_ADAPTIVERULES_H
