// Recognizes divisions that turn window sums into averages, and divisions in
// gradients of averages.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_DIVISOR_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_DIVISOR_H

#include "HloWindow.h"

namespace mlir::pool {

/// An elementwise division, or a product with a reciprocal. Both operands have
/// the type of the result.
struct Division {
  Value dividend;
  Value divisor;
  /// True for the product `dividend * divisor`, which divides by the inverse of
  /// `divisor`.
  bool isProduct;
};

/// Matches a stablehlo.divide, or a stablehlo.multiply by a constant whose
/// elements are all equal. Does not check the divisor.
FailureOr<Division> matchDivision(Operation *op);

/// Returns the modes of an average over `window` that divides as `division`
/// does: by a constant, or by a sum of ones over the same windows. `input` and
/// `output` are the types before and after the sum. On failure, `reason` says
/// why there are no such modes.
FailureOr<AverageModes> matchDivisor(const Division &division,
                                     const HloWindow &window,
                                     RankedTensorType input,
                                     RankedTensorType output,
                                     std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_DIVISOR_H
