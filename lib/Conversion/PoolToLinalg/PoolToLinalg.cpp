// Implements the pass that lowers pooling operations to linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOLINALG
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

void pool::populatePoolToLinalgPatterns(RewritePatternSet &patterns) {
  populateRecomputeIndicesPatterns(patterns);
  populateRegularAdaptivePatterns(patterns);
  populatePoolDecomposePatterns(patterns);
  populateWindowReduceToLinalgPatterns(patterns);
  populateAdaptiveToLinalgPatterns(patterns);
  populateScatterToLinalgPatterns(patterns);
}

void pool::populateScatterToLinalgPatterns(RewritePatternSet &patterns,
                                           bool parallelChannels) {
  populateMaxUnpoolToLinalgPatterns(patterns);
  populateGradToLinalgPatterns(patterns, parallelChannels);
  populateLargestIndexToLinalgPatterns(patterns);
}

/// Emits an error and fails if there is a pool.window_reduce on buffers,
/// because linalg on buffers is not supported.
static LogicalResult verifyWithoutBuffers(Operation *root) {
  return failure(root->walk([](WindowReduceOp op) -> WalkResult {
                       if (op.hasPureTensorSemantics())
                         return WalkResult::advance();
                       return op.emitOpError("on buffers has no form in "
                                             "linalg: run "
                                             "convert-pool-to-loops first");
                     })
                     .wasInterrupted());
}

namespace {
struct ConvertPoolToLinalgPass
    : pool::impl::ConvertPoolToLinalgBase<ConvertPoolToLinalgPass> {
  using ConvertPoolToLinalgBase::ConvertPoolToLinalgBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet first(context), second(context), third(context);
    populateRecomputeIndicesPatterns(first);
    populateRegularAdaptivePatterns(first);
    populatePoolDecomposePatterns(second);
    if (!keepWindows)
      populateWindowReduceToLinalgPatterns(third);
    populateAdaptiveToLinalgPatterns(third);
    populateScatterToLinalgPatterns(third, parallelChannels);
    toWindowOps = std::move(first);
    toWindows = std::move(second);
    toLinalg = std::move(third);
    return success();
  }

  void runOnOperation() override {
    // Check all operations first, so that a failure changes nothing.
    if (failed(verifyLowerable(getOperation())) ||
        (!keepWindows && failed(verifyWithoutBuffers(getOperation()))))
      return signalPassFailure();
    if (!keepWindows)
      countOps();
    if (runtimeChecks && failed(insertRuntimeChecks(getOperation())))
      return signalPassFailure();
    // Walk once for each stage: a walk does not visit the ops that its patterns
    // create.
    walkAndApplyPatterns(getOperation(), toWindowOps);
    if (keepWindows)
      countOps();
    walkAndApplyPatterns(getOperation(), toWindows);
    walkAndApplyPatterns(getOperation(), toLinalg);
    removeFacts(getOperation());
  }

  void countOps() {
    getOperation()->walk([&](Operation *op) {
      numLowered += isa<AdaptiveOpInterface, AvgPoolGradOp,
                        ExtremumGradOpInterface, MaxUnpoolOp>(op) ||
                    (!keepWindows && isa<WindowOpInterface>(op));
    });
  }

  FrozenRewritePatternSet toWindowOps, toWindows, toLinalg;
};
} // namespace
