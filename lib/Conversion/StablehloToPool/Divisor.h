// What sums of windows, and gradients of averages, are divided by.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_DIVISOR_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_DIVISOR_H

#include "HloWindow.h"

namespace mlir::pool {

/// `dividend / divisor`, elementwise and of one type.
struct Division {
  Value dividend;
  Value divisor;
  /// True if it multiplies by `divisor` instead.
  bool isProduct;
};

/// Recognises a stablehlo.divide, or a stablehlo.multiply by a constant.
FailureOr<Division> matchDivision(Operation *op);

/// The modes of an average over `window`, from `input` to `output`, that
/// divides as `division` does: by a constant, or by a sum of ones over the same
/// windows.
FailureOr<AverageModes> matchDivisor(const Division &division,
                                     const HloWindow &window,
                                     RankedTensorType input,
                                     RankedTensorType output,
                                     std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_DIVISOR_H
