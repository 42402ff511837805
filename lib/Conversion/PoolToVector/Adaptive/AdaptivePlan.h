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
  /// Returns the problem of `op`; or null and the reason if no strategy fits
  /// it.
  static std::optional<AdaptiveProblem>
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
  LogicalResult checkLayout(Layout expected, std::string &reason) const;
};

/// The windows of a row of known width.
SmallVector<RowWindow> getRowWindows(const AdaptiveDim &columns);

/// The operands of adaptive pooling: the buffer `input`, whose last dimension
/// has consecutive elements, and those of `results`.
struct AdaptiveEmitter {
  KernelBuilder &at;
  const AdaptiveProblem &problem;
  Value input;
  const FusedResults &results;
};

/// Where the row is that the rows of a window are combined into.
enum class RowPlace {
  /// In registers, for all output rows of a plane one after the other.
  Plane,
  /// In registers, in a loop over the output rows.
  Row,
  /// In a buffer; a plane of one row is its own.
  Buffer,
};

/// Lanes are columns.
struct AdaptivePlanesPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "adaptive-planes";
  RowPlace place = RowPlace::Buffer;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.keyword("row", place, {"plane", "register", "buffer"});
  }
  static LogicalResult admit(const AdaptiveProblem &problem,
                             std::string &reason) {
    return problem.checkLayout(Layout::ChannelsFirst, reason);
  }
  FailureOr<double> choose(const AdaptiveProblem &problem, std::string &reason);
  LogicalResult check(const AdaptiveProblem &problem, PlanScope &,
                      std::string &reason) const;
  void emit(AdaptiveEmitter &emitter) const;
};

/// Lanes are channels.
struct AdaptiveChannelsPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "adaptive-channels";
  /// Vectors of channels at once.
  int64_t numVectors = cost::kAdaptiveStripVectors;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("vectors", numVectors, 1, 16);
  }
  static LogicalResult admit(const AdaptiveProblem &problem,
                             std::string &reason) {
    return problem.checkLayout(Layout::ChannelsLast, reason);
  }
  FailureOr<double> choose(const AdaptiveProblem &problem, std::string &reason);
  void emit(AdaptiveEmitter &emitter) const;
};

using AdaptiveStrategy = Strategy<AdaptiveProblem, AdaptiveEmitter>;
ArrayRef<AdaptiveStrategy> getAdaptiveStrategies();

/// Replaces `op`, of any types that it may have, by loops over vectors, unless
/// it has no plan. Fails where its own plan does not fit.
LogicalResult lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                AdaptiveOpInterface op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
