// The choice between strategies: for a kind of problem there is a table of
// them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H

#include "../Remarks.h"
#include "Schedule/Parameters.h"

namespace mlir::pool {

/// A plan and its cost, in cycles per output unless the strategies say
/// otherwise.
struct Candidate {
  PlanAttr plan;
  double cost = 0;
  /// See PlanBase::explain().
  std::string note;
  /// See PlanBase::isPartial().
  bool isPartial = false;
};

/// Returns the best plan of a strategy for `problem`.
template <typename PlanT, typename ProblemT>
FailureOr<Candidate> planBy(MLIRContext *context, const ProblemT &problem,
                            std::string &reason) {
  if (failed(PlanT::admit(problem, reason)))
    return failure();
  PlanT plan;
  FailureOr<double> planCost = plan.choose(problem, reason);
  if (failed(planCost))
    return failure();
  return Candidate{writePlan(context, plan), *planCost, plan.explain(problem),
                   plan.isPartial(problem)};
}

template <typename PlanT, typename ProblemT>
LogicalResult checkBy(PlanAttr attr, const ProblemT &problem, PlanScope &scope,
                      std::string &reason) {
  FailureOr<PlanT> plan = readPlan<PlanT>(attr, reason);
  if (failed(plan))
    return failure();
  if (plan->otherwise && !PlanT::kWhole.empty())
    return refuse(reason,
                  llvm::formatv("it is for all {0}: otherwise has no meaning",
                                PlanT::kWhole));
  if (failed(PlanT::admit(problem, reason)))
    return failure();
  return plan->check(problem, scope, reason);
}

/// A way to plan the operations that `ProblemT` describes: the functions of a
/// struct of parameters, by its name.
template <typename ProblemT>
struct PlanningStrategy {
  StringLiteral name;
  FailureOr<Candidate> (*plan)(MLIRContext *context, const ProblemT &problem,
                               std::string &reason);
  LogicalResult (*check)(PlanAttr plan, const ProblemT &problem,
                         PlanScope &scope, std::string &reason);

  template <typename PlanT>
  static constexpr PlanningStrategy of() {
    return {PlanT::kStrategy, planBy<PlanT, ProblemT>,
            checkBy<PlanT, ProblemT>};
  }
};

/// A way to lower these operations, too, by code that `EmitterT` builds. Plans
/// are chosen and checked before anything is built; emission chooses nothing.
template <typename ProblemT, typename EmitterT>
struct Strategy : PlanningStrategy<ProblemT> {
  void (*emit)(EmitterT &emitter, PlanAttr plan);
  Value (*createCondition)(EmitterT &emitter, PlanAttr plan);

  template <typename PlanT>
  static constexpr Strategy of() {
    return {PlanningStrategy<ProblemT>::template of<PlanT>(),
            [](EmitterT &emitter, PlanAttr plan) {
              getChecked<PlanT>(plan).emit(emitter);
            },
            [](EmitterT &emitter, PlanAttr plan) -> Value {
              return getChecked<PlanT>(plan).createCondition(emitter);
            }};
  }
};

template <typename StrategyT>
const StrategyT *findStrategy(ArrayRef<StrategyT> strategies, StringRef name) {
  const StrategyT *it = llvm::find_if(
      strategies, [&](const StrategyT &s) { return s.name == name; });
  return it == strategies.end() ? nullptr : it;
}

/// Told of every strategy that is not chosen: the reason, or what its plan
/// costs.
using RejectFn = function_ref<void(StringRef strategy, const std::string &)>;

/// Returns the cheapest of `candidates`, and the first one if costs are equal.
/// Partial candidates come before it in a chain. Fails if no candidate is
/// complete. `unit` is the unit of costs.
FailureOr<Candidate> chooseCandidate(ArrayRef<Candidate> candidates,
                                     StringRef unit, RejectFn reject);

/// Fails, with the reason, where `plan` or what follows it by `otherwise` does
/// not fit.
template <typename ProblemT, typename StrategyT>
LogicalResult checkPlan(PlanAttr plan, const ProblemT &problem,
                        ArrayRef<StrategyT> strategies, std::string &reason) {
  PlanScope scope;
  for (; plan; plan = plan.getParameters().getAs<PlanAttr>("otherwise")) {
    const StrategyT *strategy =
        findStrategy(strategies, plan.getStrategy().getValue());
    if (!strategy) {
      reason = llvm::formatv(
          "no strategy for this operation is named {0}, only {1}",
          plan.getStrategy(),
          llvm::join(
              llvm::map_range(strategies, [](auto &s) { return s.name; }),
              ", "));
      return failure();
    }
    if (failed(strategy->check(plan, problem, scope, reason))) {
      reason = llvm::formatv("{0}: {1}", strategy->name, reason);
      return failure();
    }
  }
  return success();
}

/// Fails, with an error, where the plan that `op` has does not fit `problem`,
/// which is null, with the reason, where no plan does.
template <typename ProblemT, typename StrategyT>
LogicalResult checkPinned(Operation *op, PlanAttr pinned,
                          const std::optional<ProblemT> &problem,
                          ArrayRef<StrategyT> strategies, std::string reason) {
  if (problem && succeeded(checkPlan(pinned, *problem, strategies, reason)))
    return success();
  return op->emitOpError("cannot be lowered by ")
         << PlanAttr::getName() << ": " << reason;
}

/// Returns the plan of `op`: its own, or the cheapest of `strategies` for
/// `problem`. Without a problem, `reason` says why, and the result is null.
/// Remarks of `pass` name the plan, the rejected strategies with their reasons,
/// or why the operation is left alone. `unit` is the unit of costs. Fails with
/// an error if the operation's own plan does not fit.
template <typename ProblemT, typename StrategyT>
FailureOr<PlanAttr> planOperation(StringRef pass, Operation *op,
                                  const std::optional<ProblemT> &problem,
                                  ArrayRef<StrategyT> strategies,
                                  std::string reason,
                                  StringRef unit = "cycles an output") {
  if (PlanAttr pinned = PlanAttr::getOf(op)) {
    if (failed(checkPinned(op, pinned, problem, strategies, reason)))
      return failure();
    remarkPlanned(pass, op, pinned, "it is pinned");
    return pinned;
  }
  if (!problem) {
    remarkLeftAlone(pass, op, reason);
    return PlanAttr();
  }
  std::string reasons;
  auto reject = [&](StringRef strategy, const std::string &why) {
    remarkRejected(pass, op, strategy, why);
    reasons += llvm::formatv("{0}{1}: {2}", reasons.empty() ? "" : "; ",
                             strategy, why);
  };
  SmallVector<Candidate> candidates;
  for (const StrategyT &strategy : strategies) {
    std::string why;
    FailureOr<Candidate> candidate =
        strategy.plan(op->getContext(), *problem, why);
    // A plan must fit to be emitted, whatever chose it; one that is for some
    // extents lacks what is for the rest.
    if (failed(candidate) ||
        (!candidate->isPartial &&
         failed(checkPlan(candidate->plan, *problem, strategies, why))))
      reject(strategy.name, why);
    else
      candidates.push_back(*candidate);
  }
  FailureOr<Candidate> best = chooseCandidate(candidates, unit, reject);
  if (failed(best)) {
    remarkLeftAlone(pass, op, reasons);
    return PlanAttr();
  }
  remarkPlanned(pass, op, best->plan,
                llvm::formatv("{0:f2} {1}{2}{3}", best->cost, unit,
                              best->note.empty() ? "" : "; ", best->note)
                    .str());
  return best->plan;
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H
