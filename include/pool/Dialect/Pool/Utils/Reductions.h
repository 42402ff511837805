// Element arithmetic of extrema and averages: comparisons that do not depend on
// the order, sums that cannot overflow, exact division.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
#define POOL_DIALECT_POOL_UTILS_REDUCTIONS_H

#include "mlir/IR/Builders.h"
#include "pool/Dialect/Pool/IR/PoolEnums.h"

namespace mlir::pool {

/// Returns the word for an extremum in diagnostics, for example "maximum".
StringRef getNoun(Reduction reduction);

/// Returns the value of padding that the extremum `reduction` never chooses.
PadValue getNeverChosen(Reduction reduction);

/// Returns the identity of the extremum `reduction` as an attribute of the
/// signless type. For a maximum it is -inf, or the smallest value of an integer
/// or quantised type; for a minimum it is the other end.
TypedAttr getIdentity(OpBuilder &b, Type type, Reduction reduction);

/// The order in which an extremum prefers elements. Integers are signless
/// values, but compare by the sign of `elementType`.
struct Preference {
  Reduction reduction;
  Type elementType;
  NanMode nanMode;
};

/// Returns the preferred one of accumulator and element. The accumulator starts
/// as getIdentity.
Value getExtremum(OpBuilder &b, Location loc, const Preference &preference,
                  Value element, Value acc);

/// True if the element replaces the one chosen so far. Requires that elements
/// come in order. All values may be vectors.
Value isPreferred(OpBuilder &b, Location loc, const Preference &preference,
                  Value element, Value acc);

/// True if the element replaces the one chosen so far. Among equal elements the
/// earlier position wins, whatever the order of the calls. Positions are of
/// type i64 and compare as unsigned: kNoPosition, for none so far, is after all
/// others. All values may be vectors.
Value isChosen(OpBuilder &b, Location loc, const Preference &preference,
               Value element, Value position, Value acc, Value accPosition);

/// Returns the narrowest type of 32, 64 or 128 bits that holds a sum, its
/// negative, and the magnitude of `divisor`. The sum is of `numPositions`
/// integers of `elementType`, each less a zero point.
Type getIntegerAccumulator(Type elementType, int64_t numPositions,
                           int64_t divisor);

/// Creates a constant of a signless integer type of any width, sign-extended.
Value createInteger(OpBuilder &b, Location loc, Type type, int64_t value);

/// Converts an index to the accumulator's type. castCount returns a constant if
/// `count` is known.
Value castIndex(OpBuilder &b, Location loc, Value index, Type accType);
Value castCount(OpBuilder &b, Location loc, OpFoldResult count, Type accType);

/// Bounds of the magnitudes of a quotient and its divisor.
struct QuotientBounds {
  uint64_t maxQuotient, maxDivisor;

  /// Returns the bounds of averages of at most `maxCount` integers of
  /// `elementType`, each less the zero point `inputZp`.
  static QuotientBounds ofAverage(Type elementType, int64_t inputZp,
                                  uint64_t maxCount);
};

/// Returns `dividend / divisor` rounded to the nearest integer. Requires
/// `divisor > 0`. Computes in floats if `bounds` allow it, because
/// processors have no vectors of integer quotients.
Value roundQuotient(OpBuilder &b, Location loc, Value dividend, Value divisor,
                    IntegerRounding rounding, QuotientBounds bounds);

/// Clamps `value` to the range of `elementType`, which may be quantised,
/// shifted by `offset`. The result has the type of `value`.
Value clampInteger(OpBuilder &b, Location loc, Value value, Type elementType,
                   int64_t offset = 0);
/// Truncates an integer of the accumulator's type to `elementType`. Requires
/// that it fits.
Value truncateInteger(OpBuilder &b, Location loc, Value value,
                      Type elementType);
/// Truncates any integer to `elementType`; saturates if it does not fit.
Value saturateInteger(OpBuilder &b, Location loc, Value value,
                      Type elementType);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
