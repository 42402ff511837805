// The reduction of windows by vectors whose lanes are outputs. These functions
// take an element from the input to the output:
//
//   load()       loads a vector of elements; lanes without one get padding
//   prepare()    extends elements, or makes integer keys of floats
//   getLanes()   makes an accumulator of one element in each lane
//   choose()     combines two accumulators, lane by lane
//   finish()     makes elements of the first output, of signless type
//
// combine() is faster than choose(), but requires elements in row-major order.
// Keys are integers that are ordered as the floats; see LaneReduction.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H

#include "Emit/LaneMask.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

namespace mlir::pool {

/// Returns an accumulator with the lanes of `then` if `mask` is true in the
/// lane, else with those of `otherwise`. A null mask is true in all lanes.
Accumulator selectLanes(KernelBuilder &b, Value mask, Accumulator then,
                        Accumulator otherwise);

/// Returns an accumulator whose lane i is lane `lanes[i]` of `lhs` and `rhs`.
/// As in vector.shuffle, these are numbered one after the other: if `lhs` has
/// 8 lanes, lane 0 of `rhs` has the number 8.
Accumulator shuffleLanes(KernelBuilder &b, Accumulator lhs, Accumulator rhs,
                         ArrayRef<int64_t> lanes);

/// Gathers elements of a row by shuffles. `vectors` hold the row, one after the
/// other. Lane i of the result is the element at `positions[i]` of the row. If
/// `positions[i]` is vector::ShuffleOp::kPoisonIndex, lane i may have any
/// value; this must not be so for all lanes. Each of `vectors` must have
/// `positions.size()` lanes.
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
  /// Returns the reduction for registers of `vectorBits` bits. Fails if the
  /// type of elements or sums has no vectors, such as integers of widths other
  /// than 8, 16, 32 and 64 bits. Sums of 128 bits are allowed; they are kept as
  /// two halves.
  static FailureOr<LaneReduction> get(const ElementReduction &elements,
                                      int64_t vectorBits);

  /// Returns the same reduction for vectors of `length` lanes.
  LaneReduction withLength(int64_t length) const;
  /// Returns the same reduction with positions of 32 bits, instead of 64, for
  /// choose(). Positions must be less than 2^31.
  LaneReduction withNarrowPositions() const {
    LaneReduction narrow(*this);
    narrow.positionBits = 32;
    return narrow;
  }

  /// Returns the number of lanes of a vector.
  int64_t getLength() const { return type.getNumElements(); }
  /// Returns the vector type of Accumulator::value.
  VectorType getType() const { return type; }
  /// Returns the vector type of elements as the input stores them.
  VectorType getStoredType() const { return storedType; }
  /// Returns the vector type of Accumulator::index for combine(): integers of
  /// 32 bits. The caller decides which integer identifies which element.
  VectorType getIndexType() const {
    return type.clone(IntegerType::get(type.getContext(), 32));
  }
  /// Returns the vector type of Accumulator::index for choose(), which has
  /// positions or, for sums of 128 bits, their upper halves.
  VectorType getPositionType() const {
    return type.clone(IntegerType::get(type.getContext(), positionBits));
  }

  /// Loads a vector of getStoredType() from `buffer`: the elements from
  /// `indices` on, along the last dimension. Lanes outside of `range` get the
  /// value of padding.
  Value load(KernelBuilder &b, Value buffer, ValueRange indices,
             const LaneRange &range = {}) const;
  /// Returns the Accumulator::value of no elements, such as 0 for a sum.
  Value getIdentity(KernelBuilder &b) const {
    return getElement(b, getWindowIdentity(b, elements));
  }
  /// Returns a vector of padding, in the form that prepare() returns.
  Value getFill(KernelBuilder &b) const {
    return isIdempotent() ? getElement(b, getWindowPadding(b, elements))
                          : getIdentity(b);
  }
  /// Converts elements from their form in the input to the form that is
  /// combined: extends them, raises them to a power (for norms), or makes keys.
  Value prepare(KernelBuilder &b, Value stored) const;
  /// Returns the approximate number of operations that prepare() emits.
  int64_t getNumPrepareOps() const;
  /// Converts prepared elements to the first Accumulator::value. If NaN is
  /// ignored, a NaN becomes the value of getIdentity().
  Value begin(KernelBuilder &b, Value element) const;
  /// Combines `acc` with `later`, which is an accumulator or has prepared
  /// elements. All elements of `later` must come after those of `acc` in
  /// row-major order, because an argmax is the first of equal elements. Returns
  /// `later` if `acc.value` is null. Does not support sums of 128 bits.
  Accumulator combine(KernelBuilder &b, Accumulator acc,
                      Accumulator later) const;
  /// Combines two accumulators, whose elements may be in any order. With an
  /// argmax, their `index` must have the positions of the chosen elements, or
  /// kNoPosition in lanes that have chosen none. Returns `other` if `acc.value`
  /// is null. getLanes() makes such an accumulator of prepared elements, and
  /// getEmpty() one of no elements.
  Accumulator choose(KernelBuilder &b, Accumulator acc,
                     Accumulator other) const;
  /// Combines `acc` with `lanes`, a result of getLanes(). If `acc.value` is
  /// null, returns `lanes` with a value that begin() has converted.
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
  /// True if choose() needs accumulators with an `index`.
  bool hasIndices() const { return hasPositions() || isWide; }
  /// Returns a mask that is true in lanes of `acc`, an Accumulator::value,
  /// whose elements all were ignored NaN or -inf (for a minimum, inf). The
  /// argmax of these lanes may be wrong, so the caller must compute their
  /// outputs in another way. Returns null if no lane can have a wrong argmax.
  Value getNeedsRecomputing(KernelBuilder &b, Value acc) const;

private:
  explicit LaneReduction(const ElementReduction &elements)
      : elements(elements), finishedType(getSignless(elements.accType)) {}

  /// Returns a vector with `element` in all lanes, in the form that prepare()
  /// returns.
  Value getElement(KernelBuilder &b, TypedAttr element) const;
  bool isFloat() const { return isa<FloatType>(storedType.getElementType()); }
  /// Returns the offset that is added to keys. It puts the keys of all NaN
  /// below the key of -inf, or above the key of inf; see LaneReduction.cpp.
  int64_t getKeyOffset() const;
  /// Combines two Accumulator::value, and ignores Accumulator::index.
  Value combineValues(KernelBuilder &b, Value later, Value acc) const;
  Value flipNegative(KernelBuilder &b, Value bits) const;

  ElementReduction elements;
  // Mutable because upstream does not declare accessors of types const.
  mutable VectorType storedType, type;
  /// The signless form of the accumulator's type in the operation. finish()
  /// converts integer sums to this type.
  Type finishedType;
  /// True if elements are prepared as integer keys: for extrema of floats
  /// narrower than f32, without an argmax. With an argmax, elements are
  /// extended to f32, because keys distinguish -0 from +0, and one NaN from
  /// another.
  bool usesKeys = false;
  int64_t positionBits = 64;
  /// True if sums have 128 bits. Then Accumulator::value has the lower halves,
  /// and Accumulator::index the upper halves. `elements` describes only the
  /// lower halves. LLVM would split vectors of 128-bit integers into scalars.
  bool isWide = false;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEREDUCTION_H
