// Lowers adaptive pooling to the linalg ops that AdaptiveForm builds.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowered.h"

#include "mlir/IR/PatternMatch.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/Transforms/AdaptiveForm.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct AdaptiveToLinalg : OpInterfaceRewritePattern<AdaptiveOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AdaptiveOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getInput().getType()))
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    TilingResult form = AdaptiveForm(rewriter, op).create();
    // If the windows are regular, the input is an operand of the linalg op and
    // read by an indexing map. Otherwise the op's body reads the input.
    bool isRegular =
        llvm::is_contained(form.tiledOps.front()->getOperands(), op.getInput());
    remarkLowered(op, "linalg.generic",
                  isRegular
                      ? "the extent of its window is not known"
                      : "its windows are not those of an ordinary operation");
    replaceOpWithCasts(rewriter, op, form.tiledValues);
    return success();
  }
};
} // namespace

void pool::populateAdaptiveToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<AdaptiveToLinalg>(patterns.getContext());
}
