// Converts pooling to vector code: plans each operation, and emits the plan.
// The reduction and its elementwise consumers become one loop nest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
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

static bool needsPackedResults(PlanAttr plan, const Problem &problem) {
  for (; plan; plan = plan.getParameters().getAs<PlanAttr>("otherwise"))
    if (findStrategy(getWindowStrategies(), plan)->needsPackedResults(problem))
      return true;
  return false;
}

static void emitPlan(WindowKernel &kernel, PlanAttr plan) {
  const WindowStrategy *strategy = findStrategy(getWindowStrategies(), plan);
  Value isFor = strategy->createCondition(kernel, plan);
  kernel.at.ifElse(isFor, [&](bool isForIt) {
    if (isForIt)
      strategy->emit(kernel, plan);
    else
      emitPlan(kernel, plan.getParameters().getAs<PlanAttr>("otherwise"));
  });
}

/// Fails where `op` has a plan that does not fit.
static LogicalResult lowerWindowReduce(StringRef pass, RewriterBase &rewriter,
                                       WindowReduceOp op,
                                       const Target &target) {
  bool onTensors = op.hasPureTensorSemantics();
  if (!onTensors && !op.hasPureBufferSemantics())
    return success();
  std::string reason;
  FailureOr<Problem> problem = Problem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getWindowStrategies(), reason);
  if (failed(plan) || !*plan)
    return failure(failed(plan));
  auto emit = [&](Value input, ArrayRef<ElementwiseChain> chains,
                  ArrayRef<Value> buffers) {
    WindowKernel kernel(rewriter, op, *problem, input, chains, buffers);
    emitPlan(kernel, *plan);
  };
  SmallVector<Value> outs(op.getOuts());
  if (onTensors) {
    FusedResults fused(op.getResults());
    fused.replace(rewriter, op.getLoc(), op.getInput(), outs,
                  needsPackedResults(*plan, *problem), [&](Value input) {
                    emit(input, fused.chains, fused.buffers);
                  });
  } else {
    rewriter.setInsertionPoint(op);
    SmallVector<ElementwiseChain> chains(outs.begin(), outs.end());
    emit(op.getInput(), chains, outs);
  }
  rewriter.eraseOp(op);
  return success();
}

/// Fails where `op` has a plan that does not fit.
static LogicalResult lowerWindowOp(StringRef, RewriterBase &rewriter,
                                   WindowOpInterface op, const Target &target) {
  // An error of the window form's own would name an operation that nobody
  // wrote.
  auto check = [&](WindowReduceOp form) -> FailureOr<PlanAttr> {
    PlanAttr pinned = PlanAttr::getOf(op);
    std::string reason;
    FailureOr<Problem> problem = Problem::get(form, target, reason);
    if (failed(checkPinned(op, pinned, problem, getWindowStrategies(), reason)))
      return failure();
    return pinned;
  };
  if (PlanAttr::getOf(op) && failed(withWindowForm(op, check)))
    return failure();
  rewriter.setInsertionPoint(op);
  decomposeWindowOp(rewriter, op);
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

  void runOnOperation() override {
    // All is checked before the first edit.
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    int64_t numGiven = countPoolOps();
    IRRewriter rewriter(&getContext());
    if (runtimeChecks)
      insertRuntimeChecks(getOperation());
    vectorizeIndexChecks(rewriter, getOperation(), target);
    walkAndApplyPatterns(getOperation(), toWindowOps);
    // Gradients of averages, adaptive and spec operations become, or have,
    // window reductions, which come last.
    if (failed(lowerAll<MaxUnpoolOp>(lowerScatter)) ||
        failed(lowerAll<ExtremumGradOpInterface>(lowerScatter)) ||
        failed(lowerAll<AvgPoolGradOp>(lowerAvgPoolGrad)) ||
        failed(lowerAll<AdaptiveOpInterface>(lowerAdaptivePool)) ||
        failed(lowerAll<WindowOpInterface>(lowerWindowOp)) ||
        failed(lowerAll<WindowReduceOp>(lowerWindowReduce)))
      return signalPassFailure();
    removeFacts(getOperation());
    // One operation may leave several.
    numLowered += std::max<int64_t>(numGiven - countPoolOps(), 0);
  }

private:
  /// Calls `lower` for the operations of kind `Op` that there are now; fails
  /// where it does.
  template <typename Op, typename LowerFn>
  LogicalResult lowerAll(LowerFn lower) {
    IRRewriter rewriter(&getContext());
    SmallVector<Op> ops;
    getOperation()->walk([&](Op op) { ops.push_back(op); });
    for (Op op : ops)
      if (failed(lower(getArgument(), rewriter, op, target)))
        return failure();
    return success();
  }

  int64_t countPoolOps() {
    int64_t count = 0;
    getOperation()->walk([&](Operation *op) {
      count += isa_and_present<PoolDialect>(op->getDialect()) &&
               !isa<OnBuffersOp>(op);
    });
    return count;
  }

  /// The machine to make vectors for.
  Target target;
  FrozenRewritePatternSet toWindowOps;
};
} // namespace
