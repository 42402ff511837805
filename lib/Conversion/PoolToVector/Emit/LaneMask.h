// Ranges of lanes, and loads and stores of such ranges. At the end of a row, a
// vector has lanes without an output. At the ends of the input, a vector has
// lanes without an element. Such lanes are outside of the range. They are not
// stored, and a load gives them the value that its caller names.
//
// Eight lanes. Three of them exist, so the range is [0, 3):
//
//   lane        0  1  2  3  4  5  6  7
//   mask        1  1  1  0  0  0  0  0   one masked access, if masks are fast
//   parts      [0  1]                    else parts whose lengths are powers
//                 [1  2]                 of two, which may overlap
//
// This choice is for loads and stores only. selectRange() uses a mask on every
// machine. LaneMask.cpp says how ranges that are unknown until run time are
// loaded and stored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H

#include "Emit/KernelBuilder.h"

namespace mlir::pool {

/// Returns the number of elements of `width` bits in a register of `vectorBits`
/// bits, but at least 2.
inline int64_t getNumLanes(int64_t vectorBits, int64_t width) {
  return std::max<int64_t>(vectorBits / width, 2);
}

/// The lanes [begin, end) of a vector. The bounds may be less than 0 or more
/// than the number of lanes. The default range has all lanes.
struct LaneRange {
  Operand begin = 0, end = std::numeric_limits<int64_t>::max();

  /// Returns the lanes whose positions are in [0, extent), if lane i is at
  /// position `first + i`.
  static LaneRange getInside(KernelBuilder &b, Value first, Value extent) {
    return {b.sub(0, first), b.sub(extent, first)};
  }

  /// Returns the bounds, clamped to [0, length]. The bounds are equal if the
  /// range is empty. Returns std::nullopt if a bound is unknown.
  std::optional<std::pair<int64_t, int64_t>> getKnown(int64_t length) const;
  bool areAll(int64_t length) const {
    return getKnown(length) == std::pair<int64_t, int64_t>(0, length);
  }
};

/// Emits code for `count` elements in vectors of `length` lanes: a loop over
/// the full vectors, and code for a last vector with the remaining elements.
/// `body` is called for each of these two. It gets the number of the vector's
/// first element, and the lanes that have an element. In the last vector, that
/// range of lanes is known only if `count` is known.
void forEachVector(
    KernelBuilder &b, Value count, int64_t length, const LoopState &carried,
    function_ref<void(Value first, const LaneRange &lanes)> body);

/// Returns a vector of `length` i1 that is true in the lanes of `range`.
/// Returns null if `range` is known to have all lanes.
Value createLaneMask(KernelBuilder &b, int64_t length, const LaneRange &range);

/// Returns `then` in the lanes of `range`, and `otherwise` in all other lanes.
Value selectRange(KernelBuilder &b, const LaneRange &range, Value then,
                  Value otherwise);

/// Loads `length` elements of `buffer` from `indices` on, along the last
/// dimension, which must be contiguous. The elements of `range` must be inside
/// the buffer. No address outside of the buffer is read. The result has
/// signless elements. Lanes outside of `range` get the value of `others`: a
/// signless vector, or one small integer for all lanes.
Value loadLanes(KernelBuilder &b, int64_t length, Value buffer,
                ValueRange indices, const LaneRange &range, Operand others);

/// Stores the lanes of `value` that are in `range` to `buffer`. Lane i is
/// stored i elements after `indices`, along the last dimension. No other
/// element is written.
void storeLanes(KernelBuilder &b, Value value, Value buffer, ValueRange indices,
                const LaneRange &range);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
