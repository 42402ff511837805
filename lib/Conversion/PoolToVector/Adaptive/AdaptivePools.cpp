// Adaptive pooling on vectors: its linalg form tells what becomes of sums and
// positions, and loops over vectors take the place of the reduction.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
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

LogicalResult pool::lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                      AdaptiveOpInterface op,
                                      const Target &target) {
  std::string reason;
  auto problem = AdaptiveProblem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getAdaptiveStrategies(), reason);
  if (failed(plan) || !*plan)
    return failure(failed(plan));
  Location loc = op->getLoc();
  Value input = op.getInput();
  rewriter.setInsertionPoint(op);
  TilingResult form = op.createLinalgForm(rewriter, {}, {});
  auto reduce = cast<linalg::GenericOp>(form.tiledOps.front());
  replaceOpWithCasts(rewriter, op, form.tiledValues);

  FusedResults fused(reduce.getResults());
  SmallVector<Value> outs;
  for (Value init : reduce.getOutputs())
    outs.push_back(init.getDefiningOp<linalg::FillOp>().getOutputs()[0]);
  auto emitLoops = [&](Value buffer) {
    KernelBuilder at(rewriter, loc, target);
    AdaptiveKernel kernel(at, *problem, buffer, fused);
    findStrategy(getAdaptiveStrategies(), plan->getStrategy().getValue())
        ->emit(kernel, *plan);
  };
  fused.replace(rewriter, loc, input, outs, /*needPackedOutputs=*/false,
                emitLoops);
  eraseReduction(rewriter, reduce);
  return success();
}
