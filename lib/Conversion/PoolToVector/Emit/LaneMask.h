// Ranges of lanes, and loads and stores of such ranges. At the end of a row, a
// vector has lanes without an output; and windows may reach over the ends of
// the input. Lanes outside of a range are not stored, and not used when loaded.
//
// Eight lanes. Three of them exist, so the range is [0, 3):
//
//   lane        0  1  2  3  4  5  6  7
//   mask        1  1  1  0  0  0  0  0   one masked access, if masks are fast
//   parts      [0  1]                    else parts whose lengths are powers
//                 [1  2]                 of two, which may overlap
//
// Lanes are selected by masks on every machine. LaneMask.cpp says how ranges
// that are unknown until run time are accessed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H

#include "Emit/KernelBuilder.h"

namespace mlir::pool {

/// Returns the number of elements of `width` bits in a register of
/// `vectorBits`, or 2 if that is more.
inline int64_t getNumLanes(int64_t vectorBits, int64_t width) {
  return std::max<int64_t>(vectorBits / width, 2);
}

/// The lanes [begin, end) of a vector. Bounds may be less than 0 or more than
/// the number of lanes. By default, all lanes.
struct LaneRange {
  Operand begin = 0, end = std::numeric_limits<int64_t>::max();

  /// Returns the lanes that are at positions of [0, extent), if lane 0 is at
  /// position `first`.
  static LaneRange getInside(KernelBuilder &b, Value first, Value extent) {
    return {b.sub(0, first), b.sub(extent, first)};
  }

  /// Returns the bounds, clamped to [0, length], or std::nullopt if one is
  /// unknown. They are equal if the range is empty.
  std::optional<std::pair<int64_t, int64_t>> getKnown(int64_t length) const;
  bool areAll(int64_t length) const {
    return getKnown(length) == std::pair<int64_t, int64_t>(0, length);
  }
};

/// Emits loops over vectors of `length` lanes that cover `count` elements.
/// `body` gets the first element of a vector, and the lanes that exist: fewer
/// than `length` only in the last vector. The lanes are known if `count` is.
void forEachVector(
    KernelBuilder &b, Value count, int64_t length, const LoopState &carried,
    function_ref<void(Value first, const LaneRange &lanes)> body);

/// Returns a mask of `length` lanes that is true in `range`, or null if that is
/// known to be all lanes.
Value createLaneMask(KernelBuilder &b, int64_t length, const LaneRange &range);

/// Returns `then` in the lanes of `range`, and `otherwise` in all other lanes.
Value selectRange(KernelBuilder &b, const LaneRange &range, Value then,
                  Value otherwise);

/// Loads `length` elements from `indices` of `buffer` on along the last
/// dimension, which must be contiguous. The result is signless. Its lanes
/// outside of `range` have the lanes of `others`, a signless vector, or the
/// small integer `others`. No element outside of `range` is used, and no
/// address outside of the buffer is read.
Value loadLanes(KernelBuilder &b, int64_t length, Value buffer,
                ValueRange indices, const LaneRange &range, Operand others);

/// Stores the lanes of `value` that are in `range` to `buffer`, from `indices`
/// on along the last dimension. Lane 0 is at `indices`. No other element is
/// written.
void storeLanes(KernelBuilder &b, Value value, Value buffer, ValueRange indices,
                const LaneRange &range);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
