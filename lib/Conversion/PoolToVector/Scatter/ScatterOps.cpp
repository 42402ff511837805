// Unpooling and the gradients of extrema on buffers of their operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterOps.h"

#include "Emit/WindowKernel.h"
#include "Scatter/BlockScatter.h"
#include "Scatter/IndexChecks.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Utils/Casts.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::writeToBuffer(RewriterBase &rewriter, Location loc,
                          ArrayRef<OpFoldResult> shape, Type elementType,
                          function_ref<void(Value target)> fill) {
  SmallVector<int64_t> staticShape;
  SmallVector<Value> extents;
  dispatchIndexOpFoldResults(shape, extents, staticShape);
  if (llvm::is_contained(staticShape, 0))
    return tensor::EmptyOp::create(rewriter, loc, shape, elementType);
  Value buffer = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(staticShape, elementType), extents);
  fill(buffer);
  return bufferization::ToTensorOp::create(
      rewriter, loc, RankedTensorType::get(staticShape, elementType), buffer,
      /*restrict=*/true, /*writable=*/true);
}

static void emit(ScatterEmitter &emitter, PlanAttr plan) {
  findStrategy(getScatterStrategies(), plan.getStrategy().getValue())
      ->emit(emitter, plan);
}

/// The assertion that the scatter of `op` may take over: of indices below the
/// number of positions that they count over. Null if there is none, or if
/// nothing is to be written.
static cf::AssertOp findIndexCheck(Operation *op, Value indices,
                                   const ScatterProblem &problem) {
  ArrayRef<int64_t> shape = problem.targetShape;
  if (ShapedType::isDynamicShape(shape) || llvm::is_contained(shape, 0))
    return {};
  std::optional<int64_t> bound = getProduct(shape.drop_front(problem.axis));
  return bound ? findIndexCheck(op, indices, *bound) : cf::AssertOp();
}

/// Writes the elements of `source` into a tensor of `shape`; see
/// IndexedScatter. All strategies leave out what names no position, so they
/// know whether indices are in bounds: an assertion before `op` that asks for
/// it gets its answer from them, and reads no index.
static Value scatter(RewriterBase &b, Operation *op,
                     const ScatterProblem &problem, PlanAttr plan, Value source,
                     Value indices, ArrayRef<OpFoldResult> shape, Type type,
                     Type accType, IndexedScatter::ElementFn condition) {
  Location loc = op->getLoc();
  cf::AssertOp check = findIndexCheck(op, indices, problem);
  Value missing, zero, first;
  if (check) {
    zero = arith::ConstantIntOp::create(b, loc, 0, /*width=*/32);
    first = arith::ConstantIndexOp::create(b, loc, 0);
    missing =
        memref::AllocOp::create(b, loc, MemRefType::get({1}, b.getI32Type()));
    memref::StoreOp::create(b, loc, zero, missing, first);
  }
  Value result = writeToBuffer(b, loc, shape, type, [&](Value target) {
    Value values = getBuffer(b, loc, source);
    Value positions = getBuffer(b, loc, indices);
    IndexedScatter scatter(b, loc, problem.axis, problem.target.vectorBits,
                           values, positions, target, accType, condition);
    scatter.reportTo(missing);
    ScatterEmitter emitter{problem,   b,      loc,          values,
                           positions, target, /*input=*/{}, &scatter};
    emit(emitter, plan);
  });
  if (check) {
    Value isAnyMissing = memref::LoadOp::create(b, loc, missing, first);
    Value areAllThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                              isAnyMissing, zero);
    cf::AssertOp::create(b, check.getLoc(), areAllThere, check.getMsg());
    eraseIndexCheck(b, check);
  }
  return result;
}

static Value scatterMaxUnpool(RewriterBase &b, MaxUnpoolOp op,
                              const ScatterProblem &problem, PlanAttr plan) {
  return scatter(b, op, problem, plan, op.getValues(), op.getIndices(),
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
    condition = [&](OpBuilder &b, Location loc, ValueRange position) {
      return hasElementInside(b, loc, dims, window, position);
    };
  return scatter(b, op, problem, plan, op.getOutputGrad(), op.getIndices(),
                 shape, type, getFloatAccumulator(type), condition);
}

/// The gradient by what its input chooses.
static Value scatterByChoice(RewriterBase &b, ExtremumGradOpInterface op,
                             const ScatterProblem &problem, PlanAttr plan) {
  Location loc = op.getLoc();
  return writeToBuffer(b, loc, tensor::getMixedSizes(b, loc, op.getInput()),
                       getElementTypeOrSelf(op.getInput()), [&](Value target) {
                         Value values = getBuffer(b, loc, op.getOutputGrad());
                         Value input = getBuffer(b, loc, op.getInput());
                         ScatterEmitter emitter{problem, b,      loc,  values,
                                                {},      target, input};
                         emit(emitter, plan);
                       });
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
