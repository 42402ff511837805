// Plans as objects, and the choice between them. For each kind of operation
// there is a list of strategies. A strategy makes a plan, whose fields are the
// parameters:
//
//   struct DirectPlan : WindowPlan {
//     int64_t lanes = 2;
//     DirectPlan() : WindowPlan("direct", "windows") {}
//     void visit(PlanFields &fields) override {
//       fields.integer("lanes", lanes, 2, 1 << 20);
//     }
//     FailureOr<double> chooseParameters(const Problem &problem,
//                              std::string &reason) override;
//     void emit(WindowKernel &kernel) const override;
//   };
//
// A plan is chosen before anything of its operation is built, and then emitted.
// An attribute holds a plan only where somebody pins it or reads it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLAN_H
#define POOL_LIB_CONVERSION_PLANS_PLAN_H

#include "Plans/PlanFields.h"
#include "pool/Conversion/PlanSelection.h"
#include "llvm/ADT/StringExtras.h"

#include <memory>

namespace mlir::pool {

/// What a fallback may assume, because earlier plans of its chain handle the
/// rest.
struct PlanScope {
  /// A row has at least so many columns.
  int64_t minColumns = 1;
};

/// How an operation that `ProblemT` describes becomes code, which `EmitterT`
/// builds. Functions that fail set `reason`.
template <typename ProblemT, typename EmitterT>
struct Plan {
  using Problem = ProblemT;

  /// `covers` is for plans that take no fallback: the word in the error "it is
  /// for all {covers}: fallback has no meaning". It is empty if check()
  /// decides about the fallback.
  explicit Plan(StringLiteral strategy, StringLiteral covers = "extents")
      : strategy(strategy), covers(covers) {}
  virtual ~Plan() = default;

  /// Lists the parameters, to read or write them.
  virtual void declareParameters(PlanFields &) {}
  /// Fails if no choice of parameters supports the problem.
  virtual LogicalResult supports(const ProblemT &, std::string &) const {
    return success();
  }
  /// Sets the parameters to the best ones for an admitted problem, and returns
  /// the cost.
  virtual FailureOr<double> chooseParameters(const ProblemT &,
                                             std::string &reason) = 0;
  /// Refuses parameters that do not fit an admitted problem. `scope` has what
  /// earlier plans leave; changes it for the fallback.
  virtual LogicalResult check(const ProblemT &, PlanScope &scope,
                              std::string &reason) const {
    return success();
  }
  /// Returns words about the parameters, for a remark; or nothing.
  virtual std::string explain(const ProblemT &) const { return ""; }
  /// True if the plan supports only some of the extents at run time, and
  /// choosePlan() must find its fallback. False if choose() sets the fallback.
  virtual bool isPartial(const ProblemT &) const { return false; }
  /// True if loops write several dimensions of the results as one, so that the
  /// results cannot be slices of other buffers.
  virtual bool needsPackedResults(const ProblemT &) const { return false; }
  /// Emits a test that the plan supports the extents at run time. Returns null
  /// if it always does.
  virtual Value createCondition(EmitterT &) const { return {}; }
  virtual void emit(EmitterT &) const = 0;

  StringLiteral strategy, covers;
  /// The plan for the extents that createCondition() rejects; or null.
  std::shared_ptr<Plan> fallback;
};

/// Creates a plan with default parameters.
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

/// Reads a plan and its fallbacks. Fails, with the reason, if one of them names
/// an unknown strategy or has wrong parameters.
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

/// Fails, with the reason, where the plan or one of its fallbacks does not fit.
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

/// A plan with chosen parameters and its cost; or the reason why there is none.
template <typename PlanT>
struct Candidate {
  StringRef strategy;
  std::shared_ptr<PlanT> plan;
  /// In cycles per output unless the strategies say otherwise.
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

/// The plan by which an operation is lowered, and how it was chosen. The plan
/// is null if no strategy supports the operation, or if its own plan does not
/// fit.
template <typename PlanT>
struct PlanChoice : PlanReport {
  std::shared_ptr<PlanT> plan;
  /// The attribute that a pinned plan was read from.
  PlanAttr pinned;

  PlanSelection write(MLIRContext *context) const {
    return {*this, plan ? getAttr(context) : PlanAttr()};
  }
  /// Requires a plan.
  PlanAttr getAttr(MLIRContext *context) const {
    return pinned ? pinned : writePlan(context, *plan);
  }
};

/// Returns the cheapest plan for `problem`, the first of equal ones. Partial
/// plans come before it, each with the next as its fallback. There is no plan
/// if none is complete. `unit` is the unit of costs.
template <typename PlanT>
PlanChoice<PlanT> choosePlan(const typename PlanT::Problem &problem,
                             ArrayRef<Strategy<PlanT>> strategies,
                             StringRef unit) {
  PlanChoice<PlanT> choice;
  std::string reasons;
  SmallVector<Candidate<PlanT>> candidates;
  for (Strategy<PlanT> strategy : strategies) {
    Candidate<PlanT> candidate = createCandidate(strategy, problem);
    // Check chosen plans as pinned ones are checked. Partial plans have no
    // fallback yet, for which check() would refuse them.
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

/// Returns the pinned plan of `op` if it has one, else that of choosePlan(). If
/// `problem` failed, there is none, for `reason`. If the pinned plan does not
/// fit, there is none either; the reason is for rejectPlan().
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

/// Returns a selection without a plan if `op` needs no strategy on any machine,
/// else none.
std::optional<PlanSelection> selectNone(Operation *op);

/// Emits the remarks of `pass` about a choice for `op`: each rejected strategy
/// with its reason, and the plan, or why the operation is left alone. Emits an
/// error instead, and fails, if the operation's own plan does not fit.
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
