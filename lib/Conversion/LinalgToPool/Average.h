// Recognizes a window sum and its division as one average.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_AVERAGE_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_AVERAGE_H

#include "WindowFit.h"

namespace mlir::pool {

/// A window sum that pool.avg_pool accumulates in the same way. A division of
/// the sum is not part of the plan.
struct SumPlan {
  WindowReduction sum;
  FittedWindow fitted;
  /// Why the tensor.pad of the input stays in the IR. Empty if there is no
  /// tensor.pad, or if it becomes padding of the window.
  std::string keptPadding;
};

/// Plans the sum of `reduction` as a pool.avg_pool. `isDivided` is true if the
/// sum is divided and then rounded to the element type of the input. Only then
/// may the sum have a wider type than the input. On failure, `reason` says why.
FailureOr<SumPlan> planSum(const WindowReduction &reduction, bool isDivided,
                           std::string &reason);

/// Returns the operation that uses the elements of `tensor` if there is exactly
/// one such use, or null. `tensor.dim` does not count.
Operation *getOnlyUser(Value tensor);

/// A division of a window sum that equals one pool.avg_pool. `plan.fitted` and
/// `attrs` describe the pool.avg_pool.
struct AveragePlan {
  SumPlan plan;
  AverageModes attrs;
};

/// Recognizes an average that ends in `division`. On failure, `reason` says why
/// there is none, or is empty if `division` divides no window sum.
FailureOr<AveragePlan> matchAverage(linalg::LinalgOp division,
                                    std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_AVERAGE_H
