// Element types that pooling computes with in arith: signless, and wide enough
// for sums.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ELEMENTTYPES_H
#define POOL_DIALECT_POOL_UTILS_ELEMENTTYPES_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

// isPoolFloat and isPoolInteger: the element types of PoolTypes.td.
#include "pool/Dialect/Pool/IR/PoolTypes.h.inc"

/// True if pooling operations support tensors of `type`.
inline bool isPoolElementType(Type type) {
  return isPoolFloat(type) || isPoolInteger(type);
}

/// Returns `type`, an element type or a vector of one, without its sign.
Type getSignless(Type type);
/// Casts between an element type and its signless form; no op if they are
/// equal.
Value castToSignless(OpBuilder &b, Location loc, Value value);
Value castFromSignless(OpBuilder &b, Location loc, Value value, Type type);

/// Returns the type in which floats are summed: f32 for f16 and bf16.
Type getFloatAccumulator(Type type);
/// Extends an element, or a vector of elements, to the accumulator's element
/// type `accType`, by the element's own sign.
Value extendElement(OpBuilder &b, Location loc, Value element, Type accType);
/// Truncates a float to the element type; no op if the types are equal.
Value truncateFloat(OpBuilder &b, Location loc, Value value, Type type);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ELEMENTTYPES_H
