// Unpooling and the gradients of extrema on buffers of their operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

#include "Emit/Buffers.h"
#include "Scatter/IndexedScatter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

static void emit(ScatterEmitter &emitter, PlanAttr plan) {
  findStrategy(getScatterStrategies(), plan.getStrategy().getValue())
      ->emit(emitter, plan);
}

/// Writes the elements of `source` into a tensor of `shape`; see
/// IndexedScatter.
static Value scatter(RewriterBase &b, Location loc,
                     const ScatterProblem &problem, PlanAttr plan, Value source,
                     Value indices, ArrayRef<OpFoldResult> shape, Type type,
                     Type accType, IndexedScatter::ElementFn condition) {
  auto fill = [&](ValueRange inputs, Value target) {
    KernelBuilder at(b, loc, problem.target);
    ScatterEmitter emitter{problem, at, inputs[0], inputs[1], target, {}};
    IndexedScatter scatter(emitter, accType, condition);
    emitter.scatter = &scatter;
    emit(emitter, plan);
  };
  return writeToBuffer(b, loc, {source, indices}, shape, type, fill);
}

static Value scatterMaxUnpool(RewriterBase &b, MaxUnpoolOp op,
                              const ScatterProblem &problem, PlanAttr plan) {
  return scatter(b, op.getLoc(), problem, plan, op.getValues(), op.getIndices(),
                 op.getMixedSizes(), op.getOutput().getType().getElementType(),
                 /*accType=*/{}, /*condition=*/{});
}

static Value scatterExtremumGrad(RewriterBase &b, ExtremumGradOpInterface op,
                                 const ScatterProblem &problem, PlanAttr plan) {
  Location loc = op.getLoc();
  Type type = getElementTypeOrSelf(op.getInput());
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(b, loc, op.getInput());
  SmallVector<SymbolicDim> dims = resolveDims(b, loc, shape, window);
  IndexedScatter::ElementFn condition;
  if (llvm::any_of(dims, mayBeEmpty))
    condition = [&](KernelBuilder &at, ValueRange position) {
      return hasElementInside(at, at.getLoc(), dims, window, position);
    };
  return scatter(b, loc, problem, plan, op.getOutputGrad(), op.getIndices(),
                 shape, type, getFloatAccumulator(type), condition);
}

/// Emits the gradient from the elements that its input chooses.
static Value scatterByChoice(RewriterBase &b, ExtremumGradOpInterface op,
                             const ScatterProblem &problem, PlanAttr plan) {
  Location loc = op.getLoc();
  auto fill = [&](ValueRange inputs, Value target) {
    KernelBuilder at(b, loc, problem.target);
    ScatterEmitter emitter{problem, at, inputs[0], {}, target, inputs[1]};
    emit(emitter, plan);
  };
  return writeToBuffer(b, loc, {op.getOutputGrad(), op.getInput()},
                       tensor::getMixedSizes(b, loc, op.getInput()),
                       getElementTypeOrSelf(op.getInput()), fill);
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
  auto unpool = dyn_cast<MaxUnpoolOp>(op);
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  if (grad && !grad.getIndices()) {
    if (*plan && plan->getStrategy() == SeparablePlan::kStrategy) {
      replaceOpWithCasts(rewriter, op,
                         scatterByChoice(rewriter, grad, *problem, *plan));
      return success();
    }
    recomputeIndices(rewriter, grad);
  }
  if (!*plan)
    return success();
  Value result = unpool ? scatterMaxUnpool(rewriter, unpool, *problem, *plan)
                        : scatterExtremumGrad(rewriter, grad, *problem, *plan);
  replaceOpWithCasts(rewriter, op, result);
  return success();
}
