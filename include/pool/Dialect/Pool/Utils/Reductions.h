// What extrema and averages are computed from, element by element: comparisons
// that do not depend on the order, sums that cannot overflow, exact division.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
#define POOL_DIALECT_POOL_UTILS_REDUCTIONS_H

#include "mlir/IR/Builders.h"
#include "pool/Dialect/Pool/IR/PoolEnums.h"

namespace mlir::pool {

/// True for a reduction that gives one of the elements, with its position.
bool isExtremum(Reduction reduction);

/// What a diagnostic calls an extremum: "maximum".
StringRef getNoun(Reduction reduction);

/// The value of padding that `reduction`, an extremum, never chooses.
PadValue getNeverChosen(Reduction reduction);

/// The identity of `reduction`, an extremum, of the signless type: of a maximum
/// -inf, or the smallest value of an integer or quantised type; of a minimum
/// the other end.
TypedAttr getIdentity(OpBuilder &b, Type type, Reduction reduction);

/// The order in which an extremum prefers elements. Those of integer types are
/// compared by the sign of `elementType`, though they are signless values.
struct Preference {
  Reduction reduction;
  Type elementType;
  NanMode nanMode;
};

/// The preferred one of accumulator and element. The accumulator begins as
/// getIdentity.
Value getExtremum(OpBuilder &b, Location loc, const Preference &preference,
                  Value element, Value acc);

/// True if the element, which comes after all others, replaces the one chosen
/// so far. All may be vectors.
Value isPreferred(OpBuilder &b, Location loc, const Preference &preference,
                  Value element, Value acc);

/// True if the element replaces the one chosen so far. Among equals the earlier
/// position wins, in whatever order they come. Positions are of type i64 and
/// compare as unsigned: kNoPosition, none so far, comes after all others. All
/// may be vectors.
Value isChosen(OpBuilder &b, Location loc, const Preference &preference,
               Value element, Value position, Value acc, Value accPosition);

/// The type for the sum of `numPositions` integers of `elementType`, less a
/// zero point each, for its negative, and for the magnitude of `divisor`: 32,
/// 64 or 128 bits wide.
Type getIntegerAccumulator(Type elementType, int64_t numPositions,
                           int64_t divisor);

/// A constant of a signless integer type of any width, extended by its sign.
Value createInteger(OpBuilder &b, Location loc, Type type, int64_t value);

/// An index as a value of an accumulator's type; `count` as a constant of it
/// where it is known.
Value castIndex(OpBuilder &b, Location loc, Value index, Type accType);
Value castCount(OpBuilder &b, Location loc, OpFoldResult count, Type accType);

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
