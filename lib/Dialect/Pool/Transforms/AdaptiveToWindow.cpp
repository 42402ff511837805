// Replaces adaptive pooling by ordinary pooling if all windows have the same
// size, and all neighbors the same distance.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLADAPTIVETOWINDOW
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct PoolAdaptiveToWindowPass
    : pool::impl::PoolAdaptiveToWindowBase<PoolAdaptiveToWindowPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateRegularAdaptivePatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    getOperation()->walk([&](AdaptiveOpInterface) { ++numRewritten; });
    walkAndApplyPatterns(getOperation(), patterns);
    getOperation()->walk([&](AdaptiveOpInterface) { --numRewritten; });
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
