// Lowers pool.window_reduce on buffers to loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Transforms/WindowLoops.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOLOOPS
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct WindowReduceToLoops : OpRewritePattern<WindowReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WindowReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "not on buffers");
    SmallVector<OpFoldResult> shape =
        memref::getMixedSizes(rewriter, op.getLoc(), op.getInput());
    createWindowLoops(rewriter, op, [&](ElementBuilder &b, ValueRange output) {
      return reduceWindow(b, op, op.getInput(), shape, output);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertPoolToLoopsPass
    : pool::impl::ConvertPoolToLoopsBase<ConvertPoolToLoopsPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populatePoolToLoopsPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    getOperation()->walk([&](WindowReduceOp op) {
      if (op.hasPureBufferSemantics())
        ++numLowered;
    });
    walkAndApplyPatterns(getOperation(), patterns);
    removeFactsOnBuffers(getOperation());
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void pool::populatePoolToLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add<WindowReduceToLoops>(patterns.getContext());
}
