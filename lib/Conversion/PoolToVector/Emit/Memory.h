// Where buffers lie in memory, as stores past the caches and fetching ahead
// ask.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_MEMORY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_MEMORY_H

#include "Emit/IndexArithmetic.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::pool {

/// Bytes of an element of `buffer`.
inline int64_t getElementBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
}

/// Whether `buffer` begins at a multiple of `numBytes`.
inline Value isAlignedTo(OpBuilder &b, Location loc, Value buffer,
                         int64_t numBytes) {
  IndexArithmetic at(b, loc);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                               at.rem(begin, numBytes), at.constant(0));
}

/// All elements of a packed buffer as one dimension.
inline Value flatten(OpBuilder &b, Location loc, Value buffer) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return memref::CollapseShapeOp::create(b, loc, buffer,
                                         ArrayRef<ReassociationIndices>(all));
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_MEMORY_H
