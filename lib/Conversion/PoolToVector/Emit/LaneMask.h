// The number of lanes of a vector, ranges of lanes, and loads and stores of
// them; shuffles.
//
// A range becomes a mask where lanes are selected, and where the machine masks
// an access fast. Other machines access parts of the vector.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H

#include "Emit/KernelBuilder.h"

namespace mlir::pool {

/// Returns the number of elements of `width` bits in a register of
/// `vectorBits`, and at least 2.
inline int64_t getNumLanes(int64_t vectorBits, int64_t width) {
  return std::max<int64_t>(vectorBits / width, 2);
}

/// Lanes [begin, end) of a vector. A bound may lie outside of the vector; a
/// null one is the vector's own. By default, all lanes.
struct LaneRange {
  Value begin, end;

  /// Returns null bounds where [begin, end) reaches the bounds of a vector of
  /// `length` lanes.
  static LaneRange get(KernelBuilder &at, int64_t length, int64_t begin,
                       int64_t end) {
    return {begin > 0 ? at.index(begin) : Value(),
            end < length ? at.index(end) : Value()};
  }

  /// Returns the first `numLanes`; all lanes if these are known to be `length`.
  static LaneRange getFirst(int64_t length, Value numLanes) {
    std::optional<int64_t> known = getConstantIntValue(numLanes);
    return {{}, known.value_or(0) >= length ? Value() : numLanes};
  }

  /// Returns the lanes of a vector that begins at `first` that are in
  /// [0, extent).
  static LaneRange getInside(KernelBuilder &at, Value first, Value extent) {
    return {at.sub(at.index(0), first), at.sub(extent, first)};
  }

  bool areAll() const { return !begin && !end; }
  /// Returns the bounds moved into a vector of `length` lanes, if both are
  /// known. They are equal if the range is empty.
  std::optional<std::pair<int64_t, int64_t>> getKnown(int64_t length) const;
};

/// Calls `body` for vectors of `length` lanes that cover `count` elements, with
/// the first element of each and the lanes that exist. These are known if
/// `count` is.
void forEachVector(
    KernelBuilder &at, Value count, int64_t length, const Carried &carried,
    function_ref<void(Value first, const LaneRange &lanes)> body);

/// Returns lanes of `length` as a mask; null for all lanes.
Value createLaneMask(KernelBuilder &at, int64_t length, const LaneRange &range);

/// Returns lanes of `then` inside of `range`, else of `otherwise`.
Value selectRange(KernelBuilder &at, const LaneRange &range, Value then,
                  Value otherwise);

/// Returns a mask of `lane` alone, or of no lane if the vector lacks it.
Value createOneLaneMask(KernelBuilder &at, int64_t length, Value lane);

/// Loads lanes of `type` from `indices` on in the last dimension of `buffer`,
/// which has consecutive elements there. Lanes outside of `range` are not
/// accessed. They get the lanes of `others`, which are signless, as is the
/// result.
Value loadLanes(KernelBuilder &at, VectorType type, Value buffer,
                ValueRange indices, const LaneRange &range, Value others);
/// Loads like this with `fill`, a small integer, in other lanes.
Value loadLanes(KernelBuilder &at, int64_t length, Value buffer,
                ValueRange indices, const LaneRange &range, int64_t fill);

/// Stores the lanes of `value` in `range` from `indices` on in the last
/// dimension.
void storeLanes(KernelBuilder &at, Value value, Value buffer,
                ValueRange indices, const LaneRange &range);

/// Gathers lanes of consecutive `vectors` by shuffles. `positions` has one
/// position for each lane of the result, counted from the first lane of the
/// first vector. The lane is arbitrary if the position is
/// vector::ShuffleOp::kPoisonIndex; at least one position is another one.
Value gatherLanes(KernelBuilder &at, ArrayRef<Value> vectors,
                  ArrayRef<int64_t> positions);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
