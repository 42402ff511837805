// Plans for adaptive pooling: what is known of an operation, the strategies,
// and what all of their kernels share.
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

  LogicalResult checkLayout(Layout expected, std::string &reason) const;
};

/// The windows of a row of known width.
SmallVector<RowWindow> getRowWindows(const AdaptiveDim &columns);

/// A vector of elements of the last dimension: the first one, and how many of
/// the lanes exist, which may be more than there are.
struct LaneVector {
  Value first, numLanes;
};

/// State and helpers that all kernels share: positions of a window, loads,
/// stores.
struct AdaptiveKernel {
  /// Reads the buffer `input`, whose last dimension has consecutive elements,
  /// and writes the buffers of `results`.
  AdaptiveKernel(KernelBuilder &at, const AdaptiveProblem &problem, Value input,
                 const FusedResults &results);

  KernelBuilder &at;
  const AdaptiveProblem &problem;
  const LaneReduction &reduction;
  Value input;
  const FusedResults &results;
  SmallVector<Value> inputShape;
  SmallVector<SymbolicAdaptiveDim> dims;

  int64_t getLength() const { return reduction.getLength(); }

  /// Returns the positions of window `o` in spatial dimension `i`.
  PositionRange getInterval(unsigned i, Value o);
  /// Calls getInterval() for the first spatial dimensions, with one of
  /// `outputs` for each.
  SmallVector<PositionRange> getIntervals(ValueRange outputs);

  Accumulator getEmpty() { return reduction.getEmpty(at); }
  /// Loads lanes of the input from `position` on in its last dimension. Lanes
  /// outside `range` add nothing.
  Accumulator load(ValueRange position, const LaneRange &range);
  /// Appends elements of the input to the accumulators, one for each vector of
  /// `strip`. These elements are at all of `intervals`, in the dimensions
  /// between `outer` and the last one. Without intervals, an accumulator may be
  /// without a value, at the beginning.
  void appendWindow(ValueRange outer, ArrayRef<PositionRange> intervals,
                    ArrayRef<LaneVector> strip,
                    MutableArrayRef<Accumulator> accs);

  /// Calls `body` for strips that together cover `extent` elements: strips of
  /// `mostVectors` vectors, then of one vector, then one strip for the rest.
  void forEachStrip(Value extent, int64_t mostVectors,
                    function_ref<void(ArrayRef<LaneVector>)> body);

  /// Stores the accumulators of a vector of outputs. `coordinates` are those
  /// before the last one.
  void store(ValueRange coordinates, LaneVector outputs,
             const Accumulator &lanes);
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
  void emit(AdaptiveKernel &kernel) const;
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
  void emit(AdaptiveKernel &kernel) const;
};

using AdaptiveStrategy = Strategy<AdaptiveProblem, AdaptiveKernel>;
ArrayRef<AdaptiveStrategy> getAdaptiveStrategies();

/// Replaces `op`, of any types that it may have, by loops over vectors, unless
/// it has no plan. Fails where its own plan does not fit.
LogicalResult lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                AdaptiveOpInterface op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
