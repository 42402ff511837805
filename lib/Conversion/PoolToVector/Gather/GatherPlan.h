// Plans for the gradient of an average, which gathers from the windows that
// cover an element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H

#include "Problem/CostModel.h"
#include "Reduce/LoopDim.h"
#include "Schedule/Choice.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

struct GatherProblem {
  /// Fails, with the reason, where no strategy is for `op`.
  static FailureOr<GatherProblem> get(AvgPoolGradOp op, const Target &target,
                                      std::string &reason);

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

using GatherStrategy = Strategy<GatherProblem>;
ArrayRef<GatherStrategy> getGatherStrategies();

/// True if shuffles make the sums of an element; else they are added up in the
/// target.
inline bool usesShuffles(const KernelDim &dim) {
  return dim.stride <= cost::kMaxShuffledStride;
}

/// Gathers, for each element of `target`, the sum of the windows that cover it.
/// `source`, of floats, has an element for each window; `target` is of the same
/// type or, if the last dimension usesShuffles(), of one that sums are rounded
/// to. Unless a dimension `coversPadding`, each of its elements is its own
/// window.
void emitStridedGather(KernelBuilder &at, Value source, Value target,
                       ArrayRef<LoopDim> dims);

/// Lowers `op` by its plan, if it has one. Fails if its own plan does not fit.
LogicalResult lowerAvgPoolGrad(StringRef pass, RewriterBase &rewriter,
                               AvgPoolGradOp op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GATHER_GATHERPLAN_H
