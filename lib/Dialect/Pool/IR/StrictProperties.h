// Registers the dialect's operations so that no property is silently ignored.
// In the generic form, the code that tablegen generates looks up only the keys
// that the operation has, and skips all others. With that code, the misspelled
// key `stride` for `strides` would mean a stride of 1.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_STRICTPROPERTIES_H
#define POOL_LIB_DIALECT_POOL_IR_STRICTPROPERTIES_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir::pool::detail {

using EmitErrorFn = function_ref<InFlightDiagnostic()>;

/// Sets properties from the dictionary `attr` through `set`, which must fail if
/// a value does not fit. `get` must return the dictionary of the properties set
/// so far. Fails at the first value that does not fit, or else at the first key
/// that `get` does not return. The error names the key. `emitError` may be
/// null.
LogicalResult
setPropertiesStrictly(Attribute attr,
                      function_ref<LogicalResult(Attribute, EmitErrorFn)> set,
                      function_ref<Attribute()> get, EmitErrorFn emitError);

/// The class that is registered in place of `OpT`, under the same type id. It
/// differs only in the conversion from attribute to properties.
template <typename OpT>
struct Strict : OpT {
  using OpT::OpT;

  static TypeID resolveTypeID() { return TypeID::get<OpT>(); }

  static LogicalResult
  setPropertiesFromAttr(typename OpT::Properties &properties, Attribute attr,
                        EmitErrorFn emitError) {
    return setPropertiesStrictly(
        attr,
        [&](Attribute attr, EmitErrorFn emitError) {
          return OpT::setPropertiesFromAttr(properties, attr, emitError);
        },
        [&] { return OpT::getPropertiesAsAttr(attr.getContext(), properties); },
        emitError);
  }
};

/// Registers each operation OpT as Strict<OpT>. Use it instead of
/// Dialect::addOperations.
template <typename... OpTs>
void addStrictOperations(Dialect &dialect) {
  (RegisteredOperationName::insert<Strict<OpTs>>(dialect), ...);
}

} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_STRICTPROPERTIES_H
