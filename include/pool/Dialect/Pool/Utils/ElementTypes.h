// Element types of pooling as arith computes on them: without a sign, and wide
// enough for sums.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ELEMENTTYPES_H
#define POOL_DIALECT_POOL_UTILS_ELEMENTTYPES_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

/// `type` without its sign; an element type or a vector of one.
Type getSignless(Type type);
/// Casts between an element type and its signless form; no op where they agree.
Value castToSignless(OpBuilder &b, Location loc, Value value);
Value castFromSignless(OpBuilder &b, Location loc, Value value, Type type);

/// The type that sums of floats are made in: f32 for f16 and bf16.
Type getFloatAccumulator(Type type);
/// An element, or a vector of elements, as the accumulator's type, by its own
/// sign. `accType` is the type of one.
Value extendElement(OpBuilder &b, Location loc, Value element, Type accType);
/// A float as the element type; no op where it is.
Value truncateFloat(OpBuilder &b, Location loc, Value value, Type type);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ELEMENTTYPES_H
