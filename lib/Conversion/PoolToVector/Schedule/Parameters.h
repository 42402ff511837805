// The parameters of plans as fields of structs. A strategy's struct names them
// once:
//
//   struct DirectPlan : PlanBase {
//     static constexpr StringLiteral kStrategy = "direct";
//     int64_t lanes = 1;
//     void visit(PlanFields &fields) {
//       fields.integer("lanes", lanes, 1, 64);
//     }
//     FailureOr<double> choose(const Problem &problem, std::string &reason);
//     void emit(WindowKernel &kernel) const;
//   };
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_PARAMETERS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_PARAMETERS_H

#include "Problem/CostModel.h"
#include "Problem/Problem.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::pool {

/// The cases that earlier plans of a chain of `otherwise` leave.
struct PlanScope {
  /// Rows have so many columns at least.
  int64_t minColumns = 1;
};

/// Writes the fields of a plan into an attribute, without false and null ones,
/// or reads them. The first that is missing, of another type or out of bounds
/// is the reason of a failure, and so is one that no field has.
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
    if (!attrs.empty())
      fail(llvm::formatv("{0} is no parameter of it",
                         attrs.begin()->getName().getValue()));
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
    Attribute given = attrs.erase(name);
    auto result = dyn_cast_if_present<AttrT>(given);
    if (given && !result)
      fail(llvm::formatv("{0} is {1}, must be {2}", name, given, type));
    else if (!given && isRequired)
      fail(llvm::formatv("{0} is missing", name));
    return result;
  }

  Builder b;
  /// The fields that were written, or are still to be read.
  NamedAttrList attrs;
  /// Null if fields are written.
  std::string *reason = nullptr;
  bool hasFailed = false;
};

/// What every plan has. A plan may hide these members by its own. It also has
/// `choose`, which sets the parameters to the best ones for a problem and
/// returns the cost in cycles per output, and `emit`. Functions that fail set
/// `reason`.
struct PlanBase {
  /// The plan for extents, known at run time only, that this one does not
  /// support; or null.
  PlanAttr otherwise;

  /// Names what a plan is for, if it is for all of that and no other one
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
  /// Returns what a remark says about the parameters beside the cost, or
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

/// The parameters of a plan that was checked.
template <typename PlanT>
PlanT getChecked(PlanAttr attr) {
  std::string reason;
  FailureOr<PlanT> plan = readPlan<PlanT>(attr, reason);
  assert(succeeded(plan) && "the plan was checked");
  return *plan;
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCHEDULE_PARAMETERS_H
