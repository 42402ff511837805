// Unpooling and the gradients of extrema on buffers of their operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

#include "Emit/Buffers.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// Emits `plan` on buffers. Returns the result of `op`.
static Value scatter(RewriterBase &b, Operation *op,
                     const ScatterProblem &problem, PlanAttr plan) {
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> shape;
  Type type = getElementTypeOrSelf(op->getResult(0)), accType;
  SourceElementFn condition;
  SmallVector<Value> inputs;
  if (auto unpool = dyn_cast<MaxUnpoolOp>(op)) {
    inputs = {unpool.getValues(), unpool.getIndices()};
    shape = unpool.getMixedSizes();
  } else {
    auto grad = cast<ExtremumGradOpInterface>(op);
    Value indices = grad.getIndices();
    inputs = {grad.getOutputGrad(), indices ? indices : grad.getInput()};
    shape = tensor::getMixedSizes(b, loc, grad.getInput());
    accType = getFloatAccumulator(type);
    WindowAttrs window = grad.getWindow();
    SmallVector<SymbolicDim> dims = resolveDims(b, loc, shape, window);
    if (llvm::any_of(dims, mayBeEmpty))
      condition = [=](KernelBuilder &at, ValueRange position) {
        return hasElementInside(at, at.getLoc(), dims, window, position);
      };
  }
  auto fill = [&](ValueRange buffers, Value target) {
    KernelBuilder at(b, loc, problem.target);
    ScatterEmitter emitter{problem, at,      buffers[0], buffers[1],
                           target,  accType, condition};
    findStrategy(getScatterStrategies(), plan.getStrategy().getValue())
        ->emit(emitter, plan);
  };
  return writeToBuffer(b, loc, inputs, shape, type, fill);
}

LogicalResult pool::lowerScatter(StringRef pass, RewriterBase &rewriter,
                                 Operation *op, const Target &target) {
  std::string reason;
  std::optional<ScatterProblem> problem =
      ScatterProblem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getScatterStrategies(), reason);
  if (failed(plan))
    return failure();
  rewriter.setInsertionPoint(op);
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  bool chooses = *plan && plan->getStrategy() == SeparablePlan::kStrategy;
  if (grad && !grad.getIndices() && !chooses)
    recomputeIndices(rewriter, grad);
  if (*plan)
    replaceOpWithCasts(rewriter, op, scatter(rewriter, op, *problem, *plan));
  return success();
}
