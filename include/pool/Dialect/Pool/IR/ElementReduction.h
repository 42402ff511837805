// How the elements of a window are combined, as a value: kind, element types,
// identity. Reductions.h builds the combination.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_ELEMENTREDUCTION_H
#define POOL_DIALECT_POOL_IR_ELEMENTREDUCTION_H

#include "mlir/IR/Builders.h"
#include "pool/Support/PoolEnums.h"

#include <optional>

namespace mlir::pool {

/// Returns the word for an extremum in diagnostics, for example "maximum".
StringRef getNoun(Reduction reduction);

/// Returns the value of padding that the extremum `reduction` never chooses.
PadValue getNeverChosen(Reduction reduction);

/// Returns the identity of the extremum `reduction` over elements of `type`, as
/// an attribute of the signless form of `type`. The identity of a maximum is
/// -inf, or the smallest value of an integer or quantised type. The identity of
/// a minimum is the other end of the range.
TypedAttr getIdentity(OpBuilder &b, Type type, Reduction reduction);

/// The order in which an extremum prefers elements. Integers are passed as
/// signless values, and compare as unsigned if `elementType` is unsigned, else
/// as signed.
struct Preference {
  Reduction reduction;
  Type elementType;
  NanMode nanMode;

  bool isFloat() const { return isa<FloatType>(elementType); }
  /// True if NaN beats all numbers.
  bool prefersNaN() const { return isFloat() && !ignoresNaN(nanMode); }
};

/// How the elements of a window are combined.
struct ElementReduction {
  ElementReduction(Reduction kind, Type inputType, Type accType)
      : kind(kind), inputType(inputType), accType(accType) {}

  Reduction kind;
  /// The element type of the input; for a quantised input, its storage type.
  /// And the element type of the accumulator, which pool.window_reduce has as
  /// its first output.
  Type inputType, accType;
  NanMode nanMode = NanMode::Ignore;
  /// For extrema, the value of padding; none if padding is never chosen. None
  /// for sums, where padding counts as zero. Does not tell whether there is
  /// padding.
  std::optional<PadValue> padValue;
  /// The exponent of a sum of powers.
  int64_t p = 1;
  bool hasPositions = false;
  /// Upper bound of the number of elements of a window; none if it is unknown.
  std::optional<int64_t> maxCount;

  bool isExtremum() const { return pool::isExtremum(kind); }
  Preference getPreference() const { return {kind, inputType, nanMode}; }
};

/// Returns the narrowest signless integer type of 32, 64 or 128 bits that holds
/// a sum, the negated sum, and the magnitude of `divisor`. The sum has
/// `numPositions` terms: integers of `elementType`, each less a zero point.
Type getIntegerAccumulator(Type elementType, int64_t numPositions,
                           int64_t divisor);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ELEMENTREDUCTION_H
