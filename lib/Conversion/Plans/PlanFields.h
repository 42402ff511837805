// Writes the parameters of a plan to an attribute, and reads them from one. A
// plan lists its parameters once, in its function visit(), for both directions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H
#define POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {

/// Sets `reason` to the text of llvm::formatv(format, values...), and returns
/// failure.
template <typename... ValueTs>
LogicalResult refuse(std::string &reason, const char *format,
                     ValueTs... values) {
  reason = llvm::formatv(format, values...).str();
  return failure();
}

/// Writes the fields of a plan into an attribute, or reads them from one.
/// Writing omits flags that are false and plans that are null. If reading
/// fails, the reason names the first field that is missing, of another type or
/// out of bounds. If a field is missing and an unknown parameter is present, it
/// names the unknown parameter, which may be a misspelling.
class PlanFields {
public:
  /// Creates an object that writes.
  explicit PlanFields(MLIRContext *context) : b(context) {}
  /// Creates an object that reads from `attr`. A failure sets `reason`.
  PlanFields(PlanAttr attr, std::string &reason)
      : b(attr.getContext()), attrs(attr.getParameters()), reason(&reason) {}

  void integer(StringRef name, int64_t &value, int64_t least, int64_t most);
  void flag(StringRef name, bool &value);
  /// Reads or writes a field of an enumeration. Entry i of `keywords` is the
  /// text of the enumerator with the value i.
  template <typename EnumT>
  void keyword(StringRef name, EnumT &value, ArrayRef<StringRef> keywords) {
    unsigned number = static_cast<unsigned>(value);
    keyword(name, number, keywords);
    value = static_cast<EnumT>(number);
  }
  /// Reads or writes a fallback. If the field is missing, reads null.
  void plan(StringRef name, PlanAttr &value);

  /// Call one of these after all fields were visited. write() returns the
  /// attribute. finishReading() fails if a field was wrong or is unknown.
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
  /// Receives the reason of a failure. Null if fields are written.
  std::string *reason = nullptr;
  bool hasFailed = false;
  /// True if the reason is that a field is missing.
  bool lacksField = false;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_PLANFIELDS_H
