// Defines the result of choosing a plan for an operation: the plan, the
// strategies that were rejected, the costs, and the reasons.
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
  /// Name of the strategy in docs/Internals/Plans.md.
  StringRef strategy;
  std::string reason;
  /// The predicted cost, in the unit of PlanReport::cost. None if the strategy
  /// has no plan that fits.
  std::optional<double> cost;
};

/// Says how a plan was chosen. A plan is pinned if it is the attribute
/// `pool.plan` of the operation.
struct PlanReport {
  /// True if the operation has a pinned plan, whether it fits or not. False for
  /// adaptive pooling whose windows are regular: the ordinary pooling that it
  /// becomes takes over the pinned plan.
  bool isPinned = false;
  /// The predicted cost of the chosen plan. The unit is cycles per output or,
  /// for GPUs, loads and shuffles of a thread. If the plan has fallbacks, this
  /// is the cost of the last fallback, which supports all extents. None for a
  /// pinned plan, and if there is no plan.
  std::optional<double> cost;
  /// Why the plan was chosen, why there is no plan, or why the pinned plan does
  /// not fit.
  std::string reason;
  /// The strategies that gave neither the chosen plan nor one of its fallbacks.
  SmallVector<RejectedStrategy, 0> rejected;
};

/// A plan, and the report of how it was chosen. The plan is null if no strategy
/// supports the operation, if the operation needs no plan, or if its pinned
/// plan does not fit. The reason says which of these holds.
struct PlanSelection : PlanReport {
  PlanAttr plan;
};

/// True if `op` gets a plan, or a reason why it has none. This holds for all
/// operations of the pool dialect except pool.largest_index, which only
/// run-time checks create.
bool isPlannable(Operation *op);

/// Emits an error at `op`: its pinned plan cannot lower it, because of
/// `reason`. Returns the diagnostic, so that the caller can add to it.
InFlightDiagnostic rejectPlan(Operation *op, const Twine &reason);

} // namespace mlir::pool

#endif // POOL_CONVERSION_PLANSELECTION_H
