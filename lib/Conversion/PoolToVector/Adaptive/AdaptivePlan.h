// Plans for adaptive pooling: what is known of an operation, and the
// strategies.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H

#include "Emit/LaneReduction.h"
#include "Problem/CostModel.h"
#include "Reduce/RowWindows.h"
#include "Schedule/Choice.h"
#include "Sink/ElementwiseChain.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/AdaptiveRules.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

struct AdaptiveProblem {
  /// Fails, with the reason, if no strategy fits `op`.
  static FailureOr<AdaptiveProblem>
  get(AdaptiveOpInterface op, const Target &target, std::string &reason);

  Target target;
  LaneReduction reduction;
  Layout layout;
  /// Extents of the spatial dimensions. The input's may be unknown.
  SmallVector<std::optional<int64_t>> inputs;
  SmallVector<int64_t> outputs;
  /// The dimension from which on positions are flattened.
  int64_t carriedAxis = 0;

  unsigned getFirstDim() const {
    return layout == Layout::ChannelsFirst ? 2 : 1;
  }
  /// Cycles of an output of about so many operations on elements, each window
  /// being read once.
  double getCost(double numLanes) const;
};

/// The operands of adaptive pooling. The elements of the last dimension of
/// `input`, a buffer, are consecutive. `results` has the other buffers.
struct AdaptiveEmitter {
  KernelBuilder &at;
  const AdaptiveProblem &problem;
  Value input;
  const FusedResults &results;
};

using AdaptiveStrategy = Strategy<AdaptiveProblem, AdaptiveEmitter>;
ArrayRef<AdaptiveStrategy> getAdaptiveStrategies();

/// Replaces `op`, of any types that it may have, by loops over vectors, unless
/// it has no plan. Fails where its own plan does not fit.
LogicalResult lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                AdaptiveOpInterface op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
