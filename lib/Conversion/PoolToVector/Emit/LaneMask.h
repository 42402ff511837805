// The number of lanes of a vector, masks for existing lanes, masked loads and
// stores, and shuffles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H

#include "Emit/KernelBuilder.h"

#include <algorithm>

namespace mlir::pool {

/// Returns the number of elements of `width` bits in a register of
/// `vectorBits`, and at least 2.
inline int64_t getNumLanes(int64_t vectorBits, int64_t width) {
  return std::max<int64_t>(vectorBits / width, 2);
}

/// Lanes [begin, end) of `length`, which may reach over both; none where
/// they are no range. `begin` is null for 0.
Value createLaneMask(KernelBuilder &at, int64_t length, Value begin, Value end);
Value createLaneMask(KernelBuilder &at, int64_t length, int64_t begin,
                     int64_t end);

/// The first `numLanes` of `length` lanes; null if these are known to be all.
Value createPrefixMask(KernelBuilder &at, int64_t length, Value numLanes);

/// Calls `body` for vectors of `length` lanes that cover `count` elements, with
/// the first element of each and how many lanes exist. These are known if
/// `count` is. See KernelBuilder::forEach() for `carried`.
void forEachVector(KernelBuilder &at, Value count, int64_t length,
                   MutableArrayRef<Value> carried,
                   function_ref<void(Value first, Value numLanes)> body);

/// The existing lanes [begin, end) that a mask sets.
struct LaneRange {
  OpFoldResult begin, end;
};
/// Recognizes the masks of createLaneMask() and their folds.
std::optional<LaneRange> getLaneRange(Builder b, Value mask);

/// The lane of that number alone, if there is one.
Value createOneLaneMask(KernelBuilder &at, int64_t length, Value lane);

/// A vector of `length` elements of `buffer`, signless, from `indices` on in
/// the last dimension; `fill`, a small integer, in lanes that `mask`, unless
/// null, leaves out.
Value loadLanes(KernelBuilder &at, int64_t length, Value buffer,
                ValueRange indices, Value mask, int64_t fill);

/// Stores the lanes of `value` that `mask` says, or all if it is null, from
/// `indices` on in the last dimension.
void storeLanes(KernelBuilder &at, Value value, Value buffer,
                ValueRange indices, Value mask);

/// Gathers lanes of consecutive `vectors` by shuffles. `positions` has one
/// position for each lane of the result, counted from the first lane of the
/// first vector; positions ascend. The lane is arbitrary if the position is
/// vector::ShuffleOp::kPoisonIndex; at least one position is another one.
Value gatherLanes(KernelBuilder &at, ArrayRef<Value> vectors,
                  ArrayRef<int64_t> positions);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
