// Plans as objects, and the choice between them. For each kind of operation
// there is a list of strategies: the ways to lower it. A strategy creates a
// plan, an object whose fields are the parameters:
//
//   struct DirectPlan : WindowPlan {
//     int64_t lanes = 2;
//     DirectPlan() : WindowPlan("direct", "windows") {}
//     void declareParameters(PlanFields &fields) override {
//       fields.integer("lanes", lanes, 2, 1 << 20);
//     }
//     FailureOr<double> chooseParameters(const Problem &problem,
//                                        std::string &reason) override;
//     void emit(WindowKernel &kernel) const override;
//   };
//
//   std::shared_ptr<WindowPlan> createDirectPlan();  // the strategy
//
// A plan is chosen before any code of its operation is built, and then emitted.
// As the attribute `pool.plan`, a plan can be printed, and pinned: an operation
// that has the attribute is lowered by this plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLAN_H
#define POOL_LIB_CONVERSION_PLANS_PLAN_H

#include "Plans/PlanFields.h"
#include "pool/Conversion/PlanSelection.h"
#include "llvm/ADT/StringExtras.h"

#include <memory>

namespace mlir::pool {

/// What a fallback may assume about the extents, because the plans before it in
/// its chain of fallbacks handle all others.
struct PlanScope {
  /// Least number of columns in a row of outputs.
  int64_t minColumns = 1;
};

/// A way to lower an operation. `ProblemT` has the facts that a plan may depend
/// on: the operation as far as it is known, and the machine. `EmitterT` has the
/// state that code is emitted with. A function that takes `reason` sets it if
/// it fails.
template <typename ProblemT, typename EmitterT>
struct Plan {
  using Problem = ProblemT;

  /// `covers` is for strategies that support all extents, and so never have a
  /// fallback. readPlan() refuses a fallback with "it is for all {covers}:
  /// fallback has no meaning". Other strategies pass an empty `covers`, and
  /// their check() tests whether a fallback must be there.
  explicit Plan(StringLiteral strategy, StringLiteral covers = "extents")
      : strategy(strategy), covers(covers) {}
  virtual ~Plan() = default;

  /// Declares each parameter to `fields`, which reads or writes it.
  virtual void declareParameters(PlanFields &) {}
  /// Fails if no choice of parameters supports the problem.
  virtual LogicalResult supports(const ProblemT &, std::string &) const {
    return success();
  }
  /// Sets the parameters to the best values for a problem that supports()
  /// accepts, and returns the cost (see Candidate). Fails if the strategy
  /// should not be chosen.
  virtual FailureOr<double> chooseParameters(const ProblemT &,
                                             std::string &reason) = 0;
  /// Fails if the parameters do not fit a problem that supports() accepts.
  /// `scope` is what this plan may assume. A plan with a fallback changes it to
  /// what the fallback may assume.
  virtual LogicalResult check(const ProblemT &, PlanScope &scope,
                              std::string &reason) const {
    return success();
  }
  /// Returns text about the parameters for a remark. It may be empty.
  virtual std::string explain(const ProblemT &) const { return ""; }
  /// True if choosePlan() must give the plan a fallback, because it supports
  /// only some of the extents that are possible at run time. False if
  /// chooseParameters() sets the fallback itself.
  virtual bool isPartial(const ProblemT &) const { return false; }
  /// True if emitted loops treat several dimensions of a result as one. Then
  /// its buffer must be contiguous, not a slice of a larger buffer.
  virtual bool needsPackedResults(const ProblemT &) const { return false; }
  /// Emits a test of the extents at run time, and returns its result: true if
  /// the plan supports them. Returns null if the plan supports all.
  virtual Value createCondition(EmitterT &) const { return {}; }
  virtual void emit(EmitterT &) const = 0;

