// Defines plans as objects, and chooses between them. For each kind of
// operation there is a list of strategies, which are ways to lower it. A
// strategy is a function that creates a plan: an object whose fields are the
// parameters:
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
// A plan can be written as the attribute `pool.plan`. A plan is pinned if the
// operation has it as this attribute: the operation is then lowered by it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLAN_H
#define POOL_LIB_CONVERSION_PLANS_PLAN_H

#include "Plans/PlanFields.h"
#include "pool/Conversion/PlanSelection.h"
#include "llvm/ADT/StringExtras.h"

#include <memory>

namespace mlir::pool {

/// What a plan may assume about the extents at run time. A fallback may assume
/// more than the first plan, because it gets only the extents that the plans
/// before it in the chain do not support.
struct PlanScope {
  /// Least number of columns in a row of outputs.
  int64_t minColumns = 1;
};

/// A way to lower an operation. `ProblemT` has the facts that a plan may depend
/// on: what is known of the operation at compile time, and the machine.
/// `EmitterT` has the state that emitting code needs. A function that takes
/// `reason` sets it if it fails.
template <typename ProblemT, typename EmitterT>
struct Plan {
  using Problem = ProblemT;

  /// A strategy that supports all extents never has a fallback. If a pinned
  /// plan gives it one, readPlan() fails with the reason "it is for all
  /// {covers}: fallback has no meaning". Other strategies pass an empty
  /// `covers`, and their check() fails if a needed fallback is missing.
  explicit Plan(StringLiteral strategy, StringLiteral covers = "extents")
      : strategy(strategy), covers(covers) {}
  virtual ~Plan() = default;

  /// Calls a function of PlanFields for each parameter, which reads or writes
  /// it.
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
  /// Fails if the parameters do not fit a problem that supports() accepts. On
  /// entry, `scope` has what this plan may assume. A plan with a fallback
  /// changes `scope` to what the fallback may assume.
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
  /// True if emitted loops treat several dimensions of a result as one
  /// dimension. The buffer of the result must then be contiguous, not a slice
  /// of a larger buffer.
  virtual bool needsPackedResults(const ProblemT &) const { return false; }
  /// Emits a test of the extents at run time, and returns an i1 that is true if
  /// the plan supports them. Returns null, and emits nothing, if the plan
  /// supports all extents.
  virtual Value createCondition(EmitterT &) const { return {}; }
  virtual void emit(EmitterT &) const = 0;

  StringLiteral strategy, covers;
  /// The plan for the extents for which createCondition() is false. Null if the
  /// plan supports all extents.
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
/// of them names an unknown strategy or has wrong parameters, or if it has a
/// fallback although its strategy supports all extents.
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

/// The plan of one strategy, with the parameters and the cost from
/// chooseParameters(). If the strategy has no plan for the problem, `plan` is
/// null, and `reason` says why.
template <typename PlanT>
struct Candidate {
  StringRef strategy;
  std::shared_ptr<PlanT> plan;
  /// The predicted cost, in the unit that choosePlan() gets as `unit`; by
  /// default cycles per output.
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
  /// Returns the plan as an attribute. Requires that `plan` is not null.
  PlanAttr getAttr(MLIRContext *context) const {
    return pinned ? pinned : writePlan(context, *plan);
  }
};

/// Chooses the cheapest complete plan, which supports all extents. If costs are
/// equal, the plan of the first strategy wins. Returns a chain of plans: first
/// all partial plans, in the order of `strategies`, then the complete plan.
/// Each partial plan has the next plan of the chain as its fallback. If there
/// is no complete plan, `plan` is null. `unit` names the unit of costs in
/// reasons.
template <typename PlanT>
PlanChoice<PlanT> choosePlan(const typename PlanT::Problem &problem,
                             ArrayRef<Strategy<PlanT>> strategies,
                             StringRef unit) {
  PlanChoice<PlanT> choice;
  std::string reasons;
  SmallVector<Candidate<PlanT>> candidates;
  for (Strategy<PlanT> strategy : strategies) {
    Candidate<PlanT> candidate = createCandidate(strategy, problem);
    // Check a complete plan as if it were pinned. Do not check a partial plan:
    // it has no fallback yet, so check() would fail.
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

/// Returns the plan that is pinned to `op`. If no plan is pinned, returns the
/// result of choosePlan(). The result has no plan in two more cases. If
/// `problem` is a failure, the argument `reason` must say why. If the pinned
/// plan does not fit, the caller should report the reason in the result by
/// rejectPlan().
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

/// If `op` is never lowered by a plan, whatever the machine, returns a
/// selection without a plan, with the reason. Otherwise returns std::nullopt.
std::optional<PlanSelection> selectNone(Operation *op);

/// Emits remarks in the name of `pass`: for each rejected strategy its reason,
/// and then the chosen plan, or the reason why `op` is not lowered. If the
/// pinned plan of `op` does not fit, emits an error instead, and fails.
/// `getPlan` is called only if a remark is emitted.
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
