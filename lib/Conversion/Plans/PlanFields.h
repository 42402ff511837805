// The parameters of a plan, as they are written into an attribute and read
// from one. A plan names each of them once, in its function visit().
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H
#define POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {

/// Gives a format, with values for it, as the reason of a failure.
template <typename... ValueTs>
LogicalResult refuse(std::string &reason, const char *format,
                     ValueTs... values) {
  reason = llvm::formatv(format, values...).str();
  return failure();
}

/// Writes the fields of a plan into an attribute, or reads them from one.
/// Leaves out flags that are false and plans that are null. A failure reports
/// the first field that is missing, of another type or out of bounds. It
/// reports an unknown parameter rather than a missing field.
class PlanFields {
public:
  /// Creates an object that writes.
  explicit PlanFields(MLIRContext *context) : b(context) {}
  /// Creates an object that reads from `attr`. A failure sets `reason`.
  PlanFields(PlanAttr attr, std::string &reason)
      : b(attr.getContext()), attrs(attr.getParameters()), reason(&reason) {}

  void integer(StringRef name, int64_t &value, int64_t least, int64_t most);
  void flag(StringRef name, bool &value);
  /// A field whose values have these keywords, in the order of the enumeration.
  template <typename EnumT>
  void keyword(StringRef name, EnumT &value, ArrayRef<StringRef> keywords) {
    unsigned number = static_cast<unsigned>(value);
    keyword(name, number, keywords);
    value = static_cast<EnumT>(number);
  }
  /// A field that may be missing.
  void plan(StringRef name, PlanAttr &value);

  /// Call one of these after all fields were visited.
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

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H
