// Groups of channels-last outputs that are emitted at once: rows, columns, and
// vectors of channels. The plans of the strategy are such groups.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H

#include "Reduce/GroupEmitter.h"
#include "Reduce/SharedTaps.h"

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

  bool isStraight() const { return loops == TapLoopDims::None; }
  bool rollsColumns() const { return loops == TapLoopDims::All; }
  /// Returns the outputs of a group in each spatial dimension.
  SmallVector<int64_t> getNumOutputs(const Problem &problem) const {
    SmallVector<int64_t> numOutputs(problem.dims.size(), 1);
    numOutputs.back() = numColumns;
    if (problem.hasRows())
      numOutputs.end()[-2] = numRows;
    return numOutputs;
  }
  /// Returns the bits of an argmax for each dimension: it names an element of
  /// the input by its distance from the group's first.
  SmallVector<int64_t> getArgmaxBits(const Problem &problem) const {
    SmallVector<int64_t> numBits;
    for (auto [dim, n] : llvm::zip(problem.dims, getNumOutputs(problem)))
      numBits.push_back(llvm::Log2_64_Ceil(dim.getSpan(n)));
    return numBits;
  }
  /// Positions of a dimension that a group reads and the one before does not,
  /// its last ones.
  static int64_t getNumNew(const KernelDim &dim, int64_t numOutputs) {
    return std::min(numOutputs * dim.stride, dim.getSpan(numOutputs));
  }
  /// Neighbouring windows of a group. Others take more registers than they save
  /// operations.
  static SharedTaps share(const Problem &problem, const KernelDim &dim,
                          int64_t numWindows) {
    return {dim, numWindows, problem.isUniform || dim.getSharingDistance() > 1};
  }
};

/// Emits the loops over all groups.
void emitChannels(WindowKernel &kernel, const ChannelTile &tile);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H
