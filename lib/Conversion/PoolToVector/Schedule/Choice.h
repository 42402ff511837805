// The choice between strategies: for a kind of problem there is a table of
// them. Plans are structs whose fields are the parameters. A strategy's struct
// names them once:
//
//   struct DirectPlan : PlanBase {
//     static constexpr StringLiteral kStrategy = "direct";
//     int64_t lanes = 2;
//     void visit(PlanFields &fields) {
//       fields.integer("lanes", lanes, 2, 1 << 20);
//     }
//     FailureOr<double> choose(const Problem &problem, std::string &reason);
//     void emit(WindowKernel &kernel) const;
//   };
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H

#include "../Remarks.h"
#include "Problem/CostModel.h"
#include "Problem/Problem.h"
#include "pool/Support/Names.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::pool {

/// The cases that earlier plans of a chain of `otherwise` leave.
struct PlanScope {
  /// Rows have so many columns at least.
  int64_t minColumns = 1;
};

/// Writes the fields of a plan into an attribute, without false and null ones,
/// or reads them. The reason of a failure is the first field that is missing,
/// of another type or out of bounds. A parameter that no field has is a reason,
/// too, and comes before a missing field.
class PlanFields {
public:
  explicit PlanFields(MLIRContext *context) : b(context) {}
  PlanFields(PlanAttr attr, std::string &reason)
      : b(attr.getContext()), attrs(attr.getParameters()), reason(&reason) {}

  void integer(StringRef name, int64_t &value, int64_t least, int64_t most) {
    if (!reason)
      return attrs.append(name, b.getI64IntegerAttr(value));
    auto given = take<IntegerAttr>(name, "an integer", /*isRequired=*/true);
    if (!given)
      return;
    // A bool is an integer, too.
    if (!given.getType().isSignlessInteger(64))
      return fail(llvm::formatv("{0} is {1}, must be an integer", name, given));
    value = given.getInt();
    if (value < least || value > most)
      fail(llvm::formatv("{0} is {1}, must be {2} to {3}", name, value, least,
                         most));
  }
  void flag(StringRef name, bool &value) {
    BoolAttr attr = value ? b.getBoolAttr(true) : BoolAttr();
    visit(name, attr, "true or false");
    value = attr && attr.getValue();
  }
  template <typename EnumT>
  void keyword(StringRef name, EnumT &value, ArrayRef<StringRef> keywords) {
    if (!reason)
      return attrs.append(
          name, b.getStringAttr(keywords[static_cast<unsigned>(value)]));
    auto given = take<StringAttr>(name, "a string", /*isRequired=*/true);
    if (!given)
      return;
    const StringRef *it = llvm::find(keywords, given.getValue());
    if (it == keywords.end())
      return fail(llvm::formatv("{0} is \"{1}\", must be one of {2}", name,
                                given.getValue(), llvm::join(keywords, ", ")));
    value = static_cast<EnumT>(it - keywords.begin());
  }
  void plan(StringRef name, PlanAttr &value) { visit(name, value, "a plan"); }

  PlanAttr write(StringRef strategy) {
    MLIRContext *context = b.getContext();
    return PlanAttr::get(context, b.getStringAttr(strategy),
                         attrs.getDictionary(context));
  }
  LogicalResult finishReading() {
    // A misspelt parameter is a better reason than the one that is missing for
    // it.
    if (!attrs.empty() && (!hasFailed || lacksField)) {
      StringRef name = attrs.begin()->getName().getValue();
      hasFailed = true;
      *reason = llvm::formatv("{0} is no parameter of it; {1}", name,
                              suggestName(name, names, "parameter"));
    }
    return failure(hasFailed);
  }

private:
  /// A field that may be missing.
  template <typename AttrT>
  void visit(StringRef name, AttrT &value, StringRef type) {
    if (reason)
      value = take<AttrT>(name, type, /*isRequired=*/false);
    else if (value)
      attrs.append(name, value);
  }
  void fail(std::string why) {
    if (!std::exchange(hasFailed, true))
      *reason = std::move(why);
  }
  template <typename AttrT>
  AttrT take(StringRef name, StringRef type, bool isRequired) {
    names.push_back(name);
    Attribute given = attrs.erase(name);
    auto result = dyn_cast_if_present<AttrT>(given);
    if (given && !result)
      fail(llvm::formatv("{0} is {1}, must be {2}", name, given, type));
    else if (!given && isRequired) {
      lacksField |= !hasFailed;
      fail(llvm::formatv("{0} is missing", name));
    }
    return result;
  }

