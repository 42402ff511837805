// The choice of a plan for an operation, as a value: what was chosen, what was
// not, the costs, and the reasons.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_PLANSELECTION_H
#define POOL_CONVERSION_PLANSELECTION_H

#include "pool/Dialect/Pool/IR/Pool.h"

#include <optional>
#include <string>

namespace mlir::pool {

/// A strategy that was not chosen.
struct RejectedStrategy {
  /// The name, as docs/Internals/Plans.md has it.
  StringRef strategy;
  std::string reason;
  /// The predicted cost, in the unit of PlanReport::cost; none if the strategy
  /// has no plan that fits.
  std::optional<double> cost;
};

/// How a plan was chosen.
struct PlanReport {
  /// True if the operation's own plan was taken, or does not fit. False for
  /// adaptive pooling that equals ordinary pooling, which gets its plan.
  bool isPinned = false;
  /// The predicted cost of the plan that was chosen: cycles per output or, for
  /// GPUs, loads and shuffles of a thread. If partial plans come first, that of
  /// the complete one. None for a pinned plan and without a plan.
  std::optional<double> cost;
  /// Why this plan was chosen, or why there is none. For a pinned plan that
  /// does not fit: why it does not.
  std::string reason;
  /// The strategies that were not chosen.
  SmallVector<RejectedStrategy, 0> rejected;
};

/// A plan, and how it was chosen. The plan is null if no strategy supports the
/// operation, if it needs none, or if its own plan does not fit; the reason
/// says which.
struct PlanSelection : PlanReport {
  PlanAttr plan;
};

/// True if `op` is of the dialect and a plan is chosen for it, or a reason given
/// why there is none. False for pool.largest_index, which checks consist of.
bool isPlannable(Operation *op);

/// Emits the error that the plan which `op` has does not fit, for `reason`.
InFlightDiagnostic rejectPlan(Operation *op, const Twine &reason);

} // namespace mlir::pool

#endif // POOL_CONVERSION_PLANSELECTION_H
