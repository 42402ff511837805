// Reads the parameters of a plan from an attribute, and writes them into one.
// Each plan declares its parameters once, in declareParameters(), for both
// directions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H
#define POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {

/// Sets `reason` to `format`, filled in with `values` by llvm::formatv(), and
/// returns failure.
template <typename... ValueTs>
LogicalResult refuse(std::string &reason, const char *format,
                     ValueTs... values) {
  reason = llvm::formatv(format, values...).str();
  return failure();
}

/// Writes the parameters of a plan into an attribute, or reads them from one.
/// The constructor decides which. Writing leaves out flags that are false and
/// plans that are null. Reading records the first error: a parameter that is
/// missing, has the wrong type or is out of range. finishReading() fails with
/// this error, or with an unknown parameter. If the first error is a missing
/// parameter, an unknown parameter is reported instead.
class PlanFields {
public:
  /// Creates an object that writes parameters.
  explicit PlanFields(MLIRContext *context) : b(context) {}
  /// Creates an object that reads parameters from `attr`. It sets `reason` if
  /// reading fails; `reason` must outlive the object.
  PlanFields(PlanAttr attr, std::string &reason)
      : b(attr.getContext()), attrs(attr.getParameters()), reason(&reason) {}

  void integer(StringRef name, int64_t &value, int64_t least, int64_t most);
  void flag(StringRef name, bool &value);
  /// Declares a parameter of enumeration type. `keywords[i]` is the name of the
  /// enumerator with value `i`.
  template <typename EnumT>
  void keyword(StringRef name, EnumT &value, ArrayRef<StringRef> keywords) {
    unsigned number = static_cast<unsigned>(value);
    keyword(name, number, keywords);
    value = static_cast<EnumT>(number);
  }
  /// Declares a parameter that is a plan and may be missing. If it is missing,
  /// reading sets `value` to null.
  void plan(StringRef name, PlanAttr &value);

  /// Call write() or finishReading() once, after all parameters were declared.
  /// write() returns the attribute. finishReading() fails, with the reason, if
  /// the attribute has wrong parameters.
  PlanAttr write(StringRef strategy);
  LogicalResult finishReading();

private:
  void keyword(StringRef name, unsigned &value, ArrayRef<StringRef> keywords);
  template <typename AttrT>
  void optional(StringRef name, AttrT &value, StringRef type);
  void fail(std::string why) {
    if (!std::exchange(hasFailed, true))
      *reason = std::move(why);
  }
  template <typename AttrT>
  AttrT take(StringRef name, StringRef type, bool isRequired);

  Builder b;
  /// When writing, the parameters written so far. When reading, the parameters
  /// of the attribute that were not read yet.
  NamedAttrList attrs;
  /// Names of the parameters read so far. For an unknown name, the closest of
  /// them is suggested.
  SmallVector<StringRef> names;
  /// Null if this object writes.
  std::string *reason = nullptr;
  bool hasFailed = false;
  /// True if the first error of reading is a missing parameter.
  bool lacksField = false;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H
