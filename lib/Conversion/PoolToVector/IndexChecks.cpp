// Run-time checks of indices look for the largest one by a marked loop over the
// elements of a tensor. A loop over vectors replaces it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IndexChecks.h"

#include "Emit/LaneMask.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the tensor that a marked loop reads. Returns null if it reads
/// several, or one that is defined in the loop, is a slice, may be empty, or
/// has elements other than i32 or i64.
static Value getReadTensor(scf::ForOp loop) {
  SetVector<Value> tensors;
  loop.walk([&](tensor::ExtractOp read) { tensors.insert(read.getTensor()); });
  if (tensors.size() != 1 || !loop.isDefinedOutsideOfLoop(tensors[0]) ||
      isSlice(tensors[0]))
    return {};
  auto type = cast<RankedTensorType>(tensors[0].getType());
  bool hasVectors = type.getElementType().isSignlessInteger(32) ||
                    type.getElementType().isSignlessInteger(64);
  bool isPacked = type.getRank() != 0 && !type.getEncoding() &&
                  !llvm::is_contained(type.getShape(), 0);
  return hasVectors && isPacked ? tensors[0] : Value();
}

/// Returns the largest element, as unsigned, of a `buffer` of integers with one
/// dimension, or 0 if there is none. Compares lanes of `laneBits`. These may be
/// halves of elements. Then a second loop over whole elements follows, for a
/// maximum that does not fit one half.
static Value getLargest(KernelBuilder &at, Value buffer, int64_t laneBits) {
  // Two registers, so that one maximum does not wait for the other.
  auto getVector = [&](int64_t width) {
    return VectorType::get(getNumLanes(2 * at.target.vectorBits, width),
                           at.getIntegerType(width));
  };
  int64_t width = getElementTypeOrSelf(buffer).getIntOrFloatBitWidth();
  VectorType compared = getVector(laneBits), elements = getVector(width);
  int64_t length = elements.getNumElements();
  Value lanes = at.constant(at.getZeroAttr(compared));
  forEachVector(at, at.getExtents(buffer).front(), length, lanes,
                [&](Value first, const LaneRange &range) {
                  Value loaded =
                      loadLanes(at, length, buffer, first, range, /*fill=*/0);
                  loaded = at.createOrFold<vector::BitCastOp>(compared, loaded);
                  lanes = arith::MaxUIOp::create(at, lanes, loaded);
                });
  Value largest = vector::ReductionOp::create(
      at, vector::CombiningKind::MAXUI,
      at.createOrFold<vector::BitCastOp>(elements, lanes));
  if (laneBits == width)
    return largest;
  // A maximum of halves is right or too large.
  Value isRight = at.isBelow(largest, int64_t(1) << laneBits);
  at.ifElse(isRight, largest, [&](bool suffices) {
    if (!suffices)
      largest = getLargest(at, buffer, width);
  });
  return largest;
}

void pool::vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                                const Target &target) {
  SmallVector<std::pair<scf::ForOp, Value>> searches;
  root->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!loop->hasAttr(PoolDialect::LargestIndexAttrHelper::getNameStr()))
      return WalkResult::advance();
    if (Value indices = getReadTensor(loop))
      searches.emplace_back(loop, indices);
    // Inner loops are a part of the same search.
    return WalkResult::skip();
  });
  for (auto [loop, indices] : searches) {
    Location loc = loop.getLoc();
    auto type = cast<RankedTensorType>(indices.getType());
    rewriter.setInsertionPoint(loop);
    auto buffer = bufferization::ToBufferOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        indices, /*read_only=*/true);
    // The tensor may be overwritten in place before another check reads it.
    // Bufferisation takes this operation for the place of all loads, so CSE
    // must not merge it with another. A different attribute prevents that.
    buffer->setDiscardableAttr("read",
                               DistinctAttr::create(rewriter.getUnitAttr()));
    KernelBuilder at(rewriter, loc, target);
    Value packed = collapseFrom(at, buffer, 0);
    // AVX2 and NEON have no maximum of 64-bit lanes. On a Zen 3, comparing and
    // selecting them takes 1.5 to 2 times as long as a maximum of halves.
    int64_t width = type.getElementTypeBitWidth();
    Value largest = at.index(
        getLargest(at, packed, target.hasMaskRegisters(width) ? width : 32));
    rewriter.replaceOp(loop, rewriter.createOrFold<arith::MaxUIOp>(
                                 loc, largest, loop.getInitArgs()[0]));
  }
}