  StringLiteral strategy, covers;
  /// The plan for extents that createCondition() rejects. Null if there are
  /// none.
  std::shared_ptr<Plan> fallback;
};

/// A function that creates a plan with default parameters.
template <typename PlanT>
using Strategy = std::shared_ptr<PlanT> (*)();
template <typename BaseT, typename PlanT>
std::shared_ptr<BaseT> createPlan() {
  return std::make_shared<PlanT>();
}

template <typename ProblemT, typename EmitterT>
PlanAttr writePlan(MLIRContext *context, Plan<ProblemT, EmitterT> &plan) {
  PlanFields fields(context);
  plan.declareParameters(fields);
  PlanAttr fallback;
  if (plan.fallback)
    fallback = writePlan(context, *plan.fallback);
  fields.plan("fallback", fallback);
  return fields.write(plan.strategy);
}

/// Reads a plan and its fallbacks from `attr`. Fails, with the reason, if one
/// of them names an unknown strategy, has wrong parameters, or has a fallback
/// that its strategy has no use for.
template <typename PlanT>
FailureOr<std::shared_ptr<PlanT>> readPlan(PlanAttr attr,
                                           ArrayRef<Strategy<PlanT>> strategies,
                                           std::string &reason) {
  SmallVector<StringRef> names;
  for (Strategy<PlanT> strategy : strategies) {
    std::shared_ptr<PlanT> plan = strategy();
    names.push_back(plan->strategy);
    if (plan->strategy != attr.getStrategy().getValue())
      continue;
    PlanFields fields(attr, reason);
    PlanAttr fallback;
    plan->declareParameters(fields);
    fields.plan("fallback", fallback);
    if (failed(fields.finishReading()))
      return refuse(reason, "{0}: {1}", plan->strategy, reason);
    if (fallback && !plan->covers.empty())
      return refuse(reason, "{0}: it is for all {1}: fallback has no meaning",
                    plan->strategy, plan->covers);
    if (!fallback)
      return plan;
    auto read = readPlan(fallback, strategies, reason);
    if (failed(read))
      return failure();
    plan->fallback = *read;
    return plan;
  }
  return refuse(reason, "no strategy for this operation is named {0}, only {1}",
                attr.getStrategy(), llvm::join(names, ", "));
}

/// Fails, with the reason, if `plan` or one of its fallbacks does not fit
/// `problem`.
template <typename ProblemT, typename EmitterT>
LogicalResult checkPlan(const Plan<ProblemT, EmitterT> &plan,
                        const ProblemT &problem, std::string &reason) {
  PlanScope scope;
  for (auto *part = &plan; part; part = part->fallback.get())
    if (failed(part->supports(problem, reason)) ||
        failed(part->check(problem, scope, reason)))
      return refuse(reason, "{0}: {1}", part->strategy, reason);
  return success();
}

/// The plan of one strategy with the parameters that it chose, and the cost. If
/// `plan` is null, `reason` says why there is none.
template <typename PlanT>
struct Candidate {
  StringRef strategy;
  std::shared_ptr<PlanT> plan;
  /// In cycles per output, or in the unit that choosePlan() is called with.
  double cost = 0;
  std::string reason;
};

template <typename PlanT>
Candidate<PlanT> createCandidate(Strategy<PlanT> strategy,
                                 const typename PlanT::Problem &problem) {
  std::shared_ptr<PlanT> plan = strategy();
  Candidate<PlanT> candidate = {plan->strategy, nullptr, 0, ""};
  if (failed(plan->supports(problem, candidate.reason)))
    return candidate;
  FailureOr<double> cost = plan->chooseParameters(problem, candidate.reason);
  if (succeeded(cost))
    candidate = {plan->strategy, plan, *cost, ""};
  return candidate;
}

/// The plan by which an operation is lowered, and how it was chosen. `plan` is
/// null if no strategy supports the operation, or if the plan that is pinned to
/// it does not fit.
template <typename PlanT>
struct PlanChoice : PlanReport {
  std::shared_ptr<PlanT> plan;
  /// The attribute that a pinned plan was read from.
  PlanAttr pinned;

