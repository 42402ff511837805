// Plans for the gradient of an average, which gathers from the windows that
// cover an element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H

#include "Plans/Plan.h"
#include "Problem/Limits.h"
#include "Reduce/LoopDim.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"
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

/// Builds the gradient of one operation.
class AvgPoolGradGather {
public:
  AvgPoolGradGather(RewriterBase &rewriter, AvgPoolGradOp op,
                    const GatherProblem &problem);

  /// Creates the gradient, by windows that move by single elements, or by loops
  /// for any strides.
  void create(bool isStrided);

  /// Returns the window reduction whose elements are to be rounded; null if
  /// there is none.
  WindowReduceOp getSums() { return sums.getDefiningOp<WindowReduceOp>(); }
  /// Returns how elements of getSums() are rounded.
  Finish getRounding();
  /// Returns a tensor of the gradient's shape.
  Value createEmpty(Type elementType);
  /// Returns the gradient, rounded.
  Value getResult();

private:
  OpFoldResult atLeastZero(AffineExpr expr, ArrayRef<OpFoldResult> symbols);
  Value gatherStrided(Value quotients);
  /// Returns each element of `grad` over the divisor of its window, in the
  /// accumulator's type.
  Value divide(Value grad);

  RewriterBase &rewriter;
  AvgPoolGradOp op;
  const GatherProblem &problem;
  Location loc;
  WindowAttrs window;
  Type type, accType;
  SmallVector<OpFoldResult> shape;
  SmallVector<SymbolicDim> dims;
  /// The windows of the gradient that cover elements.
  SmallVector<OpFoldResult> offsets, sizes;
  /// The gradient before it is rounded.
  Value sums;
};

using GatherPlan = Plan<GatherProblem, AvgPoolGradGather>;
using GatherStrategy = Strategy<GatherPlan>;
ArrayRef<GatherStrategy> getGatherStrategies();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
