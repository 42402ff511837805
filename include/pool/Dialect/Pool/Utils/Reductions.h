// What maxima and averages are computed from, element by element: comparisons
// that do not depend on the order, sums that cannot overflow, exact division.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
#define POOL_DIALECT_POOL_UTILS_REDUCTIONS_H

#include "mlir/IR/Builders.h"
#include "pool/Dialect/Pool/IR/PoolEnums.h"

namespace mlir::pool {

/// The larger of accumulator and element, both of the signless form of
/// `elementType`. The accumulator begins as getLowest.
Value getMaximum(OpBuilder &b, Location loc, Value element, Value acc,
                 Type elementType, NanMode nanMode);

/// True if the element replaces the one chosen so far. Among equals the earlier
/// position wins, in whatever order they come. Positions are of type i64 and
/// compare as unsigned: kNoPosition, none so far, comes after all others. All
/// may be vectors.
Value isChosen(OpBuilder &b, Location loc, Value element, Value position,
               Value acc, Value accPosition, Type elementType, NanMode nanMode);

/// The type for the sum of `numPositions` integers of `elementType`, less a
/// zero point each, and for `divisor`: 32, 64 or 128 bits wide.
Type getIntegerAccumulator(Type elementType, int64_t numPositions,
                           int64_t divisor);

/// A constant of a signless integer type of any width, extended by its sign.
Value createInteger(OpBuilder &b, Location loc, Type type, int64_t value);

/// `dividend / divisor` to the nearest integer; `divisor` > 0.
Value roundQuotient(OpBuilder &b, Location loc, Value dividend, Value divisor,
                    IntegerRounding rounding);

/// The nearest value of `elementType`, which may be quantised, plus `offset`;
/// of the type of `value`.
Value clampInteger(OpBuilder &b, Location loc, Value value, Type elementType,
                   int64_t offset = 0);
/// An integer of the accumulator's type as `elementType`, which it fits.
Value truncateInteger(OpBuilder &b, Location loc, Value value,
                      Type elementType);
/// The same for any value: what does not fit becomes the nearest that does.
Value saturateInteger(OpBuilder &b, Location loc, Value value,
                      Type elementType);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
