// A window's reduction on vectors whose lanes are outputs: how stored elements
// become lanes, combine, and become results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_LANEREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_LANEREDUCTION_H

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Accumulators of as many outputs as there are lanes. With positions, `code`
/// says in each lane, as a non-negative integer, which element was chosen.
struct Lanes {
  Value value;
  Value code;
};

/// True for types whose vectors lie in memory as their elements do.
bool isVectorElement(Type type);

class LaneReduction {
public:
  /// Failure where the element types have no vectors: integers that are not of
  /// 8, 16, 32 or 64 bits.
  static FailureOr<LaneReduction> get(WindowReduceOp op, int64_t vectorBits);

  /// Lanes of a vector.
  int64_t getLength() const { return type.getNumElements(); }
  /// Of accumulators.
  VectorType getType() const { return type; }
  /// Of elements as the input stores them.
  VectorType getStoredType() const { return storedType; }
  /// Of codes.
  VectorType getCodeType() const;
  /// Stored elements that prepare() makes fill of.
  TypedAttr getStoredFill(OpBuilder &b) const;

  /// What padding counts as.
  Value getFill(OpBuilder &b, Location loc) const;
  /// An accumulator of no elements.
  Value getIdentity(OpBuilder &b, Location loc) const;
  /// Lanes of stored elements.
  Value prepare(OpBuilder &b, Location loc, Value stored) const;
  /// Prepared elements as the beginning of an accumulator.
  Value begin(OpBuilder &b, Location loc, Value element) const;
  /// An accumulator and what comes after it in row-major order. Both are
  /// accumulators, or `later` is prepared elements.
  Lanes combine(OpBuilder &b, Location loc, Lanes acc, Lanes later) const;
  /// Accumulators as the first output's elements, signless.
  Value finish(OpBuilder &b, Location loc, Value acc) const;

  /// True if an element may be counted twice.
  bool isIdempotent() const { return op.getReduction() == Reduction::Max; }
  bool hasPositions() const { return op.hasPositions(); }
  /// Accumulators whose codes may not be what the operation says, as a vector
  /// of i1: where nothing but -inf and NaN was met, if NaN is ignored. Null if
  /// there can be none.
  Value getDoubtful(OpBuilder &b, Location loc, Value acc) const;

private:
  LaneReduction(WindowReduceOp op, VectorType storedType, VectorType type,
                bool usesKeys)
      : op(op), storedType(storedType), type(type), usesKeys(usesKeys) {}

  Value getSplat(OpBuilder &b, Location loc, TypedAttr element) const;
  /// An element's constant as it is computed on.
  Value getElement(OpBuilder &b, Location loc, TypedAttr element) const;
  bool isFloat() const { return isa<FloatType>(storedType.getElementType()); }
  APInt getKey(const APFloat &value) const;
  /// What is added to a key so that NaN is below -inf, or above inf.
  APInt getKeyOffset() const;
  Value flipNegative(OpBuilder &b, Location loc, Value bits) const;

  // Handles, whose accessors upstream does not declare const.
  mutable WindowReduceOp op;
  mutable VectorType storedType, type;
  /// Maxima of floats narrower than f32 are those of integers of the same
  /// order. (With positions they are of f32: keys tell -0 from +0, and NaNs
  /// apart.)
  bool usesKeys;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_LANEREDUCTION_H
