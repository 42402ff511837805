// How many lanes a vector has, masks of those that have elements, stores of
// these, and shuffles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H

#include "mlir/IR/Builders.h"

#include <algorithm>

namespace mlir::pool {

/// Of a register of `vectorBits`, for elements of `width` bits; a vector has
/// two at least.
inline int64_t getNumLanes(int64_t vectorBits, int64_t width) {
  return std::max<int64_t>(vectorBits / width, 2);
}

/// Lanes [begin, end) of `length`, which may reach over both; none where
/// they are no range. `begin` is null for 0.
Value createLaneMask(OpBuilder &b, Location loc, int64_t length, Value begin,
                     Value end);
Value createLaneMask(OpBuilder &b, Location loc, int64_t length, int64_t begin,
                     int64_t end);

/// The lane of that number alone, if there is one.
Value createOneLaneMask(OpBuilder &b, Location loc, int64_t length, Value lane);

/// A vector of `length` elements of `buffer`, signless, from `indices` on in
/// the last dimension; `fill`, a small integer, in lanes that `mask`, unless
/// null, leaves out.
Value loadLanes(OpBuilder &b, Location loc, int64_t length, Value buffer,
                ValueRange indices, Value mask, int64_t fill);

/// Stores the lanes of `value` that `mask` says, or all if it is null, from
/// `indices` on in the last dimension.
void storeLanes(OpBuilder &b, Location loc, Value value, Value buffer,
                ValueRange indices, Value mask);

/// Lanes of consecutive `vectors` by shuffles: those of `positions`,
/// which ascend, as counted from the first vector's first lane. As many as a
/// vector has; where one is vector::ShuffleOp::kPoisonIndex, which not all are,
/// the lane does not matter.
Value gatherLanes(OpBuilder &b, Location loc, ArrayRef<Value> vectors,
                  ArrayRef<int64_t> positions);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_LANEMASK_H
