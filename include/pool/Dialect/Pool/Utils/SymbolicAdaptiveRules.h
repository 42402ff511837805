// Computes the start and size of adaptive windows, as AdaptiveRules.h does, for
// an input extent that may be known only at run time. Known results are
// attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_SYMBOLICADAPTIVERULES_H
#define POOL_DIALECT_POOL_UTILS_SYMBOLICADAPTIVERULES_H

#include "pool/Dialect/Pool/Utils/AffineBuilder.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// The same dimension as an AdaptiveDim, but the input extent is an index value
/// or an attribute.
struct SymbolicAdaptiveDim {
  OpFoldResult input;
  int64_t output;
  /// Upper bound of the size of a window. If the extent is known or there is
  /// only one window, it equals AdaptiveDim::getMaxSize(). Otherwise it may be
  /// larger by one.
  OpFoldResult maxSize;
  /// True if it is known that all windows have the size `maxSize` and do not
  /// overlap.
  bool isRegular;
};

/// Returns the dimension of `input` elements with `output` windows. Requires
/// that resolveAdaptiveDim of AdaptiveRules.h accepts these numbers.
SymbolicAdaptiveDim resolveAdaptiveDim(OpBuilder &b, Location loc,
                                       OpFoldResult input, int64_t output);

/// Returns the first position of window `o` (AdaptiveDim::getStart). If the
/// input extent is known, the position is an affine function of `o`.
OpFoldResult getStart(const AffineBuilder &a, const SymbolicAdaptiveDim &dim,
                      OpFoldResult o);

/// Returns the number of positions of window `o` (AdaptiveDim::getSize).
OpFoldResult getSize(const AffineBuilder &a, const SymbolicAdaptiveDim &dim,
                     OpFoldResult o);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_SYMBOLICADAPTIVERULES_H
