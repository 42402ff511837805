// Decides whether StableHLO can compute a pooling operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOSTABLEHLO_HLOPLAN_H
#define POOL_LIB_CONVERSION_POOLTOSTABLEHLO_HLOPLAN_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// An operation of the pool dialect with its window resolved.
struct HloPlan {
  WindowAttrsOpInterface op;
  /// Windows of all dimensions. In batch and channels a window is one element.
  SmallVector<ResolvedDim> dims;

  /// True if a window covers padding or overhang.
  bool coversPadding() const;
  /// True if the window of some output contains no element of the input.
  bool hasEmptyWindow() const;
};

/// Plans `op`, or emits an error that says why StableHLO has no such pooling.
FailureOr<HloPlan> planHlo(Operation *op);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOSTABLEHLO_HLOPLAN_H
