// Tests element types, and converts types and values for arith ops, which
// compute with signless types. Also chooses the float types of sums.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_ELEMENTTYPES_H
#define POOL_DIALECT_POOL_IR_ELEMENTTYPES_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

// Declares isPoolFloat and isPoolInteger, generated from PoolTypes.td. They are
// true for the float types and for the integer types that tensors of pooling
// may have as elements.
#include "pool/Dialect/Pool/IR/PoolTypes.h.inc"

/// True if `type` is a float or integer type of elements. False for quantized
/// types, although some pooling operations support them.
inline bool isPoolElementType(Type type) {
  return isPoolFloat(type) || isPoolInteger(type);
}

/// Returns the signless form of `type`, an element type or a vector of one.
/// Floats and signless types stay as they are.
Type getSignless(Type type);
/// Casts `value` to the signless form of its type. Creates no op if the type is
/// signless already.
Value castToSignless(OpBuilder &b, Location loc, Value value);
/// Casts `value` from the signless form of `type` to `type`. Creates no op if
/// `value` has type `type` already.
Value castFromSignless(OpBuilder &b, Location loc, Value value, Type type);

/// Returns the type in which floats of `type` are summed: f32 for f16 and bf16,
/// else `type`.
Type getFloatAccumulator(Type type);
/// Extends an element, or each lane of a vector, to the signless element type
/// `accType`, which must not be narrower. Zero-extends unsigned integers, and
/// sign-extends signed and signless ones.
Value extendElement(OpBuilder &b, Location loc, Value element, Type accType);
/// Truncates a float to `type`, which must be narrower. Returns `value` itself
/// if it has type `type` already.
Value truncateFloat(OpBuilder &b, Location loc, Value value, Type type);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ELEMENTTYPES_H
