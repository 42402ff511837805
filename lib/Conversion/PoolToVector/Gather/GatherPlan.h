// Plans for the gradient of an average in gather form. The quotient of a window
// is its output gradient, divided by its divisor. Each element of the input's
// gradient adds the quotients of the windows that cover it. AvgPoolGrad.cpp
// draws both strategies.
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

/// The facts about a gradient of an average on which its plan depends.
struct GatherProblem {
  /// Returns the problem of `op`. Fails, with the reason, if `op` has the
  /// attribute pool.uniform_sums, or if computing the windows that cover an
  /// element could overflow 64 bits.
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
      // The stride does not matter if there is a single window. But it does if
      // that window may lie before the input, and cover no element.
      bool isSingle = extents[window.getSpatialDim(i)] == 1 &&
                      dim.padBegin <= (dim.kernel - 1) * dim.dilation;
      if (dim.stride != 1 && !isSingle && !problem.stridedDim)
        problem.stridedDim = i;
    }
    return problem;
  }

  Target target;
  /// Number of taps of a window.
  double numTaps = 1;
  /// Number of bits of the accumulator.
  int64_t width = 32;
  /// The first spatial dimension with a stride that is not 1 and that matters.
  /// std::nullopt if there is no such dimension.
  std::optional<unsigned> stridedDim;

  /// Returns the estimated cost of one output element, in cycles. `numOps` is
  /// the number of operations for a vector of outputs.
  double getCost(double numOps) const {
    return numOps / target.vectorOpsPerCycle * width / target.vectorBits;
  }
};

/// Emits the gradient of one operation.
class AvgPoolGradGather {
public:
  AvgPoolGradGather(RewriterBase &rewriter, AvgPoolGradOp op,
                    const GatherProblem &problem);

  /// Creates the gradient. If `isStrided`, emits loops, for any strides.
  /// Otherwise creates a window reduction, which requires that there is no
  /// `stridedDim`.
  void create(bool isStrided);

  /// Returns the window reduction that create() created. Its elements are not
  /// yet rounded. Returns null if create() did not create one.
  WindowReduceOp getSums() { return sums.getDefiningOp<WindowReduceOp>(); }
  /// Returns the step that rounds elements of getSums() to the element type of
  /// the operation's result.
  Finish getRounding();
  /// Creates an empty tensor of the gradient's shape.
  Value createEmpty(Type elementType);
  /// Emits the rounding of the result of create(), and returns the gradient.
  Value getResult();

private:
  /// Emits the larger of `expr` and 0. `symbols` are the values of its symbols.
  OpFoldResult atLeastZero(AffineExpr expr, ArrayRef<OpFoldResult> symbols);
  /// Emits the loops of StridedGather, and returns their result.
  Value gatherStrided(Value quotients);
  /// Emits the division of each element of `grad` by the divisor of its window.
  /// Returns the quotients, in the accumulator's type. Returns `grad` if it
  /// needs no division and no conversion.
  Value divide(Value grad);

  RewriterBase &rewriter;
  AvgPoolGradOp op;
  const GatherProblem &problem;
  Location loc;
  WindowAttrs window;
  Type type, accType;
  SmallVector<OpFoldResult> shape;
  SmallVector<SymbolicDim> dims;
  /// The slice of the output's gradient that has the windows that cover
  /// elements.
  SmallVector<OpFoldResult> offsets, sizes;
  /// The result of create(), which may not be rounded yet.
  Value sums;
};

using GatherPlan = Plan<GatherProblem, AvgPoolGradGather>;
using GatherStrategy = Strategy<GatherPlan>;
ArrayRef<GatherStrategy> getGatherStrategies();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
