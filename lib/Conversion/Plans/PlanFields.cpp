// Writes and reads the parameters of a plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanFields.h"

#include "pool/Support/Names.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;

template <typename AttrT>
AttrT PlanFields::take(StringRef name, StringRef type, bool isRequired) {
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

template <typename AttrT>
void PlanFields::optional(StringRef name, AttrT &value, StringRef type) {
  if (reason)
    value = take<AttrT>(name, type, /*isRequired=*/false);
  else if (value)
    attrs.append(name, value);
}

void PlanFields::integer(StringRef name, int64_t &value, int64_t least,
                         int64_t most) {
  if (!reason)
    return attrs.append(name, b.getI64IntegerAttr(value));
  auto given = take<IntegerAttr>(name, "an integer", /*isRequired=*/true);
  if (!given)
    return;
  // Reject i1, because a BoolAttr is an IntegerAttr, too.
  if (!given.getType().isSignlessInteger(64))
    return fail(llvm::formatv("{0} is {1}, must be an integer", name, given));
  value = given.getInt();
  if (value < least || value > most)
    fail(llvm::formatv("{0} is {1}, must be {2} to {3}", name, value, least,
                       most));
}

void PlanFields::flag(StringRef name, bool &value) {
  BoolAttr attr = value ? b.getBoolAttr(true) : BoolAttr();
  optional(name, attr, "true or false");
  value = attr && attr.getValue();
}

void PlanFields::plan(StringRef name, PlanAttr &value) {
  optional(name, value, "a plan");
}

void PlanFields::keyword(StringRef name, unsigned &value,
                         ArrayRef<StringRef> keywords) {
  if (!reason)
    return attrs.append(name, b.getStringAttr(keywords[value]));
  auto given = take<StringAttr>(name, "a string", /*isRequired=*/true);
  if (!given)
    return;
  const StringRef *it = llvm::find(keywords, given.getValue());
  if (it == keywords.end())
    return fail(llvm::formatv("{0} is \"{1}\", must be one of {2}", name,
                              given.getValue(), llvm::join(keywords, ", ")));
  value = it - keywords.begin();
}

PlanAttr PlanFields::write(StringRef strategy) {
  MLIRContext *context = b.getContext();
  return PlanAttr::get(context, b.getStringAttr(strategy),
                       attrs.getDictionary(context));
}

LogicalResult PlanFields::finishReading() {
  // A misspelled parameter makes one name unknown and another one missing.
  // Report the unknown name, which helps more.
  if (!attrs.empty() && (!hasFailed || lacksField)) {
    StringRef name = attrs.begin()->getName().getValue();
    hasFailed = true;
    *reason = llvm::formatv("{0} is no parameter of it; {1}", name,
                            suggestName(name, names, "parameter"));
  }
  return failure(hasFailed);
}
