// A window's reduction on vectors whose lanes are outputs: how stored elements
// become lanes, combine, and become results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H

#include "Emit/LaneMask.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

namespace mlir::pool {

/// Returns lanes of `then` where `mask` is set, else of `otherwise`. A null
/// mask is set everywhere.
Accumulator selectLanes(KernelBuilder &b, Value mask, Accumulator then,
                        Accumulator otherwise);

/// Returns the lanes of that number of `lhs` and, from its length on, of `rhs`.
Accumulator shuffleLanes(KernelBuilder &b, Accumulator lhs, Accumulator rhs,
                         ArrayRef<int64_t> lanes);

/// Gathers lanes of consecutive `vectors` by shuffles. `positions` has one
/// position for each lane of the result, counted from the first lane of the
/// first vector. The lane is arbitrary if the position is
/// vector::ShuffleOp::kPoisonIndex; at least one position is another one.
Accumulator gatherLanes(KernelBuilder &b, ArrayRef<Accumulator> vectors,
                        ArrayRef<int64_t> positions);
inline Value gatherLanes(KernelBuilder &b, ArrayRef<Value> vectors,
                         ArrayRef<int64_t> positions) {
  auto lanes = llvm::map_to_vector(
      vectors, [](Value vector) { return Accumulator{vector, {}}; });
  return gatherLanes(b, lanes, positions).value;
}

class LaneReduction {
public:
  /// Failure where the element types have no vectors: integers that are not of
  /// 8, 16, 32 or 64 bits, but for sums of 128 bits.
  static FailureOr<LaneReduction> get(const ElementReduction &elements,
                                      int64_t vectorBits);

  /// Returns the same reduction for vectors of another length.
  LaneReduction withLength(int64_t length) const;
  /// Returns the same with positions of 32 bits for choose(). They must fit 31.
  LaneReduction withNarrowPositions() const {
    LaneReduction narrow(*this);
    narrow.positionBits = 32;
    return narrow;
  }

  /// Lanes of a vector.
  int64_t getLength() const { return type.getNumElements(); }
  /// Vector type of accumulators.
  VectorType getType() const { return type; }
  /// Vector type of elements as the input stores them.
  VectorType getStoredType() const { return storedType; }
  /// Vector type of argmax indices.
  VectorType getIndexType() const {
    return type.clone(IntegerType::get(type.getContext(), 32));
  }
  /// Type of positions, or upper halves, of choose().
  VectorType getPositionType() const {
    return type.clone(IntegerType::get(type.getContext(), positionBits));
  }

  /// Loads stored elements of `buffer` from `indices` on in its last dimension.
  /// Lanes outside `range` get a value that reduces to padding.
  Value load(KernelBuilder &b, Value buffer, ValueRange indices,
             const LaneRange &range = {}) const;
  /// Returns an accumulator of no elements.
  Value getIdentity(KernelBuilder &b) const {
    return getElement(b, getWindowIdentity(b, elements));
  }
  /// Returns lanes of padding.
  Value getFill(KernelBuilder &b) const {
    return isIdempotent() ? getElement(b, getWindowPadding(b, elements))
                          : getIdentity(b);
  }
  /// Converts stored elements to compute lanes.
  Value prepare(KernelBuilder &b, Value stored) const;
  /// Returns about how many operations prepare() emits.
  int64_t getNumPrepareOps() const;
  /// Converts prepared elements to accumulators of one element.
  Value begin(KernelBuilder &b, Value element) const;
  /// Combines an accumulator with `later`, which follows it in row-major order:
  /// another accumulator, or prepared elements. It is `later` where `acc` has
  /// no value.
  Accumulator combine(KernelBuilder &b, Accumulator acc,
                      Accumulator later) const;
  /// Combines accumulators in any order. Their index may be missing. It is a
  /// position, kNoPosition where nothing is chosen, or an upper half.
  /// getEmpty() and getLanes() make such accumulators: of no elements, and of
  /// prepared elements. Returns `other` if `acc` has no value.
  Accumulator choose(KernelBuilder &b, Accumulator acc,
                     Accumulator other) const;
  /// Combines `acc` with lanes of getLanes(), or begins it if it has no value.
  Accumulator append(KernelBuilder &b, Accumulator acc,
                     Accumulator lanes) const {
    if (!acc.value)
      lanes.value = begin(b, lanes.value);
    return choose(b, acc, lanes);
  }
  Accumulator getEmpty(KernelBuilder &b) const;
  Accumulator getLanes(KernelBuilder &b, Value element, Value positions) const;
  /// Converts accumulators to elements of the first output, signless.
  Value finish(KernelBuilder &b, Accumulator lanes) const;

  /// True if an element may be counted twice.
  bool isIdempotent() const { return elements.isExtremum(); }
  bool hasPositions() const { return elements.hasPositions; }
  /// True for sums of 128 bits, which only choose() combines.
  bool hasWideSums() const { return isWide; }
  /// True if choose() combines indices.
  bool hasIndices() const { return hasPositions() || isWide; }
  /// Accumulators whose argmax may not be what the operation says, as a vector
  /// of i1: where nothing but -inf and NaN was met, if NaN is ignored. Null if
  /// there can be none.
  Value getNeedsRecomputing(KernelBuilder &b, Value acc) const;

private:
  explicit LaneReduction(const ElementReduction &elements)
      : elements(elements), finishedType(getSignless(elements.accType)) {}

  /// An element's constant as it is computed on.
  Value getElement(KernelBuilder &b, TypedAttr element) const;
  bool isFloat() const { return isa<FloatType>(storedType.getElementType()); }
  /// Offset that moves the keys of NaN below -inf, or above inf.
  int64_t getKeyOffset() const;
  /// Combines values without an index.
  Value combineValues(KernelBuilder &b, Value later, Value acc) const;
  Value flipNegative(KernelBuilder &b, Value bits) const;

  ElementReduction elements;
  // Handles, whose accessors upstream does not declare const.
  mutable VectorType storedType, type;
  /// Element type of the operation's first output, signless.
  Type finishedType;
  /// True if extrema of floats narrower than f32 compare integer keys of the
  /// same order. With positions they compare f32: keys distinguish -0 from +0,
  /// and NaNs from each other.
  bool usesKeys = false;
  int64_t positionBits = 64;
  /// True if sums have 128 bits; `elements` describes their lower halves. LLVM
  /// takes vectors of 128-bit integers apart into scalars.
  bool isWide = false;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H
