// Where buffers lie in memory, as stores past the caches and fetching ahead
// ask.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_MEMORY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_MEMORY_H

#include "Emit/KernelBuilder.h"

namespace mlir::pool {

/// Bytes of an element of `buffer`.
inline int64_t getElementBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
}

/// Emits a test that `buffer` is packed and begins at a multiple of `numBytes`.
inline Value isAlignedTo(KernelBuilder &at, Value buffer, int64_t numBytes) {
  if (!cast<MemRefType>(buffer.getType()).getLayout().isIdentity())
    return arith::ConstantIntOp::create(at, 0, 1);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(at, buffer);
  return at.isEqual(at.rem(begin, numBytes), at.index(0));
}

/// `buffer` with its dimensions from `dim` on as one; null where it is not
/// packed, or known to be empty.
inline Value collapseFrom(KernelBuilder &at, Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  // Upstream has no type for an extent of 0 beside one that is not known.
  if (!type.getLayout().isIdentity() || llvm::is_contained(type.getShape(), 0))
    return {};
  SmallVector<ReassociationIndices> groups(dim + 1);
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups[std::min(i, dim)].push_back(i);
  return at.createOrFold<memref::CollapseShapeOp>(buffer, groups);
}

/// The number of the element at `position` of a packed buffer with `extents`.
inline Value getElementNumber(KernelBuilder &at, ArrayRef<Value> extents,
                              ArrayRef<Value> position) {
  Value element = position[0];
  for (unsigned dim = 1; dim < extents.size(); ++dim)
    element = at.add(at.mul(element, extents[dim]), position[dim]);
  return element;
}

/// Returns the element `distance` after the element at `position` of a packed
/// buffer with `extents`. It is moved back so that `reach` elements follow,
/// itself included, or to the first element if there are too few.
inline Value getElementAhead(KernelBuilder &at, ArrayRef<Value> extents,
                             ArrayRef<Value> position, int64_t distance,
                             Value reach) {
  Value element = getElementNumber(at, extents, position), end = extents[0];
  for (Value extent : extents.drop_front())
    end = at.mul(end, extent);
  return at.min(at.add(element, distance), at.max(at.sub(end, reach), 0));
}

/// Fetches the cache line of an element of a buffer into `cache`, a locality
/// hint.
inline void prefetchElement(KernelBuilder &at, Value buffer,
                            ArrayRef<Value> position, unsigned cache) {
  memref::PrefetchOp::create(at, buffer, position, /*isWrite=*/false, cache,
                             /*isDataCache=*/true);
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_MEMORY_H
