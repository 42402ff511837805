// Converts pooling to vector code: plans each operation, and emits the plan.
// The reduction and its elementwise consumers become one loop nest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "PlanPool.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"
#include "Sink/FusedResults.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOVECTOR
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Window reductions
//===----------------------------------------------------------------------===//

static void emitOnBuffers(RewriterBase &rewriter, WindowReduceOp op,
                          const Problem &problem, PlanAttr plan) {
  rewriter.setInsertionPoint(op);
  SmallVector<ElementwiseChain> chains;
  for (Value out : op.getOuts())
    chains.emplace_back(out);
  SmallVector<Value> buffers(op.getOuts());
  WindowKernel kernel(rewriter, op, problem, op.getInput(), chains, buffers);
  emitPlan(kernel, plan);
  rewriter.eraseOp(op);
}

static void emitOnTensors(RewriterBase &rewriter, WindowReduceOp op,
                          const Problem &problem, PlanAttr plan) {
  FusedResults fused(op.getResults());
  fused.replace(rewriter, op.getLoc(), op.getInput(), op.getOuts(),
                needsPackedResults(plan), [&](Value input) {
                  WindowKernel kernel(rewriter, op, problem, input,
                                      fused.chains, fused.buffers);
                  emitPlan(kernel, plan);
                });
  rewriter.eraseOp(op);
}

/// Fails where `op` has a plan that does not fit.
static LogicalResult lowerWindowReduce(StringRef pass, RewriterBase &rewriter,
                                       WindowReduceOp op,
                                       const Target &target) {
  bool onTensors = op.hasPureTensorSemantics();
  if (!onTensors && !op.hasPureBufferSemantics())
    return success();
  std::string reason;
  std::optional<Problem> problem = Problem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getWindowStrategies(), reason);
  if (failed(plan) || !*plan)
    return failure(failed(plan));
  (onTensors ? emitOnTensors : emitOnBuffers)(rewriter, op, *problem, *plan);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertPoolToVectorPass
    : pool::impl::ConvertPoolToVectorBase<ConvertPoolToVectorPass> {
  using ConvertPoolToVectorBase::ConvertPoolToVectorBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<Target> named =
        resolveTarget({triple, cpu, features}, vectorBits, context);
    if (failed(named))
      return failure();
    target = *named;
    RewritePatternSet set(context);
    populateRegularAdaptivePatterns(set);
    toWindowOps = std::move(set);
    return success();
  }

  void runOnOperation() override;

private:
  /// Calls `lower` for the operations of kind `Op` that there are now; fails
  /// where it does.
  template <typename Op>
  LogicalResult lowerAll(function_ref<LogicalResult(Op)> lower) {
    SmallVector<Op> ops;
    getOperation()->walk([&](Op op) { ops.push_back(op); });
    for (Op op : ops)
      if (failed(lower(op)))
        return failure();
    return success();
  }
  LogicalResult lowerAll();

  /// The machine to make vectors for.
  Target target;
  FrozenRewritePatternSet toWindowOps;
};
} // namespace

LogicalResult ConvertPoolToVectorPass::lowerAll() {
  IRRewriter b(&getContext());
  StringRef pass = getArgument();
  // Gradients of averages, adaptive and spec operations become, or have, window
  // reductions, which come last.
  return success(
      succeeded(lowerAll<MaxUnpoolOp>(
          [&](MaxUnpoolOp op) { return lowerScatter(pass, b, op, target); })) &&
      succeeded(
          lowerAll<ExtremumGradOpInterface>([&](ExtremumGradOpInterface op) {
            return lowerScatter(pass, b, op, target);
          })) &&
      succeeded(lowerAll<AvgPoolGradOp>([&](AvgPoolGradOp op) {
        return lowerAvgPoolGrad(pass, b, op, target);
      })) &&
      succeeded(lowerAll<AdaptiveOpInterface>([&](AdaptiveOpInterface op) {
        return lowerAdaptivePool(pass, b, op, target);
      })) &&
      succeeded(lowerAll<WindowOpInterface>([&](WindowOpInterface op) {
        if (failed(checkPinnedPlan(op, target)))
          return failure();
        b.setInsertionPoint(op);
        decomposeWindowOp(b, op);
        return success();
      })) &&
      succeeded(lowerAll<WindowReduceOp>([&](WindowReduceOp op) {
        return lowerWindowReduce(pass, b, op, target);
      })));
}

static int64_t countPoolOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *op) {
    count +=
        isa_and_present<PoolDialect>(op->getDialect()) && !isa<OnBuffersOp>(op);
  });
  return count;
}

void ConvertPoolToVectorPass::runOnOperation() {
  // All is checked before the first edit.
  if (failed(verifyLowerable(getOperation())))
    return signalPassFailure();
  int64_t numGiven = countPoolOps(getOperation());
  IRRewriter rewriter(&getContext());
  if (runtimeChecks)
    insertRuntimeChecks(getOperation());
  vectorizeIndexChecks(rewriter, getOperation(), target);
  walkAndApplyPatterns(getOperation(), toWindowOps);
  if (failed(lowerAll()))
    return signalPassFailure();
  removeFacts(getOperation());
  // One operation may leave several.
  numLowered += std::max<int64_t>(numGiven - countPoolOps(getOperation()), 0);
}
