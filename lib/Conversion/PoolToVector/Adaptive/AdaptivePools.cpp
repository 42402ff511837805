// Adaptive pooling on vectors: its linalg form tells what becomes of sums and
// positions, and loops over vectors take the place of the reduction.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Emit/Buffers.h"
#include "Sink/FusedResults.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// Erases the reduction, and operations that only initialized its accumulators.
static void eraseReduction(RewriterBase &rewriter, linalg::GenericOp reduce) {
  SmallVector<Value> inits(reduce.getOutputs());
  rewriter.eraseOp(reduce);
  for (Value init : inits) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (!fill || !fill->use_empty())
      continue;
    Operation *empty = fill.getOutputs()[0].getDefiningOp();
    rewriter.eraseOp(fill);
    if (isOpTriviallyDead(empty))
      rewriter.eraseOp(empty);
  }
}

/// Returns the type of accumulators in a linalg form.
static Type getAccumulatorType(const TilingResult &form) {
  return getElementTypeOrSelf(form.tiledOps.front()->getResult(0).getType());
}

static FailureOr<PlanAttr> planForm(StringRef pass, AdaptiveOpInterface op,
                                    std::optional<AdaptiveProblem> &problem,
                                    const TilingResult &form,
                                    const Target &target) {
  std::string reason;
  problem = AdaptiveProblem::get(op, getAccumulatorType(form), target, reason);
  return planOperation(pass, op, problem, getAdaptiveStrategies(), reason);
}

FailureOr<PlanAttr> pool::planAdaptivePool(StringRef pass,
                                           AdaptiveOpInterface op,
                                           const Target &target) {
  OpBuilder b(op);
  ScratchOps scratch(b);
  std::optional<AdaptiveProblem> problem;
  FailureOr<PlanAttr> plan =
      planForm(pass, op, problem, op.createLinalgForm(b, {}, {}), target);
  scratch.erase();
  return plan;
}

LogicalResult pool::lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                      AdaptiveOpInterface op,
                                      const Target &target) {
  Location loc = op->getLoc();
  Value input = op.getInput();
  rewriter.setInsertionPoint(op);
  ScratchOps scratch(rewriter);
  TilingResult form = op.createLinalgForm(rewriter, {}, {});
  std::optional<AdaptiveProblem> problem;
  FailureOr<PlanAttr> plan = planForm(pass, op, problem, form, target);
  if (failed(plan) || !*plan) {
    scratch.erase();
    return failure(failed(plan));
  }
  auto max = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  int64_t carriedAxis =
      max ? getCarriedAxis(max.getNormalizedAxis(), op.getLayout()) : 0;
  auto reduce = cast<linalg::GenericOp>(form.tiledOps.front());
  replaceOpWithCasts(rewriter, op, form.tiledValues);

  FusedResults fused(reduce.getResults());
  SmallVector<Value> outs;
  for (Value init : reduce.getOutputs())
    outs.push_back(init.getDefiningOp<linalg::FillOp>().getOutputs()[0]);
  fused.replace(
      rewriter, loc, input, outs, /*needPackedOutputs=*/false,
      [&](Value buffer) {
        KernelBuilder at(rewriter, loc, target);
        SmallVector<Value> inputShape = at.getExtents(buffer);
        unsigned firstDim = problem->layout == Layout::ChannelsFirst ? 2 : 1;
        SmallVector<SymbolicAdaptiveDim> dims;
        for (auto [i, output] : llvm::enumerate(problem->outputs))
          dims.push_back(resolveAdaptiveDim(
              rewriter, loc, getAsOpFoldResult(inputShape[firstDim + i]),
              output));
        AdaptiveKernel kernel{at,
                              buffer,
                              fused.chains,
                              fused.buffers,
                              problem->reduction,
                              problem->layout,
                              dims,
                              inputShape,
                              carriedAxis};
        findStrategy(getAdaptiveStrategies(), plan->getStrategy().getValue())
            ->emit(kernel, *plan);
      });
  eraseReduction(rewriter, reduce);
  return success();
}
