// Plans the gradient of an average.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/GatherPlan.h"

#include "Gather/CoveringWindows.h"
#include "Problem/CostModel.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

std::optional<GatherProblem> GatherProblem::get(AvgPoolGradOp op,
                                                const Target &target,
                                                std::string &reason) {
  if (op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr())) {
    reason = llvm::formatv("{0} asks for the order of linalg's sums",
                           PoolDialect::UniformSumsAttrHelper::getNameStr());
    return std::nullopt;
  }
  GatherProblem problem;
  problem.target = target;
  problem.width =
      getFloatAccumulator(op.getInputGrad().getType().getElementType())
          .getIntOrFloatBitWidth();
  WindowAttrs window = op.getWindow();
  ArrayRef<int64_t> extents = op.getOutputGrad().getType().getShape();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    if (!GatheredDim(dim.kernel, dim.stride, dim.dilation).hasCovering()) {
      reason = "its dilations modulo its strides leave 64 bits";
      return std::nullopt;
    }
    problem.numTaps *= dim.kernel;
    // A single window moves nowhere; but there is one, unless in padding alone.
    bool isSingle = extents[window.getSpatialDim(i)] == 1 &&
                    dim.padBegin <= (dim.kernel - 1) * dim.dilation;
    if (dim.stride != 1 && !isSingle && !problem.stridedDim)
      problem.stridedDim = i;
  }
  return problem;
}

/// Cycles of an output of so many operations on vectors.
static double getCost(const GatherProblem &problem, double numOps) {
  return numOps / problem.target.vectorOpsPerCycle * problem.width /
         problem.target.vectorBits;
}

LogicalResult WindowSumsPlan::admit(const GatherProblem &problem,
                                    std::string &reason) {
  if (!problem.stridedDim)
    return success();
  return refuse(reason, llvm::formatv("windows move by more than one element "
                                      "in spatial dimension {0}",
                                      *problem.stridedDim));
}

FailureOr<double> WindowSumsPlan::choose(const GatherProblem &problem,
                                         std::string &) {
  // Windows share most of their elements.
  return getCost(problem, 2 * std::sqrt(problem.numTaps));
}

FailureOr<double> StridedGatherPlan::choose(const GatherProblem &problem,
                                            std::string &) {
  return getCost(problem, problem.numTaps * (2 + problem.target.costs.loopOps));
}

static constexpr GatherStrategy kGatherStrategies[] = {
    GatherStrategy::of<WindowSumsPlan>(),
    GatherStrategy::of<StridedGatherPlan>(),
};

ArrayRef<GatherStrategy> pool::getGatherStrategies() {
  return kGatherStrategies;
}