  Builder b;
  /// The fields that were written, or are still to be read.
  NamedAttrList attrs;
  /// Names of the fields that were read.
  SmallVector<StringRef> names;
  /// Null if fields are written.
  std::string *reason = nullptr;
  bool hasFailed = false;
  /// True if the reason is a missing field.
  bool lacksField = false;
};

/// The emitter of plans that no strategy emits, but their own lowering.
struct NoEmitter {};

/// The members of every plan. A plan may hide these members by its own. It also
/// has `choose`, which sets the parameters to the best ones for a problem and
/// returns the cost in cycles per output, and `emit`. Functions that fail set
/// `reason`.
struct PlanBase {
  /// The plan for extents, known at run time only, that this one does not
  /// support; or null.
  PlanAttr otherwise;

  /// Names the cases of a plan if it is for all of them and no other plan
  /// follows; else empty.
  static constexpr StringLiteral kWhole = "extents";
  void visit(PlanFields &) {}
  /// Refuses problems that no parameters are for.
  template <typename ProblemT>
  static LogicalResult admit(const ProblemT &, std::string &) {
    return success();
  }
  /// Refuses parameters that do not fit. Sets `scope` for `otherwise`.
  template <typename ProblemT>
  LogicalResult check(const ProblemT &, PlanScope &, std::string &) const {
    return success();
  }
  /// Returns the words of a remark about the parameters, beside the cost; or
  /// nothing.
  template <typename ProblemT>
  std::string explain(const ProblemT &) const {
    return "";
  }
  /// True if the plan supports only some of the extents at run time, so that
  /// another plan is needed for the rest.
  template <typename ProblemT>
  bool isPartial(const ProblemT &) const {
    return false;
  }
  /// True if loops write several dimensions of the results as one, so that the
  /// results cannot be slices of other buffers.
  template <typename ProblemT>
  static bool needsPackedResults(const ProblemT &) {
    return false;
  }
  /// Emits a test that the plan supports the extents at run time. Returns null
  /// if it always does.
  template <typename EmitterT>
  Value createCondition(EmitterT &) const {
    return {};
  }
  void emit(NoEmitter &) const {}
};

template <typename PlanT>
PlanAttr writePlan(MLIRContext *context, PlanT plan) {
  PlanFields fields(context);
  plan.visit(fields);
  fields.plan("otherwise", plan.otherwise);
  return fields.write(PlanT::kStrategy);
}

template <typename PlanT>
FailureOr<PlanT> readPlan(PlanAttr attr, std::string &reason) {
  PlanT plan;
  PlanFields fields(attr, reason);
  plan.visit(fields);
  fields.plan("otherwise", plan.otherwise);
  if (failed(fields.finishReading()))
    return failure();
  return plan;
}

/// Fails where the code of `what` is longer than `most` operations. By default,
/// these are as many as a pinned plan may have.
inline LogicalResult checkCodeSize(StringRef what, int64_t size,
                                   std::string &reason,
                                   int64_t most = cost::kMaxPinnedCodeSize) {
  if (size <= most)
    return success();
  return refuse(reason, "{0} is about {1} operations, more than {2}", what,
                size, most);
}

