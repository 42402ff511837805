// Element arithmetic of extrema and averages: comparisons that do not depend on
// the order, sums that cannot overflow, exact division.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
#define POOL_DIALECT_POOL_UTILS_REDUCTIONS_H

#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool {

/// Returns the preferred one of `element` and the accumulator `acc`. Requires
/// that the first accumulator of a window is the result of getIdentity.
Value getExtremum(ElementBuilder &b, const Preference &preference,
                  Value element, Value acc);

/// Returns an i1 that is true if `element` replaces `acc`, the element chosen
/// so far. An equal element does not, so a caller that passes elements in order
/// of position chooses the first one. All values may be vectors.
Value isPreferred(ElementBuilder &b, const Preference &preference,
                  Value element, Value acc);

/// Returns an i1 that is true if `element` replaces `acc`, the element chosen
/// so far. Among equal elements the one with the earlier position wins, in any
/// order of calls. Positions are of type i64 and compare as unsigned. So
/// kNoPosition (-1), which means that no element is chosen yet, comes after all
/// positions. All values may be vectors.
Value isChosen(ElementBuilder &b, const Preference &preference, Value element,
               Value position, Value acc, Value accPosition);

/// Converts `count` to `accType`, a float or integer type, or creates a
/// constant if the count is known. An unknown count lies in [0, `maxCount`],
/// and is of type index or, in lanes, of i32.
Value castCount(ElementBuilder &b, OpFoldResult count, int64_t maxCount,
                Type accType);

/// Upper bounds of the magnitude of a quotient, and of its divisor.
struct QuotientBounds {
  uint64_t maxQuotient, maxDivisor;

  /// Returns the bounds of averages of at most `maxCount` integers of
  /// `elementType`, each less the zero point `inputZp`.
  static QuotientBounds ofAverage(Type elementType, int64_t inputZp,
                                  uint64_t maxCount);
};

/// Returns `dividend / divisor` rounded to the nearest integer; `rounding`
/// decides ties. Requires `divisor > 0`. Multiplies by a reciprocal in f32 or
/// f64 if that is exact within `bounds`, because x86 and NEON cannot divide
/// vectors of integers.
Value roundQuotient(ElementBuilder &b, Value dividend, Value divisor,
                    IntegerRounding rounding, QuotientBounds bounds);

/// Clamps `value` to the range of `elementType` plus `offset`. `elementType`
/// may be quantised. The result has the type of `value`.
Value clampInteger(ElementBuilder &b, Value value, Type elementType,
                   int64_t offset = 0);
/// Truncates an integer to the signless form of `elementType`, a type that is
/// not wider. Requires that the integer fits.
Value truncateInteger(ElementBuilder &b, Value value, Type elementType);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
