// The number of lanes of a vector, ranges of lanes, and loads and stores of
// them.
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

/// Lanes [begin, end) of a vector. A bound may lie outside of the vector. By
/// default, all lanes.
struct LaneRange {
  Operand begin = 0, end = std::numeric_limits<int64_t>::max();

  /// Returns the lanes of a vector that begins at `first` that are in
  /// [0, extent).
  static LaneRange getInside(KernelBuilder &b, Value first, Value extent) {
    return {b.sub(0, first), b.sub(extent, first)};
  }

  /// Returns the bounds moved into a vector of `length` lanes, if both are
  /// known. They are equal if the range is empty.
  std::optional<std::pair<int64_t, int64_t>> getKnown(int64_t length) const;
  bool areAll(int64_t length) const {
    return getKnown(length) == std::pair<int64_t, int64_t>(0, length);
  }
};

/// Calls `body` for vectors of `length` lanes that cover `count` elements, with
/// the first element of each and the lanes that exist. These are known if
/// `count` is.
void forEachVector(
    KernelBuilder &b, Value count, int64_t length, const LoopState &carried,
    function_ref<void(Value first, const LaneRange &lanes)> body);

/// Returns lanes of `length` as a mask; null for all lanes.
Value createLaneMask(KernelBuilder &b, int64_t length, const LaneRange &range);

/// Returns lanes of `then` inside of `range`, else of `otherwise`.
Value selectRange(KernelBuilder &b, const LaneRange &range, Value then,
                  Value otherwise);

/// Loads `length` lanes from `indices` on in the last dimension of `buffer`,
/// which has consecutive elements there. Lanes outside of `range` are not
/// accessed. They get the lanes of `others`, which are signless, as is the
/// result; or a small integer.
Value loadLanes(KernelBuilder &b, int64_t length, Value buffer,
                ValueRange indices, const LaneRange &range, Operand others);

/// Stores the lanes of `value` in `range` from `indices` on in the last
/// dimension.
void storeLanes(KernelBuilder &b, Value value, Value buffer, ValueRange indices,
                const LaneRange &range);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
