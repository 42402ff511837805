// Element types that pooling computes with in arith: signless, and wide enough
// for sums.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_ELEMENTTYPES_H
#define POOL_DIALECT_POOL_IR_ELEMENTTYPES_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

// Declares isPoolFloat and isPoolInteger, generated from PoolTypes.td: they are
// true for the float and the integer types of elements.
#include "pool/Dialect/Pool/IR/PoolTypes.h.inc"

/// True if `type` is a float or integer type of elements. Quantised types,
/// which some pooling operations support too, are not among them.
inline bool isPoolElementType(Type type) {
  return isPoolFloat(type) || isPoolInteger(type);
}

/// Returns the signless form of `type`, an element type or a vector of one.
/// Floats and signless types stay as they are.
Type getSignless(Type type);
/// Casts `value` to the signless form of its type. Creates no op if it has that
/// type already.
Value castToSignless(OpBuilder &b, Location loc, Value value);
/// Casts `value` from the signless form of `type` to `type`. Creates no op if
/// it has that type already.
Value castFromSignless(OpBuilder &b, Location loc, Value value, Type type);

/// Returns the type in which floats of `type` are summed: f32 for f16 and bf16,
/// else `type`.
Type getFloatAccumulator(Type type);
/// Extends an element, or a vector of elements, to the signless element type
/// `accType`. An unsigned integer is zero-extended, a signed or signless one
/// sign-extended.
Value extendElement(OpBuilder &b, Location loc, Value element, Type accType);
/// Truncates a float to `type`. Creates no op if it has that type already.
Value truncateFloat(OpBuilder &b, Location loc, Value value, Type type);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ELEMENTTYPES_H
