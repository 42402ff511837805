// Finds the problem of what writes where indices say, with the windows that
// cover each column, and lowers it by its plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// The windows of a gradient in every dimension of its input; see
/// ScatterProblem.
static SmallVector<ResolvedDim> getWindows(ArrayRef<int64_t> shape,
                                           const WindowAttrs &window) {
  SmallVector<ResolvedDim> result;
  for (int64_t extent : shape)
    result.push_back({extent, extent, 1, 1, 1, 0, 0, 0});
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    ResolvedDim &dim = result[window.getSpatialDim(i)];
    WindowDim own = window.getDim(i);
    // An unknown extent is below 1.
    RuleOr<ResolvedDim> known = resolveDim(dim.input, own, window.modes);
    constexpr int64_t unknown = ShapedType::kDynamic;
    dim = {unknown,      unknown,      own.kernel, own.stride,
           own.dilation, own.padBegin, own.padEnd, 0};
    if (known)
      dim = *known;
  }
  return result;
}

FailureOr<ScatterProblem>
ScatterProblem::get(Operation *op, const Target &target, std::string &reason) {
  ScatterProblem problem;
  problem.target = target;
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  auto unpool = dyn_cast<MaxUnpoolOp>(op);
  Value source = grad ? grad.getOutputGrad() : unpool.getValues();
  Value indices = grad ? grad.getIndices() : unpool.getIndices();
  // Indices that the conversion recomputes count within the planes.
  problem.axis = unpool    ? unpool.getNormalizedAxis()
                 : indices ? grad.getNormalizedAxis()
                           : grad.getWindow().getSpatialDim(0);
  auto sourceType = cast<RankedTensorType>(source.getType());
  auto type = cast<RankedTensorType>(grad ? grad.getInput().getType()
                                          : op->getResult(0).getType());
  if (!isPoolElementType(type.getElementType()))
    return refuse(reason, "its elements have no vectors");
  problem.width = type.getElementTypeBitWidth();
  problem.sourceShape = sourceType.getShape();
  problem.targetShape = type.getShape();
  problem.isUniform =
      op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr());
  if (grad && !indices) {
    ElementReduction elements(grad.getReduction(), type.getElementType(),
                              type.getElementType());
    elements.nanMode = grad.getNanMode();
    elements.hasPositions = true;
    problem.choice = *LaneReduction::get(elements, target.vectorBits);
    problem.preference = elements.getPreference();
  }
  if (grad)
    problem.windows = getWindows(type.getShape(), grad.getWindow());
  if (sourceType.hasStaticShape() && type.hasStaticShape()) {
    Type indexType =
        indices ? getElementTypeOrSelf(indices) : getRecomputedIndexType(grad);
    int64_t indexBits = indexType.getIntOrFloatBitWidth();
    double bits =
        double(sourceType.getNumElements()) * (problem.width + indexBits) +
        double(type.getNumElements()) * problem.width;
    problem.isLarge = bits / 8 >= target.streamedBytes;
  }
  return problem;
}

double ScatterProblem::getChoiceCost() const {
  if (!choice)
    return 0;
  // Comparisons along rows, half of which another group of rows repeats;
  // comparisons among rows; shuffles of strides; conversions of positions.
  double perRow = 1, ops = 3 * target.costs.codingOps;
  for (const ResolvedDim &dim : llvm::reverse(windows)) {
    ops += perRow * (dim.kernel - 1) * (2 + dim.stride);
    perRow *= 0.5 * (dim.kernel + dim.stride);
  }
  return ops / target.vectorOpsPerCycle / choice->getLength();
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

ArrayRef<ScatterStrategy> pool::getScatterStrategies() {
  static const ScatterStrategy strategies[] = {kBlocks, kWindows, kSeparable,
                                               kSlices};
  return strategies;
}

/// Emits `plan` on buffers. Returns the result of `op`.
static Value scatter(RewriterBase &b, Operation *op,
                     const ScatterProblem &problem, PlanAttr plan) {
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> shape;
  Type type = getElementTypeOrSelf(op->getResult(0)), accType;
  SmallVector<Value> inputs;
  WindowAttrs window;
  SmallVector<SymbolicDim> dims;
  if (auto unpool = dyn_cast<MaxUnpoolOp>(op)) {
    inputs = {unpool.getValues(), unpool.getIndices()};
    shape = unpool.getMixedSizes();
  } else {
    auto grad = cast<ExtremumGradOpInterface>(op);
    Value indices = grad.getIndices();
    inputs = {grad.getOutputGrad(), indices ? indices : grad.getInput()};
    shape = tensor::getMixedSizes(b, loc, grad.getInput());
    accType = getFloatAccumulator(type);
    window = grad.getWindow();
    dims = resolveDims(b, loc, shape, window);
  }
  auto fill = [&](ValueRange buffers, Value target) {
    KernelBuilder at(b, loc, problem.target);
    ScatterEmitter emitter{problem,    at,     buffers[0],
                           buffers[1], target, accType};
    if (llvm::any_of(dims, mayBeEmpty))
      emitter.condition = [&](ValueRange position) {
        return hasElementInside(at, loc, dims, window, position);
      };
    findStrategy(getScatterStrategies(), plan)->emit(emitter, plan);
  };
  return writeToBuffer(b, loc, inputs, shape, type, fill);
}

LogicalResult pool::lowerScatter(StringRef pass, RewriterBase &rewriter,
                                 Operation *op, const Target &target) {
  std::string reason;
  FailureOr<ScatterProblem> problem = ScatterProblem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getScatterStrategies(), reason);
  if (failed(plan))
    return failure();
  rewriter.setInsertionPoint(op);
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  bool chooses = *plan && plan->getStrategy() == kSeparable.name;
  if (grad && !grad.getIndices() && !chooses)
    recomputeIndices(rewriter, grad);
  if (*plan)
    replaceOpWithCasts(rewriter, op, scatter(rewriter, op, *problem, *plan));
  return success();
}