  PlanSelection write(MLIRContext *context) const {
    return {*this, plan ? getAttr(context) : PlanAttr()};
  }
  /// Requires that `plan` is not null.
  PlanAttr getAttr(MLIRContext *context) const {
    return pinned ? pinned : writePlan(context, *plan);
  }
};

/// Returns the cheapest plan that supports all extents: a complete plan. If
/// costs are equal, the first strategy's plan is chosen. Before this plan, the
/// result has all partial plans, in the order of `strategies`. Each has the
/// next plan as its fallback. If there is no complete plan, `plan` is null.
/// `unit` names the unit of costs in reasons.
template <typename PlanT>
PlanChoice<PlanT> choosePlan(const typename PlanT::Problem &problem,
                             ArrayRef<Strategy<PlanT>> strategies,
                             StringRef unit) {
  PlanChoice<PlanT> choice;
  std::string reasons;
  SmallVector<Candidate<PlanT>> candidates;
  for (Strategy<PlanT> strategy : strategies) {
    Candidate<PlanT> candidate = createCandidate(strategy, problem);
    // Check the plan as if it were pinned. But a partial plan has no fallback
    // yet, so check() would refuse it.
    if (candidate.plan &&
        (candidate.plan->isPartial(problem) ||
         succeeded(checkPlan(*candidate.plan, problem, candidate.reason)))) {
      candidates.push_back(std::move(candidate));
      continue;
    }
    choice.rejected.push_back(
        {candidate.strategy, candidate.reason, std::nullopt});
    reasons += llvm::formatv("{0}{1}: {2}", reasons.empty() ? "" : "; ",
                             candidate.strategy, candidate.reason);
  }
  auto getOrder = [&](const Candidate<PlanT> &candidate) {
    return std::pair(candidate.plan->isPartial(problem), candidate.cost);
  };
  auto *best = llvm::min_element(candidates, [&](auto &lhs, auto &rhs) {
    return getOrder(lhs) < getOrder(rhs);
  });
  if (best == candidates.end() || best->plan->isPartial(problem)) {
    choice.reason = reasons;
    return choice;
  }
  choice.plan = best->plan;
  choice.cost = best->cost;
  for (Candidate<PlanT> &candidate : llvm::reverse(candidates)) {
    if (candidate.plan->isPartial(problem)) {
      candidate.plan->fallback = std::exchange(choice.plan, candidate.plan);
    } else if (&candidate != best) {
      choice.rejected.push_back(
          {candidate.strategy,
           llvm::formatv("it takes {0:f2} {1}, {2} {3:f2}", candidate.cost,
                         unit, best->strategy, best->cost),
           candidate.cost});
    }
  }
  std::string words = best->plan->explain(problem);
  choice.reason = llvm::formatv("{0:f2} {1}{2}{3}", best->cost, unit,
                                words.empty() ? "" : "; ", words);
  return choice;
}

/// Returns the plan that is pinned to `op`, or, if there is none, the plan that
/// choosePlan() finds. There is no plan if `problem` is a failure: then
/// `reason` must say why. There is none either if the pinned plan does not fit:
/// then the reason in the result is for rejectPlan().
template <typename PlanT>
PlanChoice<PlanT>
planOperation(Operation *op, const FailureOr<typename PlanT::Problem> &problem,
              ArrayRef<Strategy<PlanT>> strategies, std::string reason,
              StringRef unit = "cycles an output") {
  PlanAttr pinned = PlanAttr::getOf(op);
  if (succeeded(problem) && !pinned)
    return choosePlan(*problem, strategies, unit);
  PlanChoice<PlanT> choice;
  choice.pinned = pinned;
  choice.isPinned = static_cast<bool>(pinned);
  if (succeeded(problem)) {
    auto plan = readPlan(pinned, strategies, reason);
    if (succeeded(plan) && succeeded(checkPlan(**plan, *problem, reason))) {
      choice.plan = *plan;
      reason = "it is pinned";
    }
  }
  choice.reason = reason;
  return choice;
}

/// If `op` needs no strategy on any machine, returns a selection without a
/// plan, whose reason says why. Otherwise returns std::nullopt.
std::optional<PlanSelection> selectNone(Operation *op);

/// Emits remarks of `pass`: each rejected strategy with its reason, and the
/// plan that was chosen, or why `op` stays as it is. If the pinned plan of `op`
/// does not fit, emits an error instead, and fails. `getPlan` is called only if
/// a remark is emitted.
LogicalResult reportPlan(StringRef pass, Operation *op,
                         const PlanReport &report, bool hasPlan,
                         function_ref<PlanAttr()> getPlan);
template <typename PlanT>
LogicalResult reportPlan(StringRef pass, Operation *op,
                         const PlanChoice<PlanT> &choice) {
  return reportPlan(pass, op, choice, choice.plan != nullptr,
                    [&] { return choice.getAttr(op->getContext()); });
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_PLAN_H
