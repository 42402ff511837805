// The gradient of an average in gather form. With stride 1, the windows that
// cover an input element form a window of the same kernel over the output's
// gradient. So the kernels of sums compute the gradient. Other strides, and
// sums that no kernel supports, have their own loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/GatherPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AvgPoolGradGather {
public:
  AvgPoolGradGather(RewriterBase &b, AvgPoolGradOp op,
                    const GatherProblem &problem)
      : b(b), op(op), problem(problem) {}

  /// Returns the gradient, by windows that move by single elements, or by loops
  /// for any strides.
  Value create(bool isStrided) {
    if (llvm::any_of(shape, isZeroInteger))
      return tensor::EmptyOp::create(b, loc, shape, type);
    Value grad = op.getOutputGrad();
    SmallVector<OpFoldResult> given = tensor::getMixedSizes(b, loc, grad);
    sizes = limitWindows(b, loc, given, dims, window);
    offsets.assign(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> padsBegin, padsEnd;
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
               s2 = b.getAffineSymbolExpr(2);
    for (auto [i, dim] : llvm::enumerate(dims)) {
      if (isStrided)
        break;
      unsigned d = window.getSpatialDim(i);
      // Element i is tap t of window o = i + padBegin - t * dilation. In the
      // order of the windows, from the last tap on, these begin at i - (reach -
      // padBegin). Windows before the first one cover padding alone.
      int64_t reach = (dim.kernel - 1) * dim.dilation;
      offsets[d] = atLeastZero(s0 - reach, dim.padBegin);
      padsBegin.push_back(atLeastZero(reach - s0, dim.padBegin));
      sizes[d] = atLeastZero(s0 - s1, {sizes[d], offsets[d]});
      padsEnd.push_back(atLeastZero(s0 - s1 - s2 + reach,
                                    {dim.input, padsBegin.back(), sizes[d]}));
    }
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    if (sizes != given)
      grad = tensor::ExtractSliceOp::create(b, loc, grad, offsets, sizes, ones);
    Value quotients = divide(grad);
    SmallVector<int64_t> strides(dims.size(), 1);
    WindowAttrs gather = window;
    gather.strides = strides;
    Value sums = isStrided
                     ? gatherStrided(quotients)
                     : reduce(quotients, gather, shape, padsBegin, padsEnd);
    return roundSums(b, loc, sums, shape, type);
  }

private:
  OpFoldResult atLeastZero(AffineExpr expr, ArrayRef<OpFoldResult> symbols) {
    auto map = AffineMap::get(
        0, symbols.size(), {expr, b.getAffineConstantExpr(0)}, b.getContext());
    return affine::makeComposedFoldedAffineMax(b, loc, map, symbols);
  }

  Value gatherStrided(Value quotients) {
    KernelBuilder outside(b, loc, problem.target);
    SmallVector<LoopDim> gathered;
    for (Value extent : outside.value(shape))
      gathered.push_back({ProblemDim(), extent, extent, outside.index(0)});
    for (auto [i, dim] : llvm::enumerate(dims)) {
      unsigned d = window.getSpatialDim(i);
      KernelDim kernel = {dim.kernel, dim.stride,
                          dim.kernel == 1 ? 1 : dim.dilation};
      gathered[d] = LoopDim({kernel, {}, {}, {}, /*coversPadding=*/true},
                            gathered[d].input, outside.index(sizes[d]),
                            outside.index(dim.padBegin));
    }
    Type sumType = usesShuffles(gathered.back()) ? type : accType;
    return writeToBuffer(b, loc, quotients, shape, sumType,
                         [&](ValueRange inputs, Value target) {
                           KernelBuilder at(b, loc, problem.target);
                           emitStridedGather(at, inputs[0], target, gathered);
                         });
  }

  /// Sums over windows, in the accumulator's type.
  Value reduce(Value input, const WindowAttrs &window,
               ArrayRef<OpFoldResult> outputShape,
               ArrayRef<OpFoldResult> padsBegin,
               ArrayRef<OpFoldResult> padsEnd) {
    Value init = tensor::EmptyOp::create(b, loc, outputShape, accType);
    return WindowReduceOp::create(b, loc, input, init, Reduction::Sum, window,
                                  padsBegin, padsEnd)
        .getResults()[0];
  }

  /// Each element of `grad` over the divisor of its window, in the
  /// accumulator's type.
  Value divide(Value grad) {
    bool isDivided = op.getDivisorOverride()
                         ? op.getDivisorOverride() != 1
                         : llvm::any_of(dims, [&](const SymbolicDim &dim) {
                             return getConstantCount(dim, op.getDivisor()) != 1;
                           });
    if (!isDivided && type == accType)
      return grad;
    // As a sum of single elements, which gives the division vectors.
    SmallVector<int64_t> ones(dims.size(), 1);
    SmallVector<OpFoldResult> noPads(dims.size(), b.getIndexAttr(0));
    Value elements = reduce(grad, {ones, ones, ones, {}, {}, {}, window.layout},
                            sizes, noPads, noPads);
    if (!isDivided)
      return elements;
    auto divideElement = [&](OpBuilder &b, Location loc,
                             Value element) -> Value {
      AffineExpr sum = b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1);
      SmallVector<Value> position(shape.size());
      for (unsigned i = 0; i < dims.size(); ++i) {
        unsigned d = window.getSpatialDim(i);
        position[d] = linalg::IndexOp::create(b, loc, d);
        if (!isZeroInteger(offsets[d]))
          position[d] = affine::makeComposedAffineApply(
              b, loc, sum, {position[d], offsets[d]});
      }
      // A reciprocal would round once more than the bound allows for.
      return arith::DivFOp::create(
          b, loc, element, getDivisor(b, loc, op, dims, position, accType));
    };
    return mapElements(b, loc, elements, sizes, accType, divideElement);
  }

  RewriterBase &b;
  AvgPoolGradOp op;
  const GatherProblem &problem;
  Location loc = op.getLoc();
  WindowAttrs window = op.getWindow();
  Type type = op.getInputGrad().getType().getElementType();
  Type accType = getFloatAccumulator(type);
  SmallVector<OpFoldResult> shape = op.getMixedSizes();
  SmallVector<SymbolicDim> dims = resolveDims(b, loc, shape, window);
  /// The windows of the gradient that cover elements.
  SmallVector<OpFoldResult> offsets, sizes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

