// Builds the arithmetic on elements for extrema and averages: comparisons with
// defined treatment of NaN and ties, counts, and correctly rounded quotients.
// All values may be scalars or vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
#define POOL_DIALECT_POOL_UTILS_REDUCTIONS_H

#include "pool/Dialect/Pool/IR/ElementReduction.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool {

/// Returns `element` or the accumulator `acc`, whichever `preference` prefers.
/// If NaN is ignored, a NaN in `element` has no effect, but a NaN in `acc`
/// stays. So begin a window with the result of getIdentity, not with an element
/// that may be NaN.
Value getExtremum(ElementBuilder &b, const Preference &preference,
                  Value element, Value acc);

/// Returns an i1 that is true if `element` replaces `acc`, the element chosen
/// so far. An equal element does not replace it. So a caller that passes
/// elements in order of position chooses the first of equal elements.
Value isPreferred(ElementBuilder &b, const Preference &preference,
                  Value element, Value acc);

/// Returns an i1 that is true if `element` replaces `acc`, the element chosen
/// so far. Among equal elements, the one with the earlier position is chosen,
/// so the order of calls does not matter. Positions are of type i64 and compare
/// as unsigned: kNoPosition (-1), which means that no element is chosen yet,
/// comes after all positions.
Value isChosen(ElementBuilder &b, const Preference &preference, Value element,
               Value position, Value acc, Value accPosition);

/// Returns `count` as a value of `accType`, a float or integer type. Creates a
/// constant if the count is known. Otherwise the count must lie in [0,
/// `maxCount`], and be of type index or a vector of index or i32.
Value castCount(ElementBuilder &b, OpFoldResult count, int64_t maxCount,
                Type accType);

/// Upper bounds for roundQuotient: `maxQuotient` of the magnitude of the
/// quotient, and `maxDivisor` of the divisor.
struct QuotientBounds {
  uint64_t maxQuotient, maxDivisor;

  /// Returns the bounds for averages of at most `maxCount` integers. Each is an
  /// element of `elementType` minus the zero point `inputZp`.
  static QuotientBounds ofAverage(Type elementType, int64_t inputZp,
                                  uint64_t maxCount);
};

/// Returns `dividend / divisor` rounded to the nearest integer; `rounding`
/// decides ties. Requires `divisor > 0`, and that quotient and divisor are
/// within `bounds`. A vector may also have lanes with divisor 0, whose results
/// are arbitrary.
///
/// Multiplies by a reciprocal in f32 or f64 if that gives the exact result for
/// all values within `bounds`, because x86 and NEON cannot divide vectors of
/// integers.
Value roundQuotient(ElementBuilder &b, Value dividend, Value divisor,
                    IntegerRounding rounding, QuotientBounds bounds);

/// Clamps `value` to [min + offset, max + offset], where min and max are the
/// limits of `elementType`, which may be quantized. The result has the type of
/// `value`.
Value clampInteger(ElementBuilder &b, Value value, Type elementType,
                   int64_t offset = 0);
/// Truncates an integer to the signless form of `elementType`. `elementType`
/// must not be wider than the integer. Requires that the value fits.
Value truncateInteger(ElementBuilder &b, Value value, Type elementType);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_REDUCTIONS_H
