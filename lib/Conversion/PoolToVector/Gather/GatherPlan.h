// Plans for the gradient of an average in gather form: each element of the
// input's gradient adds the quotients of the windows that cover it.
// AvgPoolGrad.cpp draws both strategies.
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

/// The gradient of an average as far as its plan depends on it.
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
      // The stride does not matter if there is a single window, unless that
      // window may lie before the input and cover no element.
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
  /// The first spatial dimension whose stride is not 1, if the stride matters;
  /// none if there is no such dimension.
  std::optional<unsigned> stridedDim;

  /// Returns the cycles for an output, if a vector of outputs takes `numOps`
  /// operations.
  double getCost(double numOps) const {
    return numOps / target.vectorOpsPerCycle * width / target.vectorBits;
  }
};

/// Builds the gradient of one operation.
class AvgPoolGradGather {
public:
  AvgPoolGradGather(RewriterBase &rewriter, AvgPoolGradOp op,
                    const GatherProblem &problem);

  /// Creates the gradient. If not `isStrided`, by a window reduction, which
  /// requires that there is no `stridedDim`. Otherwise by loops, for any
  /// strides.
  void create(bool isStrided);

  /// Returns the window reduction of create(), whose elements are to be
  /// rounded. Returns null if there is none.
  WindowReduceOp getSums() { return sums.getDefiningOp<WindowReduceOp>(); }
  /// Returns how elements of getSums() are rounded to the type of the gradient.
  Finish getRounding();
  /// Creates an empty tensor of the gradient's shape.
  Value createEmpty(Type elementType);
  /// Returns the gradient, rounded.
  Value getResult();

private:
  /// Returns the larger of `expr` and 0.
  OpFoldResult atLeastZero(AffineExpr expr, ArrayRef<OpFoldResult> symbols);
  /// Emits StridedGather, and returns its result.
  Value gatherStrided(Value quotients);
  /// Returns each element of `grad` divided by the divisor of its window, in
  /// the accumulator's type.
  Value divide(Value grad);

  RewriterBase &rewriter;
  AvgPoolGradOp op;
  const GatherProblem &problem;
  Location loc;
  WindowAttrs window;
  Type type, accType;
  SmallVector<OpFoldResult> shape;
  SmallVector<SymbolicDim> dims;
  /// The slice of the output's gradient whose windows cover elements.
  SmallVector<OpFoldResult> offsets, sizes;
  /// The result of create(), before it is rounded.
  Value sums;
};

using GatherPlan = Plan<GatherProblem, AvgPoolGradGather>;
using GatherStrategy = Strategy<GatherPlan>;
ArrayRef<GatherStrategy> getGatherStrategies();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
