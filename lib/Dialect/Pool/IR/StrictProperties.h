// How the operations of the dialect are registered, so that nothing in their
// properties is silently ignored. What tablegen generates looks up the keys
// that an operation has in the dictionary of the generic form, and passes over
// all others: `stride` for `strides` would be a stride of 1.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_STRICTPROPERTIES_H
#define POOL_LIB_DIALECT_POOL_IR_STRICTPROPERTIES_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir::pool::detail {

using EmitErrorFn = function_ref<InFlightDiagnostic()>;

/// Sets properties through `set`, which must fail if a value does not fit;
/// `get` gives the dictionary of what has been set. Reports the key of a value
/// that does not fit, and every key that is not in that dictionary. `emitError`
/// may be null.
LogicalResult
setPropertiesStrictly(Attribute attr,
                      function_ref<LogicalResult(Attribute, EmitErrorFn)> set,
                      function_ref<Attribute()> get, EmitErrorFn emitError);

/// `OpT` to all intents, with its type id, but for how an attribute becomes its
/// properties.
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

/// Registers operations as Dialect::addOperations does.
template <typename... OpTs>
void addStrictOperations(Dialect &dialect) {
  (RegisteredOperationName::insert<Strict<OpTs>>(dialect), ...);
}

} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_STRICTPROPERTIES_H
