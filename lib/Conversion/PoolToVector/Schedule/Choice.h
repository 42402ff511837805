// The choice between strategies: for a kind of problem there is a table of
// them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H

#include "../Remarks.h"
#include "Schedule/Parameters.h"

namespace mlir::pool {

/// What a strategy has for a problem.
struct Candidate {
  /// The best plan; null if there is none.
  PlanAttr plan;
  /// In cycles per output unless the strategies say otherwise.
  double cost = 0;
  /// See PlanBase::isPartial().
  bool isPartial = false;
  /// See PlanBase::explain(). Without a plan, the reason.
  std::string note;
};

template <typename PlanT, typename ProblemT>
Candidate planBy(MLIRContext *context, const ProblemT &problem) {
  Candidate candidate;
  PlanT plan;
  if (failed(PlanT::admit(problem, candidate.note)))
    return candidate;
  FailureOr<double> planCost = plan.choose(problem, candidate.note);
  if (failed(planCost))
    return candidate;
  candidate.plan = writePlan(context, plan);
  candidate.cost = *planCost;
  candidate.isPartial = plan.isPartial(problem);
  candidate.note = plan.explain(problem);
  return candidate;
}

template <typename PlanT, typename ProblemT>
LogicalResult checkBy(PlanAttr attr, const ProblemT &problem, PlanScope &scope,
                      std::string &reason) {
  FailureOr<PlanT> plan = readPlan<PlanT>(attr, reason);
  if (failed(plan))
    return failure();
  if (plan->otherwise && !PlanT::kWhole.empty())
    return refuse(reason, "it is for all {0}: otherwise has no meaning",
                  PlanT::kWhole);
  if (failed(PlanT::admit(problem, reason)))
    return failure();
  return plan->check(problem, scope, reason);
}

/// A way to plan the operations that `ProblemT` describes: the functions of a
/// struct of parameters, by its name.
template <typename ProblemT>
struct PlanningStrategy {
  StringLiteral name;
  Candidate (*plan)(MLIRContext *context, const ProblemT &problem);
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
  bool (*needsPackedResults)(const ProblemT &problem);

  template <typename PlanT>
  static constexpr Strategy of() {
    return {PlanningStrategy<ProblemT>::template of<PlanT>(),
            [](EmitterT &emitter, PlanAttr plan) {
              getChecked<PlanT>(plan).emit(emitter);
            },
            [](EmitterT &emitter, PlanAttr plan) -> Value {
              return getChecked<PlanT>(plan).createCondition(emitter);
            },
            [](const ProblemT &problem) {
              return PlanT::needsPackedResults(problem);
            }};
  }
};

template <typename StrategyT>
const StrategyT *findStrategy(ArrayRef<StrategyT> strategies, PlanAttr plan) {
  const StrategyT *it = llvm::find_if(strategies, [&](const StrategyT &s) {
    return s.name == plan.getStrategy().getValue();
  });
  return it == strategies.end() ? nullptr : it;
}

/// Fails, with the reason, where `plan` or what follows it by `otherwise` does
/// not fit.
template <typename ProblemT, typename StrategyT>
LogicalResult checkPlan(PlanAttr plan, const ProblemT &problem,
                        ArrayRef<StrategyT> strategies, std::string &reason) {
  PlanScope scope;
  for (; plan; plan = plan.getParameters().getAs<PlanAttr>("otherwise")) {
    const StrategyT *strategy = findStrategy(strategies, plan);
    if (!strategy)
      return refuse(reason,
                    "no strategy for this operation is named {0}, only {1}",
                    plan.getStrategy(),
                    llvm::join(llvm::map_range(strategies,
                                               [](auto &s) { return s.name; }),
                               ", "));
    if (failed(strategy->check(plan, problem, scope, reason)))
      return refuse(reason, "{0}: {1}", strategy->name, reason);
  }
  return success();
}

/// Fails, with an error, where the plan that `op` has does not fit `problem`,
/// which failed, with the reason, where no plan does.
template <typename ProblemT, typename StrategyT>
LogicalResult checkPinned(Operation *op, PlanAttr pinned,
                          const FailureOr<ProblemT> &problem,
                          ArrayRef<StrategyT> strategies, std::string reason) {
  if (succeeded(problem) &&
      succeeded(checkPlan(pinned, *problem, strategies, reason)))
    return success();
  return op->emitOpError("cannot be lowered by ")
         << PlanAttr::getName() << ": " << reason;
}

/// Returns the plan of `op`: its own, or the cheapest one for `problem`, the
/// first of equal ones. Partial plans come before that in a chain. Null if no
/// plan is complete, or without a problem, of which `reason` says why. Remarks
/// of `pass` name the plan, the rejected strategies with their reasons, or why
/// `op` is left alone. `unit` is the unit of costs. Fails with an error if the
/// operation's own plan does not fit.
template <typename ProblemT, typename StrategyT>
FailureOr<PlanAttr>
planOperation(StringRef pass, Operation *op, const FailureOr<ProblemT> &problem,
              ArrayRef<StrategyT> strategies, std::string reason,
              StringRef unit = "cycles an output") {
  if (PlanAttr pinned = PlanAttr::getOf(op)) {
    if (failed(checkPinned(op, pinned, problem, strategies, reason)))
      return failure();
    remarkPlanned(pass, op, pinned, "it is pinned");
    return pinned;
  }
  if (failed(problem)) {
    remarkLeftAlone(pass, op, reason);
    return PlanAttr();
  }
  SmallVector<Candidate> candidates;
  std::string reasons;
  for (const StrategyT &strategy : strategies) {
    Candidate candidate = strategy.plan(op->getContext(), *problem);
    // A plan must fit to be emitted, whatever chose it; one that is for some
    // extents lacks what is for the rest.
    if (candidate.plan && (candidate.isPartial ||
                           succeeded(checkPlan(candidate.plan, *problem,
                                               strategies, candidate.note)))) {
      candidates.push_back(candidate);
      continue;
    }
    remarkRejected(pass, op, strategy.name, candidate.note);
    reasons += llvm::formatv("{0}{1}: {2}", reasons.empty() ? "" : "; ",
                             strategy.name, candidate.note);
  }
  auto *best = llvm::min_element(
      candidates, [](const Candidate &lhs, const Candidate &rhs) {
        return std::pair(lhs.isPartial, lhs.cost) <
               std::pair(rhs.isPartial, rhs.cost);
      });
  if (best == candidates.end() || best->isPartial) {
    remarkLeftAlone(pass, op, reasons);
    return PlanAttr();
  }
  PlanAttr chosen = best->plan;
  for (const Candidate &candidate : llvm::reverse(candidates)) {
    if (candidate.isPartial) {
      NamedAttrList parameters(candidate.plan.getParameters());
      parameters.set("otherwise", chosen);
      chosen = PlanAttr::get(op->getContext(), candidate.plan.getStrategy(),
                             parameters.getDictionary(op->getContext()));
    } else if (&candidate != best) {
      remarkRejected(
          pass, op, candidate.plan.getStrategy().getValue(),
          llvm::formatv("it takes {0:f2} {1}, {2} {3:f2}", candidate.cost, unit,
                        best->plan.getStrategy().getValue(), best->cost)
              .str());
    }
  }
  remarkPlanned(pass, op, chosen,
                llvm::formatv("{0:f2} {1}{2}{3}", best->cost, unit,
                              best->note.empty() ? "" : "; ", best->note)
                    .str());
  return chosen;
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H
