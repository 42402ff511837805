// Plans as C++ objects, and the choice of the cheapest one. A strategy is a way
// to lower an operation. A plan is a strategy with values for its parameters,
// and each kind of operation has a list of strategies. A plan is a struct whose
// fields are the parameters:
//
//   struct DirectPlan : WindowPlan {
//     int64_t lanes = 2;
//     DirectPlan() : WindowPlan("direct", "windows") {}
//     void visit(PlanFields &fields) override {
//       fields.integer("lanes", lanes, 2, 1 << 20);
//     }
//     FailureOr<double> choose(const Problem &problem,
//                              std::string &reason) override;
//     void emit(WindowKernel &kernel) const override;
//   };
//
// The steps for one operation; `choose` and `check` create no IR:
//
//   admit -> choose -> check     for each strategy, by choosePlan()
//   or read -> admit -> check    for a pinned plan: the attribute pool.plan
//   emit                         for the plan with the least cost
//
// Most plans are never written as an attribute. Only pinned plans and those of
// pool-select-plan are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLAN_H
#define POOL_LIB_CONVERSION_PLANS_PLAN_H

#include "Plans/PlanFields.h"
#include "pool/Conversion/PlanSelection.h"
#include "llvm/ADT/StringExtras.h"

#include <memory>

namespace mlir::pool {

/// Facts that hold whenever a fallback runs, because the plans before it in its
/// chain handle all other extents.
struct PlanScope {
  /// Each row of outputs has at least this number of columns.
  int64_t minColumns = 1;
};

/// A way to lower an operation. `ProblemT` describes the operation, and
/// `EmitterT` builds the code. Functions that fail set `reason`.
template <typename ProblemT, typename EmitterT>
struct Plan {
  using Problem = ProblemT;

  /// If `covers` is not empty, the plan takes no fallback. readPlan() refuses
  /// one by the error "it is for all {covers}: otherwise has no meaning". If it
  /// is empty, check() decides whether a fallback is allowed.
  explicit Plan(StringLiteral strategy, StringLiteral covers = "extents")
      : strategy(strategy), covers(covers) {}
  virtual ~Plan() = default;

  /// Calls `fields` for each parameter, to read it from an attribute or to
  /// write it to one.
  virtual void visit(PlanFields &) {}
  /// Fails if the strategy cannot lower the problem, whatever its parameters
  /// are.
  virtual LogicalResult admit(const ProblemT &, std::string &) const {
    return success();
  }
  /// Sets the parameters to the best ones for a problem that admit() has
  /// accepted, and returns the predicted cost.
  virtual FailureOr<double> choose(const ProblemT &, std::string &reason) = 0;
  /// Fails if the parameters do not fit a problem that admit() has accepted.
  /// `scope` has what the plan may assume. Changes `scope` to what the fallback
  /// may assume.
  virtual LogicalResult check(const ProblemT &, PlanScope &scope,
                              std::string &reason) const {
    return success();
  }
  /// Returns a text about the parameters for a remark, or an empty string.
  virtual std::string explain(const ProblemT &) const { return ""; }
  /// True if the plan supports only some extents and choosePlan() must give it
  /// a fallback. False if the plan supports all extents, or if choose() sets
  /// the fallback itself.
  virtual bool isPartial(const ProblemT &) const { return false; }
  /// True if loops address several dimensions of a result as one. Then each
  /// result must be a packed buffer, not a slice of another buffer.
  virtual bool needsPackedResults(const ProblemT &) const { return false; }
  /// Emits a test and returns its i1, which is true if the plan supports the
  /// extents at run time. Returns null if the plan supports all extents.
  virtual Value createCondition(EmitterT &) const { return {}; }
  virtual void emit(EmitterT &) const = 0;

