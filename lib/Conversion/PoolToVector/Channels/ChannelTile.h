// The outputs that are reduced at once in channels-last buffers, and which of
// them share positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

/// Which taps are loops rather than straight code.
enum class TapLoopDims { None, AllButColumns, All };

struct ChannelTile {
  TapLoopDims loops = TapLoopDims::None;
  /// Output rows of a group; one if the rows are loops over taps.
  int64_t numRows = 1;
  /// Output columns of a group; one if all taps are loops.
  int64_t numColumns = 1;
  /// Vectors of channels at once; one unless all taps are loops.
  int64_t numVectors = 1;
  /// True if groups are fetched before they are needed, and stores go past the
  /// caches.
  bool prefetches = false, streams = false;
  /// True if every output is reduced in an order that depends on the kernel
  /// alone; see `pool.uniform_sums`.
  bool isUniform = false;

  /// How many of `numWindows` neighbouring windows are best reduced together.
  int64_t getNumSharing(const KernelDim &dim, int64_t numWindows) const;
  /// Positions of a dimension that a group reads and the one before does not,
  /// its last ones.
  static int64_t getNumNew(const KernelDim &dim, int64_t numOutputs) {
    return std::min(numOutputs * dim.stride, dim.getSpan(numOutputs));
  }
  /// Cache lines that are fetched beside a group's own; vectors that are less
  /// than one are, too.
  int64_t getNumFetched(const Problem &problem) const {
    return getNumNew(problem.getRows(), numRows) *
           getNumNew(problem.getColumns(), numColumns) *
           llvm::divideCeil(numVectors * problem.getLength(),
                            problem.getLineLength());
  }
  /// Returns the byte alignment, at most a cache line, of each vector of
  /// channels in an aligned buffer with elements of `elementBytes`.
  static int64_t getStoreAlignment(const Problem &problem,
                                   int64_t elementBytes) {
    int64_t bytes = problem.getLength() * elementBytes;
    return std::min(bytes & -bytes, problem.target.cacheLineBytes);
  }
  /// How many combinations reduceSharing() creates for `numWindows`, in groups
  /// of getNumSharing().
  int64_t getSharedSize(const KernelDim &dim, int64_t numWindows) const;
};

struct ChannelsPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "channels", kWhole = "windows";
  ChannelTile tile;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.keyword("loops", tile.loops, {"none", "rows", "all"});
    fields.integer("rows", tile.numRows, 1, 16);
    fields.integer("columns", tile.numColumns, 1, 16);
    fields.integer("vectors", tile.numVectors, 1, 16);
    fields.flag("prefetch", tile.prefetches);
    fields.flag("stream", tile.streams);
  }
  static LogicalResult admit(const Problem &problem, std::string &reason);
  FailureOr<double> choose(const Problem &problem, std::string &reason);
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const;
  void emit(WindowKernel &kernel) const;
};

/// Combines each of `lhs` with the one of `rhs` at its place.
SmallVector<Accumulator> combineAll(KernelBuilder &at,
                                    const LaneReduction &reduction,
                                    ArrayRef<Accumulator> lhs,
                                    ArrayRef<Accumulator> rhs);

/// The windows [first, first + numWindows), numWindows at most what
/// getNumSharing gives for some number. `get` gives what a position has, any
/// number of accumulators that are reduced side by side, as the beginning of
/// windows or to be combined with them.
SmallVector<SmallVector<Accumulator>> reduceSharing(
    KernelBuilder &at, const LaneReduction &reduction, const KernelDim &dim,
    int64_t first, int64_t numWindows,
    function_ref<SmallVector<Accumulator>(int64_t position, bool begins)> get);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H
