// Lowers max_unpool to a fill with zeros and a loop nest that stores each value
// at its index.
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
    IndexedPositions positions(b, op.getNormalizedAxis(), shape);
    Value zeros =
        createZeros(b, shape, op.getOutput().getType().getElementType());
    Value unpooled = createLoops(
        b, /*lower=*/{}, tensor::getMixedSizes(b, b.getLoc(), op.getValues()),
        zeros, [&](ElementBuilder &b, ValueRange position, Value target) {
          Value value = tensor::ExtractOp::create(b, op.getValues(), position);
          Value index = tensor::ExtractOp::create(b, op.getIndices(), position);
          return positions.writeAtIndex(
              b, position, target, index, /*condition=*/{},
              [&](ElementBuilder &b, ValueRange place, Value target) -> Value {
                return tensor::InsertOp::create(b, value, target, place);
              });
        });
    rewriter.replaceOp(op, unpooled);
    return success();
  }
};
} // namespace

void pool::populateMaxUnpoolToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<MaxUnpoolToLinalg>(patterns.getContext());
}
