// Finds the problem of adaptive pooling, and lowers it by its plan. Loops over
// vectors replace the reduction of its linalg form. The rest of that form
// divides sums and makes indices of positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

#include "Emit/Buffers.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the type of the accumulators of `op`, which its linalg form tells.
static Type getAccumulatorType(AdaptiveOpInterface op) {
  OpBuilder b(op);
  Block *scratch = b.createBlock(op->getParentRegion());
  TilingResult form = op.createLinalgForm(b, {}, {});
  Type type = form.tiledOps.front()->getResult(0).getType();
  scratch->erase();
  return getElementTypeOrSelf(type);
}

FailureOr<AdaptiveProblem> AdaptiveProblem::get(AdaptiveOpInterface op,
                                                const Target &target,
                                                std::string &reason) {
  Type accType = getAccumulatorType(op);
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto max = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  ElementReduction elements(max ? Reduction::Max : Reduction::Sum,
                            type.getElementType(), accType);
  if (max) {
    elements.nanMode = max.getNanMode();
    elements.hasPositions = static_cast<bool>(max.getIndices());
  } else if (isa<FloatType>(accType) &&
             op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr())) {
    return refuse(reason, "{0} asks for the order of linalg's sums",
                  PoolDialect::UniformSumsAttrHelper::getNameStr());
  }
  // All element types of adaptive pooling have vectors.
  AdaptiveProblem problem{target,
                          *LaneReduction::get(elements, target.vectorBits),
                          op.getLayout(),
                          {},
                          llvm::to_vector(op.getOutputSize())};
  if (max)
    problem.carriedAxis =
        getCarriedAxis(max.getNormalizedAxis(), op.getLayout());
  for (int64_t extent :
       type.getShape().slice(problem.getFirstDim(), problem.outputs.size()))
    problem.inputs.push_back(ShapedType::isDynamic(extent)
                                 ? std::nullopt
                                 : std::optional<int64_t>(extent));
  return problem;
}

double AdaptiveProblem::getCost(double numLanes) const {
  double numOps = 2;
  for (auto [input, output] : llvm::zip_equal(inputs, outputs))
    numOps *= std::ceil(double(input.value_or(2 * output)) / output);
  return numOps / target.vectorOpsPerCycle / numLanes;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

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
    AdaptiveEmitter emitter{at, *problem, buffer, fused};
    findStrategy(getAdaptiveStrategies(), *plan)->emit(emitter, *plan);
  };
  fused.replace(rewriter, loc, input, outs, /*needPackedOutputs=*/false,
                emitLoops);
  eraseReduction(rewriter, reduce);
  return success();
}
