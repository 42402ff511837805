// Plans for the gradient of an average, which gathers from the windows that
// cover an element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H

#include "Plans/Plan.h"
#include "Problem/CostModel.h"
#include "Reduce/LoopDim.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

struct GatherProblem {
  /// Fails, with the reason, where no strategy is for `op`.
  static FailureOr<GatherProblem> get(AvgPoolGradOp op, const Target &target,
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
      // A single window moves nowhere; but there is one, unless in padding
      // alone.
      bool isSingle = extents[window.getSpatialDim(i)] == 1 &&
                      dim.padBegin <= (dim.kernel - 1) * dim.dilation;
      if (dim.stride != 1 && !isSingle && !problem.stridedDim)
        problem.stridedDim = i;
    }
    return problem;
  }

  Target target;
  /// Taps of a window.
  double numTaps = 1;
  /// Bits of the accumulator.
  int64_t width = 32;
  /// The first spatial dimension in which windows move by several elements.
  std::optional<unsigned> stridedDim;

  /// Cycles of an output of so many operations on vectors.
  double getCost(double numOps) const {
    return numOps / target.vectorOpsPerCycle * width / target.vectorBits;
  }
};

/// Builds the gradient.
class AvgPoolGradGather;
using GatherPlan = Plan<GatherProblem, AvgPoolGradGather>;
using GatherStrategy = Strategy<GatherPlan>;
ArrayRef<GatherStrategy> getGatherStrategies();

/// Replaces `op` by loops over vectors, or creates the window reductions that
/// compute it. Returns the value of the result.
SmallVector<Value> replaceByLoops(RewriterBase &rewriter, AvgPoolGradOp op,
                                  const GatherProblem &problem,
                                  const GatherPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
