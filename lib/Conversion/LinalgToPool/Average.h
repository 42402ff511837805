// A window sum that is divided by the number of its elements, as one average.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_AVERAGE_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_AVERAGE_H

#include "WindowFit.h"

namespace mlir::pool {

/// A sum as pool.avg_pool computes it, before any division.
struct SumPlan {
  WindowReduction sum;
  FittedWindow fitted;
  /// Why a tensor.pad stays, or empty.
  std::string keptPadding;
};

/// Plans the sum of `reduction`. `isDivided` says that the sum is divided and
/// then rounded to the input's element type, so that a half precision input
/// with a sum in f32 is what pool.avg_pool computes.
FailureOr<SumPlan> planSum(const WindowReduction &reduction, bool isDivided,
                           std::string &reason);

/// The operation that uses the elements of `tensor`, if it is one and uses them
/// once; `tensor.dim` does not use them.
Operation *getOnlyUser(Value tensor);

/// A division of a window sum that is one pool.avg_pool. `plan.fitted` and
/// `attrs` describe it.
struct AveragePlan {
  linalg::LinalgOp division;
  SumPlan plan;
  AverageModes attrs;
};

/// Recognises `division`, an elementwise operation. On failure `reason` says
/// why it is not an average; it is empty if it does not divide a window sum.
FailureOr<AveragePlan> matchAverage(linalg::LinalgOp division,
                                    std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_AVERAGE_H
