// Register tiles of the strategy `channels`, which is for channels last: lanes
// are channels. Straight-line code computes a group of neighboring outputs at
// once, for a vector of channels. ChannelNest.cpp draws a group and emits it. A
// plan of the strategy is such a tile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H

#include "Reduce/GroupEmitter.h"
#include "Reduce/SharedTaps.h"

namespace mlir::pool {

/// Names the dimensions whose taps are loops in the emitted code. The taps of
/// the other dimensions are straight-line code.
enum class TapLoopDims { None, AllButColumns, All };

struct ChannelTile {
  TapLoopDims loops = TapLoopDims::None;
  /// Number of output rows of a group. It must be 1 unless all taps are
  /// straight-line code.
  int64_t numRows = 1;
  /// Number of output columns of a group. It must be 1 if all taps are loops.
  int64_t numColumns = 1;
  /// Number of vectors of channels of a group. It must be 1 unless all taps are
  /// loops.
  int64_t numVectors = 1;
  /// If `prefetches`, the input of later groups is prefetched. If `streams`,
  /// stores are non-temporal: they bypass the caches.
  bool prefetches = false, streams = false;

  /// True if no taps are loops.
  bool isStraight() const { return loops == TapLoopDims::None; }
  /// True if the taps of all dimensions are loops, including the columns.
  bool rollsColumns() const { return loops == TapLoopDims::All; }
  /// Returns the number of outputs of a group in each spatial dimension.
  SmallVector<int64_t> getNumOutputs(const Problem &problem) const {
    SmallVector<int64_t> numOutputs(problem.dims.size(), 1);
    numOutputs.back() = numColumns;
    if (problem.hasRows())
      numOutputs.end()[-2] = numRows;
    return numOutputs;
  }
  /// Within a group, an argmax is one packed number. For each spatial
  /// dimension, it has the distance of the chosen element from the group's
  /// first element. Returns the number of bits of each distance. The last
  /// dimension has the lowest bits.
  SmallVector<int64_t> getArgmaxBits(const Problem &problem) const {
    SmallVector<int64_t> numBits;
    for (auto [dim, n] : llvm::zip(problem.dims, getNumOutputs(problem)))
      numBits.push_back(llvm::Log2_64_Ceil(dim.getSpan(n)));
    return numBits;
  }
  /// Returns how many positions of `dim` a group of `numOutputs` windows reads
  /// that the group before it has not read. These are the last positions of the
  /// group.
  static int64_t getNumNew(const KernelDim &dim, int64_t numOutputs) {
    return std::min(numOutputs * dim.stride, dim.getSpan(numOutputs));
  }
  /// Returns how `numWindows` neighboring windows share taps in `dim`. With
  /// dilation, the windows that have taps in common may not be neighbors. Then
  /// nothing is shared, because that would take more registers than it saves
  /// operations.
  static SharedTaps share(const Problem &problem, const KernelDim &dim,
                          int64_t numWindows) {
    return {dim, numWindows, problem.isUniform || dim.getSharingDistance() > 1};
  }
};

/// Emits loops that compute all outputs, by groups of the size of `tile`.
void emitChannels(WindowKernel &kernel, const ChannelTile &tile);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELTILE_H