  StringLiteral strategy, covers;
  /// The plan for extents that createCondition() rejects; null if there is
  /// none.
  std::shared_ptr<Plan> fallback;
};

/// Function that creates a plan with default parameters.
template <typename PlanT>
using Strategy = std::shared_ptr<PlanT> (*)();
template <typename BaseT, typename PlanT>
std::shared_ptr<BaseT> createPlan() {
  return std::make_shared<PlanT>();
}

template <typename ProblemT, typename EmitterT>
PlanAttr writePlan(MLIRContext *context, Plan<ProblemT, EmitterT> &plan) {
  PlanFields fields(context);
  plan.visit(fields);
  PlanAttr fallback;
  if (plan.fallback)
    fallback = writePlan(context, *plan.fallback);
  fields.plan("otherwise", fallback);
  return fields.write(plan.strategy);
}

/// Creates the plan that `attr` describes, with its fallbacks. Fails and sets
/// `reason` if one of them names an unknown strategy, has wrong parameters, or
/// has a fallback although its strategy takes none.
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
    plan->visit(fields);
    fields.plan("otherwise", fallback);
    if (failed(fields.finishReading()))
      return refuse(reason, "{0}: {1}", plan->strategy, reason);
    if (fallback && !plan->covers.empty())
      return refuse(reason, "{0}: it is for all {1}: otherwise has no meaning",
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

/// Fails and sets `reason` if the plan or one of its fallbacks does not fit
/// `problem`.
template <typename ProblemT, typename EmitterT>
LogicalResult checkPlan(const Plan<ProblemT, EmitterT> &plan,
                        const ProblemT &problem, std::string &reason) {
  PlanScope scope;
  for (auto *part = &plan; part; part = part->fallback.get())
    if (failed(part->admit(problem, reason)) ||
        failed(part->check(problem, scope, reason)))
      return refuse(reason, "{0}: {1}", part->strategy, reason);
  return success();
}

/// The best plan of one strategy, and its cost. If the strategy has no plan,
/// `plan` is null and `reason` says why.
template <typename PlanT>
struct Candidate {
  StringRef strategy;
  std::shared_ptr<PlanT> plan;
  /// Predicted cost, in the unit that the list of strategies uses. For CPUs it
  /// is cycles per output.
  double cost = 0;
  std::string reason;
};

template <typename PlanT>
Candidate<PlanT> createCandidate(Strategy<PlanT> strategy,
                                 const typename PlanT::Problem &problem) {
  std::shared_ptr<PlanT> plan = strategy();
  Candidate<PlanT> candidate = {plan->strategy, nullptr, 0, ""};
  if (failed(plan->admit(problem, candidate.reason)))
    return candidate;
  FailureOr<double> cost = plan->choose(problem, candidate.reason);
  if (succeeded(cost))
    candidate = {plan->strategy, plan, *cost, ""};
  return candidate;
}

/// The plan by which an operation is lowered, and how it was chosen. The plan
/// is null if no strategy supports the operation, or if its pinned plan does
/// not fit.
template <typename PlanT>
struct PlanChoice : PlanReport {
  std::shared_ptr<PlanT> plan;
  /// The operation's attribute `pool.plan`, whether it fits or not; null if the
  /// operation has none.
  PlanAttr pinned;

  PlanSelection write(MLIRContext *context) const {
    return {*this, plan ? getAttr(context) : PlanAttr()};
  }
  /// Returns the plan as an attribute. Requires that there is a plan.
  PlanAttr getAttr(MLIRContext *context) const {
    return pinned ? pinned : writePlan(context, *plan);
  }
};

/// Chooses the cheapest plan for all extents, and the first one if costs are
/// equal. Partial plans support only some extents. They are put before it in a
/// chain, in the order of `strategies`, and each has the next plan as its
/// fallback. If no strategy has a plan for all extents, the result has no plan.
/// `unit` names the unit of costs in remarks.
template <typename PlanT>
PlanChoice<PlanT> choosePlan(const typename PlanT::Problem &problem,
                             ArrayRef<Strategy<PlanT>> strategies,
                             StringRef unit) {
  PlanChoice<PlanT> choice;
  std::string reasons;
  SmallVector<Candidate<PlanT>> candidates;
  for (Strategy<PlanT> strategy : strategies) {
    Candidate<PlanT> candidate = createCandidate(strategy, problem);
    // A chosen plan must pass the check that a pinned plan must pass. Exempt
    // partial plans: they get their fallback only below, and check() refuses
    // them without one.
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

/// Returns the pinned plan of `op` if it has one, else the plan of
/// choosePlan(). The result has no plan if `problem` is a failure; then the
/// caller must say in `reason` why. It has no plan either if the pinned plan
/// does not fit; then the result's reason says why, and the caller reports it
/// by rejectPlan().
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

/// If `op` is lowered without a plan on every machine, returns a selection that
/// has no plan, and the reason. Otherwise returns nothing.
std::optional<PlanSelection> selectNone(Operation *op);

/// Emits the remarks of `pass` about the choice for `op`: each rejected
/// strategy with its reason, and the chosen plan, or why there is none. If the
/// pinned plan of `op` does not fit, emits an error instead, and fails. Calls
/// `getPlan` only if a remark is emitted.
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
