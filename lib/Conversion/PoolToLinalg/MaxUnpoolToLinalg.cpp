// Lowers max_unpool to a fill with zeros and a loop nest that stores each value
// at its index, and largest_index to a loop nest that compares all indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowered.h"
#include "ScatterLowering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct MaxUnpoolToLinalg : OpRewritePattern<MaxUnpoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxUnpoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getValues().getType().hasRank() ||
        !op.getIndices().getType().hasRank())
      return rewriter.notifyMatchFailure(op, "an operand is unranked");
    remarkLowered(op, "loops", "no linalg op writes where an index says");
    ElementBuilder b(rewriter, op.getLoc());
    SmallVector<OpFoldResult> shape = op.getMixedSizes();
    IndexedScatter scatter(b, op.getNormalizedAxis(), shape);
    Value zeros =
        createZeros(b, shape, op.getOutput().getType().getElementType());
    SmallVector<OpFoldResult> upper =
        getKnownExtents(tensor::getMixedSizes(b, b.getLoc(), op.getValues()),
                        tensor::getMixedSizes(b, b.getLoc(), op.getIndices()));
    Value unpooled = scatter.createLoops(
        b, upper, zeros,
        [&](ElementBuilder &b, ValueRange position, Value slice) {
          Value value = tensor::ExtractOp::create(b, op.getValues(), position);
          return scatter.writeAtIndex(
              b, op.getIndices(), position, slice, /*condition=*/{},
              [&](ElementBuilder &b, ValueRange place, Value slice) -> Value {
                return tensor::InsertOp::create(b, value, slice, place);
              });
        });
    rewriter.replaceOp(op, unpooled);
    return success();
  }
};

struct LargestIndexToLinalg : OpRewritePattern<LargestIndexOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LargestIndexOp op,
                                PatternRewriter &rewriter) const override {
    ElementBuilder b(rewriter, op.getLoc());
    Value indices = op.getIndices();
    Value largest = createLoops(
        b, /*lower=*/{}, tensor::getMixedSizes(b, b.getLoc(), indices),
        b.index(0), [&](ElementBuilder &b, ValueRange position, Value soFar) {
          Value index = tensor::ExtractOp::create(b, indices, position);
          return b.fold<arith::MaxUIOp>(soFar, b.index(index));
        });
    rewriter.replaceOp(op, largest);
    return success();
  }
};
} // namespace

void pool::populateMaxUnpoolToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<MaxUnpoolToLinalg>(patterns.getContext());
}

void pool::populateLargestIndexToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LargestIndexToLinalg>(patterns.getContext());
}
