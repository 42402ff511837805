// The table of strategies, and the choice between them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_STRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_STRATEGY_H

#include "Emit/WindowKernel.h"

namespace mlir::pool {

/// A plan and what it costs, in cycles per output.
struct Candidate {
  PlanAttr plan;
  double cost = 0;
  /// Whether it is for some of the extents that only run time knows, so that
  /// another plan is needed for the rest.
  bool isPartial = false;
};

/// What the plans before one in a chain of `otherwise` leave to it.
struct PlanScope {
  /// Rows have so many columns at least.
  int64_t minColumns = 1;
};

/// A way to lower pool.window_reduce. Plans are chosen and checked before
/// anything is built; emission chooses nothing.
struct Strategy {
  /// As plans name it.
  StringLiteral name;
  /// The best plan that it has for `problem`, or failure with the reason
  /// against it.
  FailureOr<Candidate> (*plan)(MLIRContext *context, const Problem &problem,
                               std::string &reason);
  /// Fails, with the reason, where the parameters of `plan` are not those of the
  /// strategy or do not fit. `scope` becomes that of `otherwise`.
  LogicalResult (*check)(PlanAttr plan, const Problem &problem,
                         PlanScope &scope, std::string &reason);
  /// Whether the plan is for the extents at run time; null if it always is. Null
  /// for strategies whose plans always are.
  Value (*createCondition)(WindowKernel &kernel, PlanAttr plan);
  void (*emit)(WindowKernel &kernel, PlanAttr plan);
  /// Whether the order of a float sum depends on the kernel alone, or may where
  /// that is asked for; else it depends on the place in the plane too.
  bool canBeUniform;
};

/// All strategies; of plans with the same cost the first one's is chosen.
ArrayRef<Strategy> getStrategies();

/// Told of every strategy that is not chosen: the reason, or what its plan costs.
using RejectFn = function_ref<void(StringRef strategy, const std::string &)>;

/// The cheapest plan. There is none where Problem::get() gives none, and where
/// every strategy is rejected.
FailureOr<Candidate> choosePlan(MLIRContext *context, const Problem &problem,
                                RejectFn reject);

/// Fails, with the reason, where `plan` or what follows it by `otherwise` does
/// not fit.
LogicalResult checkPlan(PlanAttr plan, const Problem &problem,
                        std::string &reason);

/// Builds what `plan`, which fits, says.
void emitPlan(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_STRATEGY_H
