// Lowers pool.largest_index, the largest of some unsigned integers, to a loop
// over vectors. Run-time checks use it to find an index that is out of bounds.
//
// Without mask registers, processors have no maximum of 64-bit lanes. There,
// 64-bit elements are first compared as independent 32-bit halves. Three
// elements, written as (high, low):
//
//   elements           (0, 7)  (0, 9)  (0, 4)      (1, 7)  (0, 9)  (0, 4)
//   maxima of halves   (0, 9)  right               (1, 9)  too large
//
// If the maximum of the high halves is 0, all elements fit 32 bits, and the
// result is right. Otherwise a second loop compares whole elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerToVector.h"

#include "Emit/LaneMask.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the largest of the elements of `buffer`, as unsigned integers, or 0
/// if there are none. `buffer` must have one dimension. `laneBits` is the width
/// of the lanes that are compared: the width of an element, or half of it. For
/// half widths, emits a branch that compares whole elements if the result does
/// not fit one half.
static Value getLargest(KernelBuilder &b, Value buffer, int64_t laneBits) {
  // A vector fills two registers, so that consecutive maxima need not wait for
  // each other.
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
  // If the result fits one half, all high halves are 0, and the result is
  // right. Otherwise it may combine halves of different elements, and be too
  // large.
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
  // If the tensor is overwritten in place, another check may read it before and
  // after that. So CSE must not merge the buffer operations of two checks. It
  // merges only operations with equal attributes, so give this one an attribute
  // that no other operation has.
  buffer->setDiscardableAttr("read",
                             DistinctAttr::create(rewriter.getUnitAttr()));
  KernelBuilder b(rewriter, loc, target);
  Value packed = collapseFrom(b, buffer, 0);
  // AVX2 and NEON have no maximum of 64-bit lanes. On a Zen 3, a comparison and
  // a selection of these take 1.5 to 2 times as long as a maximum of 32-bit
  // lanes.
  int64_t width = type.getElementTypeBitWidth();
  int64_t laneBits = target.hasMaskRegisters(width) ? width : 32;
  rewriter.replaceOp(op, b.index(getLargest(b, packed, laneBits)));
  return success();
}
