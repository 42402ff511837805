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
  /// The predicted cycles per output; none if the strategy does not support the
  /// operation.
  std::optional<double> cost;
};

/// How a plan was chosen.
struct PlanReport {
  /// True if the operation had a plan.
  bool isPinned = false;
  /// The predicted cost of the plan that was chosen: cycles per output or, for
  /// GPUs, loads and shuffles of a thread. None for a pinned plan and without a
  /// plan.
  std::optional<double> cost;
  /// Why this plan was chosen, or why there is none. For a pinned plan that
  /// does not fit: why it does not.
  std::string reason;
  /// The strategies that were not chosen.
  SmallVector<RejectedStrategy, 0> rejected;
};

/// A plan, or null if no strategy supports the operation or its own plan does
/// not fit; and how it was chosen.
struct PlanSelection : PlanReport {
  PlanAttr plan;
};

/// Emits the error that the plan which `op` has does not fit, for `reason`.
InFlightDiagnostic rejectPlan(Operation *op, const Twine &reason);

} // namespace mlir::pool

#endif // POOL_CONVERSION_PLANSELECTION_H