FailureOr<GatherProblem> GatherProblem::get(AvgPoolGradOp op,
                                            const Target &target,
                                            std::string &reason) {
  if (op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr()))
    return refuse(reason, "{0} asks for the order of linalg's sums",
                  PoolDialect::UniformSumsAttrHelper::getNameStr());
  GatherProblem problem;
  problem.target = target;
  problem.width =
      getFloatAccumulator(op.getInputGrad().getType().getElementType())
          .getIntOrFloatBitWidth();
  WindowAttrs window = op.getWindow();
  ArrayRef<int64_t> extents = op.getOutputGrad().getType().getShape();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    if (dim.kernel > 1 && !canInvert({dim.kernel, dim.stride, dim.dilation}))
      return refuse(reason, "its dilations modulo its strides leave 64 bits");
    problem.numTaps *= dim.kernel;
    // A single window moves nowhere; but there is one, unless in padding alone.
    bool isSingle = extents[window.getSpatialDim(i)] == 1 &&
                    dim.padBegin <= (dim.kernel - 1) * dim.dilation;
    if (dim.stride != 1 && !isSingle && !problem.stridedDim)
      problem.stridedDim = i;
  }
  return problem;
}

namespace {
/// Sums over windows that move by single elements: window reductions, which are
/// planned as others are.
struct WindowSumsPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "window-sums";

  static LogicalResult admit(const GatherProblem &problem,
                             std::string &reason) {
    if (!problem.stridedDim)
      return success();
    return refuse(
        reason,
        "windows move by more than one element in spatial dimension {0}",
        *problem.stridedDim);
  }
  FailureOr<double> choose(const GatherProblem &problem, std::string &) {
    // Windows share most of their elements.
    return problem.getCost(2 * std::sqrt(problem.numTaps));
  }
};

/// Loops over rows of elements, for any strides.
struct StridedGatherPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "strided-gather";

  FailureOr<double> choose(const GatherProblem &problem, std::string &) {
    return problem.getCost(problem.numTaps *
                           (2 + problem.target.costs.loopOps));
  }
};
} // namespace

ArrayRef<GatherStrategy> pool::getGatherStrategies() {
  static constexpr GatherStrategy strategies[] = {
      GatherStrategy::of<WindowSumsPlan>(),
      GatherStrategy::of<StridedGatherPlan>(),
  };
  return strategies;
}

LogicalResult pool::lowerAvgPoolGrad(StringRef pass, RewriterBase &rewriter,
                                     AvgPoolGradOp op, const Target &target) {
  std::string reason;
  FailureOr<GatherProblem> problem = GatherProblem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getGatherStrategies(), reason);
  if (failed(plan) || !*plan)
    return failure(failed(plan));
  rewriter.setInsertionPoint(op);
  bool isStrided = plan->getStrategy() == StridedGatherPlan::kStrategy;
  AvgPoolGradGather gather(rewriter, op, *problem);
  replaceOpWithCasts(rewriter, op, gather.create(isStrided));
  return success();
}
