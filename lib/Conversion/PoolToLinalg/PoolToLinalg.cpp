// The pass that lowers pooling operations to linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/RuntimeChecks.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOLINALG
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

void pool::populatePoolToLinalgPatterns(RewritePatternSet &patterns) {
  populateMaxPoolToLinalgPatterns(patterns);
  populateAvgPoolToLinalgPatterns(patterns);
  populateLpPoolToLinalgPatterns(patterns);
}

namespace {
struct ConvertPoolToLinalgPass
    : pool::impl::ConvertPoolToLinalgBase<ConvertPoolToLinalgPass> {
  using ConvertPoolToLinalgBase::ConvertPoolToLinalgBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populatePoolToLinalgPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // All is checked before the first edit.
    SmallVector<WindowOpInterface> ops;
    bool refused = false;
    getOperation()->walk([&](WindowOpInterface op) {
      ops.push_back(op);
      if (isa<RankedTensorType>(op.getInput().getType()))
        return;
      op.emitOpError("cannot be lowered: the input is unranked");
      refused = true;
    });
    if (refused)
      return signalPassFailure();
    // Analyses survive where nothing was to be done.
    if (ops.empty())
      return markAllAnalysesPreserved();

    if (runtimeChecks) {
      OpBuilder b(&getContext());
      for (WindowOpInterface op : ops)
        insertRuntimeChecks(
            b, cast<RuntimeVerifiableOpInterface>(op.getOperation()));
    }
    numLowered += ops.size();
    walkAndApplyPatterns(getOperation(), patterns);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
