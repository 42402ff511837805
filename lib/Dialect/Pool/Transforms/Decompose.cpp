// Decomposes pooling into pool.window_reduce and elementwise linalg
// (WindowForm.h), and checks that pooling can be lowered.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/Transforms/WindowForm.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLDECOMPOSE
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct DecomposeWindowOp : OpInterfaceRewritePattern<WindowOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(WindowOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getInput().getType()))
      return rewriter.notifyMatchFailure(op, "the input is unranked");
    decomposeWindowOp(rewriter, op);
    return success();
  }
};

struct PoolDecomposePass : pool::impl::PoolDecomposeBase<PoolDecomposePass> {
  void runOnOperation() override {
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    getOperation()->walk([&](WindowOpInterface) { ++numDecomposed; });
    RewritePatternSet patterns(&getContext());
    populatePoolDecomposePatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

std::pair<WindowReduceOp, SmallVector<Value>>
pool::decomposeWindowOp(RewriterBase &rewriter, WindowOpInterface op) {
  TilingResult form = WindowForm(rewriter, op).create();
  auto *reduce = llvm::find_if(form.tiledOps, llvm::IsaPred<WindowReduceOp>);
  return {cast<WindowReduceOp>(*reduce),
          replaceOpWithCasts(rewriter, op, form.tiledValues)};
}

void pool::populatePoolDecomposePatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeWindowOp>(patterns.getContext());
}

/// Fails with a diagnostic if the lowering of `op` would need a buffer that has
/// more bytes than int64 can count. Requires ranked operands.
static LogicalResult verifyBuffers(Operation *op) {
  OpErrors emitError{op};
  auto verifyWindow = [&](Type input, const WindowAttrs &window) {
    return verifyBufferSizes(emitError, cast<RankedTensorType>(input), window);
  };
  auto verifyBytes = [&](StringRef what, ShapedType type) -> LogicalResult {
    if (hasByteCount(type.getShape()))
      return success();
    return emitError("cannot be lowered: the " + what +
                     " has more bytes than a 64-bit integer counts");
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      // Adaptive pooling allocates nothing larger than its outputs, so check
      // only the size of an output.
      .Case([&](AdaptiveOpInterface adaptive) -> LogicalResult {
        FailureOr<RankedTensorType> output = inferAdaptivePool(
            emitError, cast<TensorType>(adaptive.getInput().getType()),
            adaptive.getOutputSize(), adaptive.getLayout());
        return failed(output) ? failure() : verifyBytes("output", *output);
      })
      .Case([&](WindowOpInterface window) {
        return verifyWindow(window.getInput().getType(), window.getWindow());
      })
      // If a gradient has no indices, its lowering recomputes them by a
      // pooling, which may need the padded input. The result needs no check: it
      // is as large as the input, which exists.
      .Case([&](ExtremumGradOpInterface grad) -> LogicalResult {
        return grad.getIndices()
                   ? success()
                   : verifyWindow(grad.getInput().getType(), grad.getWindow());
      })
      .Case<WindowReduceOp, OnBuffersOp, LargestIndexOp>(
          [](auto) { return success(); })
      // The other operations scatter to a result of a declared type, so check
      // the size of that type.
      .Default([&](Operation *scatter) {
        return verifyBytes("result",
                           cast<ShapedType>(scatter->getResult(0).getType()));
      });
}

LogicalResult pool::verifyLowerable(Operation *root) {
  bool refused = false;
  root->walk([&](Operation *op) {
    if (!isa_and_present<PoolDialect>(op->getDialect()))
      return;
    for (auto [i, operand] : llvm::enumerate(op->getOpOperands())) {
      if (!isa<UnrankedTensorType>(operand.get().getType()))
        continue;
      InFlightDiagnostic diagnostic = op->emitOpError("cannot be lowered: ");
      if (isa<WindowOpInterface>(op))
        diagnostic << "the input is unranked";
      else
        diagnostic << "operand #" << i << " is unranked";
      refused = true;
      return;
    }
    refused |= failed(verifyBuffers(op));
  });
  return failure(refused);
}
