// Adds indices to gradients of extrema that have none. A max_pool or min_pool
// of the same input recomputes them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLRECOMPUTEINDICES
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct RecomputeIndices : OpInterfaceRewritePattern<ExtremumGradOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ExtremumGradOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.getIndices())
      return rewriter.notifyMatchFailure(op, "has indices");
    if (!isa<RankedTensorType>(op.getInput().getType()))
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    recomputeIndices(rewriter, op);
    return success();
  }
};

struct PoolRecomputeIndicesPass
    : pool::impl::PoolRecomputeIndicesBase<PoolRecomputeIndicesPass> {
  void runOnOperation() override {
    bool refused = false;
    getOperation()->walk([&](ExtremumGradOpInterface op) {
      if (op.getIndices())
        return;
      refused |= failed(verifyLowerable(op));
      ++numRecomputed;
    });
    if (refused)
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateRecomputeIndicesPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

IntegerType pool::getRecomputedIndexType(ExtremumGradOpInterface op) {
  ArrayRef<int64_t> dims = cast<RankedTensorType>(op.getInput().getType())
                               .getShape()
                               .drop_front(op.getWindow().getSpatialDim(0));
  std::optional<int64_t> bound;
  if (!ShapedType::isDynamicShape(dims))
    bound = getProduct(dims);
  return IntegerType::get(op.getContext(),
                          bound && *bound <= kMaxI32IndexBound ? 32 : 64);
}

void pool::recomputeIndices(RewriterBase &rewriter,
                            ExtremumGradOpInterface op) {
  WindowAttrs window = op.getWindow();
  // Count indices from the first spatial dimension on. They need not count the
  // dimensions before it, because a window has only one position there.
  int64_t axis = window.getSpatialDim(0);
  ExtremumModes modes(axis, getNeverChosen(op.getReduction()), op.getNanMode());
  ExtremumOpInterface choice = createExtremumPool(
      rewriter, op.getLoc(), op.getReduction(), op.getInput(), window, modes,
      getRecomputedIndexType(op));
  rewriter.modifyOpInPlace(op,
                           [&] { op.addIndices(choice.getIndices(), axis); });
}

void pool::populateRecomputeIndicesPatterns(RewritePatternSet &patterns) {
  patterns.add<RecomputeIndices>(patterns.getContext());
}
