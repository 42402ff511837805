// The parameters of plans as fields of structs. A strategy's struct names them
// once:
//
//   struct DirectPlan : PlanBase {
//     static constexpr StringLiteral kStrategy = "direct";
//     int64_t lanes = 1;
//     template <typename Fields> void visit(Fields &fields) {
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
  template <typename Fields>
  void visit(Fields &) {}
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

/// Writes fields into a dictionary, without false and null ones.
class PlanWriter {
public:
  explicit PlanWriter(MLIRContext *context) : b(context) {}

  void integer(StringRef name, int64_t value, int64_t, int64_t) {
    parameters.append(name, b.getI64IntegerAttr(value));
  }
  void flag(StringRef name, bool value) {
    if (value)
      parameters.append(name, b.getBoolAttr(true));
  }
  template <typename EnumT>
  void keyword(StringRef name, EnumT value, ArrayRef<StringRef> keywords) {
    parameters.append(name,
                      b.getStringAttr(keywords[static_cast<unsigned>(value)]));
  }
  void plan(StringRef name, PlanAttr value) {
    if (value)
      parameters.append(name, value);
  }
  PlanAttr get(StringRef strategy) {
    MLIRContext *context = b.getContext();
    return PlanAttr::get(context, b.getStringAttr(strategy),
                         parameters.getDictionary(context));
  }

private:
  Builder b;
  NamedAttrList parameters;
};

/// Reads them. The first that is missing, of another type or out of bounds is
/// the reason of a failure, and so is one that no field has.
class PlanReader {
public:
  PlanReader(PlanAttr attr, std::string &reason)
      : unread(attr.getParameters()), reason(reason) {}

  void integer(StringRef name, int64_t &value, int64_t least, int64_t most) {
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
    auto given = take<BoolAttr>(name, "true or false", /*isRequired=*/false);
    value = given && given.getValue();
  }
  template <typename EnumT>
  void keyword(StringRef name, EnumT &value, ArrayRef<StringRef> keywords) {
    auto given = take<StringAttr>(name, "a string", /*isRequired=*/true);
    if (!given)
      return;
    const StringRef *it = llvm::find(keywords, given.getValue());
    if (it == keywords.end())
      return fail(llvm::formatv("{0} is \"{1}\", must be one of {2}", name,
                                given.getValue(), llvm::join(keywords, ", ")));
    value = static_cast<EnumT>(it - keywords.begin());
  }
  void plan(StringRef name, PlanAttr &value) {
    value = take<PlanAttr>(name, "a plan", /*isRequired=*/false);
  }
  LogicalResult finish() {
    if (!unread.empty())
      fail(llvm::formatv("{0} is no parameter of it",
                         unread.begin()->getName().getValue()));
    return failure(hasFailed);
  }

private:
  void fail(std::string why) {
    if (!std::exchange(hasFailed, true))
      reason = std::move(why);
  }
  template <typename AttrT>
  AttrT take(StringRef name, StringRef type, bool isRequired) {
    Attribute given = unread.erase(name);
    auto result = dyn_cast_if_present<AttrT>(given);
    if (given && !result)
      fail(llvm::formatv("{0} is {1}, must be {2}", name, given, type));
    else if (!given && isRequired)
      fail(llvm::formatv("{0} is missing", name));
    return result;
  }

  NamedAttrList unread;
  std::string &reason;
  bool hasFailed = false;
};

template <typename PlanT>
PlanAttr writePlan(MLIRContext *context, PlanT plan) {
  PlanWriter writer(context);
  plan.visit(writer);
  writer.plan("otherwise", plan.otherwise);
  return writer.get(PlanT::kStrategy);
}

template <typename PlanT>
FailureOr<PlanT> readPlan(PlanAttr attr, std::string &reason) {
  PlanT plan;
  PlanReader reader(attr, reason);
  plan.visit(reader);
  reader.plan("otherwise", plan.otherwise);
  if (failed(reader.finish()))
    return failure();
  return plan;
}

/// Fails where the code of `what` is longer than `most` operations.
inline LogicalResult checkCodeSize(StringRef what, int64_t size, int64_t most,
                                   std::string &reason) {
  if (size <= most)
    return success();
  return refuse(reason, "{0} is about {1} operations, more than {2}", what,
                size, most);
}
/// Fails where `what` of a plan would take too long to compile.
inline LogicalResult checkPinnedSize(StringRef what, int64_t size,
                                     std::string &reason) {
  return checkCodeSize(what, size, cost::kMaxPinnedCodeSize, reason);
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
