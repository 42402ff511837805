// Pools the last dimension first, and then the others: a window of 3 x 3
// becomes windows of 1 x 3 and 3 x 1. The maximum stays equal.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Returns the attributes of one of the two poolings. If `last` is true, only
/// the last spatial dimension keeps the window of `op`, else all other spatial
/// dimensions do. The remaining dimensions get windows of one element.
static pool::MaxPoolOp::Properties getPart(pool::MaxPoolOp op, bool last) {
  pool::MaxPoolOp::Properties part = op.getProperties();
  const size_t end = part.kernel.size() - 1;
  for (size_t dim = 0; dim <= end; ++dim) {
    if ((dim == end) == last)
      continue;
    part.kernel[dim] = 1;
    for (auto *list : {&part.strides, &part.dilations})
      if (!list->empty()) // an absent list holds the defaults
        (*list)[dim] = 1;
    for (auto *list : {&part.pads_begin, &part.pads_end})
      if (!list->empty())
        (*list)[dim] = 0;
  }
  return part;
}

namespace {
struct SeparateWindow : OpRewritePattern<pool::MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(pool::MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    const llvm::ArrayRef<int64_t> kernel = op.getKernel();
    if (op.getIndices())
      return rewriter.notifyMatchFailure(op, "positions need the whole window");
    if (kernel.back() == 1 ||
        llvm::all_of(kernel.drop_back(), [](int64_t k) { return k == 1; }))
      return rewriter.notifyMatchFailure(op, "the window has one dimension");
    const Location loc = op.getLoc();
    const Value rows =
        pool::MaxPoolOp::create(rewriter, loc, op.getInput(), getPart(op, true))
            .getValues();
    rewriter.replaceOpWithNewOp<pool::MaxPoolOp>(
        op, TypeRange(op.getValues().getType()), ValueRange(rows),
        getPart(op, false));
    return success();
  }
};

struct SeparateWindows
    : PassWrapper<SeparateWindows, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SeparateWindows)

  StringRef getArgument() const override { return "separate-windows"; }
  StringRef getDescription() const override {
    return "Pool maxima along one dimension after the other";
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SeparateWindow>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void registerSeparateWindows() { PassRegistration<SeparateWindows>(); }