/// Refuses a pinned plan that keeps more vectors than a few times the
/// registers.
inline LogicalResult checkKept(StringRef how, int64_t number,
                               const Target &target, std::string &reason) {
  int64_t most = cost::kMaxSpilledFactor * target.numVectorRegisters;
  if (number <= most)
    return success();
  return refuse(reason, "{0} vectors are {1}, more than {2}", number, how,
                most);
}

/// The answer of a strategy to a problem.
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

/// A way to plan the operations that `ProblemT` describes, and to lower them by
/// code that `EmitterT` builds: the functions of a struct of parameters, by its
/// name. Plans are chosen and checked before anything is built; emission
/// chooses nothing.
template <typename ProblemT, typename EmitterT = NoEmitter>
struct Strategy {
  StringLiteral name;
  Candidate (*plan)(MLIRContext *context, const ProblemT &problem);
  LogicalResult (*check)(PlanAttr attr, const ProblemT &problem,
                         PlanScope &scope, std::string &reason);
  void (*emit)(EmitterT &emitter, PlanAttr attr);
  Value (*createCondition)(EmitterT &emitter, PlanAttr attr);
  bool (*needsPackedResults)(const ProblemT &problem);

  template <typename PlanT>
  static constexpr Strategy of() {
    return {PlanT::kStrategy,
            [](MLIRContext *context, const ProblemT &problem) {
              Candidate candidate;
              PlanT plan;
              if (failed(PlanT::admit(problem, candidate.note)))
                return candidate;
              FailureOr<double> cost = plan.choose(problem, candidate.note);
              if (succeeded(cost))
                candidate = {writePlan(context, plan), *cost,
                             plan.isPartial(problem), plan.explain(problem)};
              return candidate;
            },
            [](PlanAttr attr, const ProblemT &problem, PlanScope &scope,
               std::string &reason) -> LogicalResult {
              FailureOr<PlanT> plan = readPlan<PlanT>(attr, reason);
              if (failed(plan))
                return failure();
              if (plan->otherwise && !PlanT::kWhole.empty())
                return refuse(reason,
                              "it is for all {0}: otherwise has no meaning",
                              PlanT::kWhole);
              if (failed(PlanT::admit(problem, reason)))
                return failure();
              return plan->check(problem, scope, reason);
            },
            [](EmitterT &emitter, PlanAttr attr) {
              std::string none; // The plan was checked.
              readPlan<PlanT>(attr, none)->emit(emitter);
            },
            [](EmitterT &emitter, PlanAttr attr) -> Value {
              std::string none; // The plan was checked.
              return readPlan<PlanT>(attr, none)->createCondition(emitter);
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

/// Fails, with the reason, where `plan` or one that follows by `otherwise` does
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

/// Fails with an error: `op` has a plan, which does not fit for `reason`.
inline LogicalResult rejectPlan(Operation *op, const Twine &reason) {
  return op->emitOpError("cannot be lowered by ")
         << PlanAttr::getName() << ": " << reason;
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
  return rejectPlan(op, reason);
}

/// Returns the plan of `op`: its own, or the cheapest one for `problem`, the
/// first of equal ones. Partial plans come before it in a chain. Null if no
/// plan is complete, or if there is no problem: then `reason` says why. Remarks
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
    // extents lacks a plan for the rest.
    std::string refusal = candidate.note;
    if (candidate.plan &&
        (candidate.isPartial ||
         succeeded(checkPlan(candidate.plan, *problem, strategies, refusal)))) {
      candidates.push_back(candidate);
      continue;
    }
    remarkRejected(pass, op, strategy.name, refusal);
    reasons += llvm::formatv("{0}{1}: {2}", reasons.empty() ? "" : "; ",
                             strategy.name, refusal);
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
                        best->plan.getStrategy().getValue(), best->cost));
    }
  }
  remarkPlanned(pass, op, chosen,
                llvm::formatv("{0:f2} {1}{2}{3}", best->cost, unit,
                              best->note.empty() ? "" : "; ", best->note));
  return chosen;
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_CHOICE_H
