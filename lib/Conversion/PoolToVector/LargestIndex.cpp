// Lowers pool.largest_index, by which run-time checks read indices, to a loop
// over vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerToVector.h"

#include "Emit/LaneMask.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the largest element, as unsigned, of a `buffer` of integers with one
/// dimension, or 0 if there is none. Compares lanes of `laneBits`. These may be
/// halves of elements. Then a second loop over whole elements follows, for a
/// maximum that does not fit one half.
static Value getLargest(KernelBuilder &b, Value buffer, int64_t laneBits) {
  // Two registers, so that one maximum does not wait for the other.
  auto getVector = [&](int64_t width) {
    return VectorType::get(getNumLanes(2 * b.target.vectorBits, width),
                           b.getIntegerType(width));
  };
  int64_t width = getElementTypeOrSelf(buffer).getIntOrFloatBitWidth();
  VectorType compared = getVector(laneBits), elements = getVector(width);
  int64_t length = elements.getNumElements();
  Value lanes = b.constant(b.getZeroAttr(compared));
  forEachVector(b, b.getExtents(buffer).front(), length, lanes,
                [&](Value first, const LaneRange &range) {
                  Value loaded =
                      loadLanes(b, length, buffer, first, range, /*others=*/0);
                  loaded = b.createOrFold<vector::BitCastOp>(compared, loaded);
                  lanes = arith::MaxUIOp::create(b, lanes, loaded);
                });
  Value largest = vector::ReductionOp::create(
      b, vector::CombiningKind::MAXUI,
      b.createOrFold<vector::BitCastOp>(elements, lanes));
  if (laneBits == width)
    return largest;
  // A maximum of halves is right or too large.
  Value isRight = b.isBelow(largest, int64_t(1) << laneBits);
  b.ifElse(isRight, largest, [&](bool suffices) {
    if (!suffices)
      largest = getLargest(b, buffer, width);
  });
  return largest;
}

LogicalResult pool::lowerLargestIndex(RewriterBase &rewriter, LargestIndexOp op,
                                      const Target &target) {
  TypedValue<RankedTensorType> indices = op.getIndices();
  RankedTensorType type = indices.getType();
  bool isPacked = type.getRank() != 0 && !type.getEncoding() &&
                  !isSlice(indices) && !llvm::is_contained(type.getShape(), 0);
  if (!isPacked)
    return failure();
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto buffer = bufferization::ToBufferOp::create(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
      indices, /*read_only=*/true);
  // The tensor may be overwritten in place before another check reads it.
  // Bufferisation takes this operation for the place of all loads, so CSE must
  // not merge it with another. A different attribute prevents that.
  buffer->setDiscardableAttr("read",
                             DistinctAttr::create(rewriter.getUnitAttr()));
  KernelBuilder b(rewriter, loc, target);
  Value packed = collapseFrom(b, buffer, 0);
  // AVX2 and NEON have no maximum of 64-bit lanes. On a Zen 3, comparing and
  // selecting them takes 1.5 to 2 times as long as a maximum of halves.
  int64_t width = type.getElementTypeBitWidth();
  int64_t laneBits = target.hasMaskRegisters(width) ? width : 32;
  rewriter.replaceOp(op, b.index(getLargest(b, packed, laneBits)));
  return success();
}
