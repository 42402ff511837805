// The plan of one operation: the one pinned on it, or the cheapest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_PLANREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_PLANREDUCTION_H

#include "Plan/Strategy.h"

namespace mlir::pool {

struct PlannedReduction {
  /// Set where there is a plan.
  std::optional<Problem> problem;
  /// Null where no strategy is for the operation.
  PlanAttr plan;
};

/// Chooses a plan for `op`, or takes the one that it has. Remarks of `pass` say
/// which, what was rejected and why, or why the operation is left alone. Fails,
/// with an error, where its own plan does not fit.
FailureOr<PlannedReduction> planReduction(StringRef pass, WindowReduceOp op,
                                          const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_PLANREDUCTION_H
