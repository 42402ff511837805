// The reduction of windows by vectors whose lanes are outputs. An element goes
// through these steps:
//
//   load()       as the input stores it; lanes without an element get padding
//   prepare()    as it is computed on: extended, or an integer key of a float
//   getLanes()   an accumulator of one element
//   choose()     combines two accumulators, lane by lane
//   finish()     an element of the first output, of signless type
//
// combine() is a faster choose(), for elements that come in order. Keys, and
// why they are used, are explained in LaneReduction.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H

#include "Emit/LaneMask.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

namespace mlir::pool {

/// Returns the lanes of `then` for which `mask` is true, and those of
/// `otherwise` for which it is false. A null mask is true for all lanes.
Accumulator selectLanes(KernelBuilder &b, Value mask, Accumulator then,
                        Accumulator otherwise);

/// Returns lanes of `lhs` and `rhs`, as vector.shuffle does. With n =
/// `lanes[i]`, lane i of the result is lane n of `lhs` or, if `lhs` has no more
/// than n lanes, lane n - length of `rhs`.
Accumulator shuffleLanes(KernelBuilder &b, Accumulator lhs, Accumulator rhs,
                         ArrayRef<int64_t> lanes);

/// Gathers elements of a row by shuffles. The row is in `vectors`, one after
/// the other. Lane i of the result is the element at `positions[i]` of the row.
/// A lane whose position is vector::ShuffleOp::kPoisonIndex may have any value.
/// At least one position must be another number. Vectors have one lane for each
/// of `positions`.
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
  /// Fails if elements or their sums have a type without vectors, such as
  /// integers of widths other than 8, 16, 32 and 64 bits. Sums of 128 bits are
  /// allowed; they are kept as two halves.
  static FailureOr<LaneReduction> get(const ElementReduction &elements,
                                      int64_t vectorBits);

  /// Returns the same reduction for vectors of `length` lanes.
  LaneReduction withLength(int64_t length) const;
  /// Returns the same reduction, but positions for choose() have 32 bits
  /// instead of 64. They must be less than 2^31.
  LaneReduction withNarrowPositions() const {
    LaneReduction narrow(*this);
    narrow.positionBits = 32;
    return narrow;
  }

  /// Number of lanes of a vector.
  int64_t getLength() const { return type.getNumElements(); }
  /// Vector type of Accumulator::value.
  VectorType getType() const { return type; }
  /// Vector type of elements as the input stores them.
  VectorType getStoredType() const { return storedType; }
  /// Vector type of Accumulator::index for combine(): any 32-bit integers that
  /// identify elements.
  VectorType getIndexType() const {
    return type.clone(IntegerType::get(type.getContext(), 32));
  }
  /// Vector type of Accumulator::index for choose(): positions, or the upper
  /// halves of sums.
  VectorType getPositionType() const {
    return type.clone(IntegerType::get(type.getContext(), positionBits));
  }

  /// Loads elements, as stored, from `indices` of `buffer` on along the last
  /// dimension. Lanes outside of `range` get the value of padding.
  Value load(KernelBuilder &b, Value buffer, ValueRange indices,
             const LaneRange &range = {}) const;
  /// Returns Accumulator::value before the first element.
  Value getIdentity(KernelBuilder &b) const {
    return getElement(b, getWindowIdentity(b, elements));
  }
  /// Returns a vector of padding, as prepare() would return it.
  Value getFill(KernelBuilder &b) const {
    return isIdempotent() ? getElement(b, getWindowPadding(b, elements))
                          : getIdentity(b);
  }
  /// Converts stored elements to the elements that are computed on: extended,
  /// raised to a power (for norms), or keys.
  Value prepare(KernelBuilder &b, Value stored) const;
  /// Returns the approximate number of operations that prepare() emits.
  int64_t getNumPrepareOps() const;
  /// Converts prepared elements to the first values of accumulators. NaN that
  /// is to be ignored becomes the value of getIdentity().
  Value begin(KernelBuilder &b, Value element) const;
  /// Combines `acc` with `later`: another accumulator, or prepared elements.
  /// `later` must have later positions in row-major order, because an argmax is
  /// the first of equal elements. Returns `later` if `acc.value` is null. Does
  /// not support sums of 128 bits.
  Accumulator combine(KernelBuilder &b, Accumulator acc,
                      Accumulator later) const;
  /// Combines two accumulators, whose elements may come in any order. With an
  /// argmax, `index` has the positions of chosen elements, or kNoPosition for
  /// lanes without one. For sums of 128 bits, it has the upper halves. For
  /// other reductions, it is null. Returns `other` if `acc.value` is null.
  /// getEmpty() returns an accumulator of no elements, and getLanes() one of
  /// prepared elements.
  Accumulator choose(KernelBuilder &b, Accumulator acc,
                     Accumulator other) const;
  /// Combines `acc` with `lanes`, made by getLanes(). If `acc.value` is null,
  /// the result is an accumulator of `lanes` only.
  Accumulator append(KernelBuilder &b, Accumulator acc,
                     Accumulator lanes) const {
    if (!acc.value)
      lanes.value = begin(b, lanes.value);
    return choose(b, acc, lanes);
  }
  Accumulator getEmpty(KernelBuilder &b) const;
  Accumulator getLanes(KernelBuilder &b, Value element, Value positions) const;
  /// Converts accumulators to elements of the first output, of signless type.
  Value finish(KernelBuilder &b, Accumulator lanes) const;

  /// True if an element may be combined twice without changing the result.
  bool isIdempotent() const { return elements.isExtremum(); }
  bool hasPositions() const { return elements.hasPositions; }
  /// True for sums of 128 bits. Use choose() for these, not combine().
  bool hasWideSums() const { return isWide; }
  /// True if accumulators of choose() have an `index`.
  bool hasIndices() const { return hasPositions() || isWide; }
  /// Returns a mask of lanes that met only -inf (for a minimum, inf) and NaN
  /// that are ignored. Their argmax may be wrong, so the caller must compute
  /// these outputs in another way. Returns null if there cannot be such lanes.
  Value getNeedsRecomputing(KernelBuilder &b, Value acc) const;

private:
  explicit LaneReduction(const ElementReduction &elements)
      : elements(elements), finishedType(getSignless(elements.accType)) {}

  /// Returns a constant vector of `element`, as prepare() would return it.
  Value getElement(KernelBuilder &b, TypedAttr element) const;
  bool isFloat() const { return isa<FloatType>(storedType.getElementType()); }
  /// Returns the offset of keys that puts the keys of NaN below that of -inf,
  /// or above that of inf.
  int64_t getKeyOffset() const;
  /// Combines values of accumulators without an index.
  Value combineValues(KernelBuilder &b, Value later, Value acc) const;
  Value flipNegative(KernelBuilder &b, Value bits) const;

  ElementReduction elements;
  // Mutable because upstream does not declare accessors of types const.
  mutable VectorType storedType, type;
  /// Element type of the operation's first output, signless.
  Type finishedType;
  /// True if lanes are integer keys instead of floats: for extrema of floats
  /// narrower than f32, without an argmax. An argmax compares f32, because keys
  /// distinguish -0 from +0, and one NaN from another.
  bool usesKeys = false;
  int64_t positionBits = 64;
  /// True if sums have 128 bits. Then Accumulator::value has the lower halves,
  /// which `elements` describes, and Accumulator::index the upper ones. LLVM
  /// would split vectors of 128-bit integers into scalars.
  bool isWide = false;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H
