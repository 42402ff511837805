// Describes how the elements of a window are combined: the kind of reduction,
// element types, treatment of NaN and padding, and the identity.
// Utils/Reductions.h and Utils/WindowBody.h create the operations that combine
// elements.
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

/// Returns the `pad_value` that the extremum `reduction` never chooses.
PadValue getNeverChosen(Reduction reduction);

/// Returns the identity of the extremum `reduction` over elements of `type`, as
/// an attribute of the signless form of `type`. The identity of a maximum is
/// -inf, or the smallest value of an integer or quantized type. The identity of
/// a minimum is the other end of the range.
TypedAttr getIdentity(OpBuilder &b, Type type, Reduction reduction);

/// The order in which an extremum prefers elements. Functions that take a
/// Preference get integers as signless values. They compare them as unsigned if
/// `elementType` is unsigned, else as signed.
struct Preference {
  Reduction reduction;
  Type elementType;
  NanMode nanMode;

  bool isFloat() const { return isa<FloatType>(elementType); }
  /// True if NaN beats all numbers.
  bool prefersNaN() const { return isFloat() && !ignoresNaN(nanMode); }
};

/// Describes how the elements of a window are combined.
struct ElementReduction {
  ElementReduction(Reduction kind, Type inputType, Type accType)
      : kind(kind), inputType(inputType), accType(accType) {}

  Reduction kind;
  /// `inputType` is the element type of the input; for a quantized input, its
  /// storage type. `accType` is the element type of the accumulator, which is
  /// also that of the first output of pool.window_reduce.
  Type inputType, accType;
  NanMode nanMode = NanMode::Ignore;
  /// For extrema, the value that padding has. Padding is never chosen if this
  /// is none or getNeverChosen(). Sums ignore this member, because their
  /// padding adds nothing. The member does not tell whether there is padding.
  std::optional<PadValue> padValue;
  /// The exponent of a sum of powers; 1 for all other kinds.
  int64_t p = 1;
  bool hasPositions = false;
  /// Upper bound of the number of elements of a window; none if it is unknown.
  std::optional<int64_t> maxCount;

  bool isExtremum() const { return pool::isExtremum(kind); }
  Preference getPreference() const { return {kind, inputType, nanMode}; }
};

/// Returns the narrowest signless integer type of 32, 64 or 128 bits for the
/// sum in an average. The type holds the sum, its negation and the magnitude of
/// `divisor`. The sum has `numPositions` terms, each an integer of
/// `elementType` less a zero point.
Type getIntegerAccumulator(Type elementType, int64_t numPositions,
                           int64_t divisor);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ELEMENTREDUCTION_H
