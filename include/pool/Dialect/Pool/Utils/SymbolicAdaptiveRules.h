// The rules of AdaptiveRules.h over an input extent that may be known only at
// run time. The functions build index values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_SYMBOLICADAPTIVERULES_H
#define POOL_DIALECT_POOL_UTILS_SYMBOLICADAPTIVERULES_H

#include "pool/Dialect/Pool/Utils/AffineBuilder.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// AdaptiveDim over an input extent that is an index value or attribute.
struct SymbolicAdaptiveDim {
  OpFoldResult input;
  int64_t output;
  /// Upper bound of the sizes of windows. It equals AdaptiveDim::getMaxSize()
  /// if the extent is known or there is one window; else it may be larger by
  /// one.
  OpFoldResult maxSize;
  /// True if all windows are known to have the size `maxSize` and not to
  /// overlap.
  bool isRegular;
};

/// Returns the dimension of `input` elements with `output` windows. Requires
/// that resolveAdaptiveDim above accepts them.
SymbolicAdaptiveDim resolveAdaptiveDim(OpBuilder &b, Location loc,
                                       OpFoldResult input, int64_t output);

/// Builds AdaptiveDim::getStart(o). If the extent is known, it is an affine
/// function of `o`.
OpFoldResult getStart(const AffineBuilder &a, const SymbolicAdaptiveDim &dim,
                      OpFoldResult o);

/// Builds AdaptiveDim::getSize(o).
OpFoldResult getSize(const AffineBuilder &a, const SymbolicAdaptiveDim &dim,
                     OpFoldResult o);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_SYMBOLICADAPTIVERULES_H
