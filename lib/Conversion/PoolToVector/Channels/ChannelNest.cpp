// Loops over channels-last buffers, with channels as lanes: groups of output
// rows, in these groups of output columns, and in these the channels.
// Non-temporal stores and prefetches if the buffers exceed the caches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelGroup.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class ChannelNest : ChannelGroup {
public:
  using ChannelGroup::ChannelGroup;

  void create() {
    if (tile.streams)
      for (Value buffer : kernel.buffers)
        kernel.alignments.push_back(
            ChannelTile::getStoreAlignment(problem, getElementBytes(buffer)));
    // Elementwise consumers may have given a buffer another type than the
    // planner knew.
    auto isShort = [](int64_t bytes) { return bytes < cost::kMinStoreBytes; };
    if (llvm::any_of(kernel.alignments, isShort))
      kernel.alignments.clear();
    // Without stores past the caches there are no alignments, and no test.
    Value areAligned;
    for (auto [buffer, alignment] :
         llvm::zip(kernel.buffers, kernel.alignments))
      areAligned = at.both(areAligned, isAlignedTo(at, buffer, alignment));
    at.ifElse(areAligned, [&](bool areHere) {
      if (!areHere)
        kernel.alignments.clear();
      emitRows();
    });
  }

private:
  void emitRows() {
    SmallVector<Value> upper = kernel.getUpper(dims.size());
    if (hasRows)
      upper.back() = at.ceilDiv(at.max(rows.output, 0), tile.numRows);
    at.forEachParallel(upper, [&](ValueRange outputs) {
      coordinates = llvm::to_vector(outputs);
      if (hasRows) {
        Value &firstRow = coordinates.back();
        firstRow = at.mul(firstRow, tile.numRows);
        // The last group is moved to the last rows, unless their sums depend on
        // the group.
        if (reduction.isIdempotent())
          firstRow = at.moveBack(firstRow, rows.output, tile.numRows);
        if (reduction.isIdempotent() && mayLackRows)
          firstRow = at.max(firstRow, 0);
      }
      starts.clear();
      for (auto [d, dim] : llvm::enumerate(ArrayRef(dims).drop_back()))
        starts.push_back(dim.getStart(at, coordinates[1 + d]));
      // The group's column.
      coordinates.push_back({});
      starts.push_back({});
      // True if there are as many columns and channels as a group has.
      Value isFull;
      const LoopDim &columns = dims.back();
      if (!columns.knownOutput && tile.numColumns > 1)
        isFull = at.isAtLeast(columns.output, tile.numColumns);
      if (!problem.channels)
        isFull = at.both(isFull, at.isAtLeast(channels, length));
      at.ifElse(isFull, [&](bool isFullHere) {
        numColumns = isFullHere ? tile.numColumns : 1;
        mayHaveFewChannels =
            problem.channels ? *problem.channels < length : !isFullHere;
        at.forEach(0, columns.output, numColumns, [&](Value first) {
          // The last group is moved to the last columns.
          coordinates.back() = at.moveBack(first, columns.output, numColumns);
          emitColumns();
        });
      });
    });
  }

  void emitColumns() {
    starts.back() = dims.back().getStart(at, coordinates.back());
    // Padding is tested for or replaced, but not in the interior. Rolled loops
    // have no padding.
    Value isInside;
    for (auto [d, dim] : llvm::enumerate(dims))
      if (dim.coversPadding && (!problem.mayClamp || d == getColumnDim()))
        isInside =
            at.both(isInside,
                    dim.contains(at, starts[d], dim.getSpan(getNumOutputs(d))));
    at.ifElse(isInside, [&](bool isHere) {
      isInterior = isHere;
      // Values that do not depend on the channel.
      setTaps();
      int64_t width = tile.numVectors * length;
      at.forEach(0, channels, width, [&](Value first) {
        if (mayHaveFewChannels)
          return emitVector(first, {0, at.sub(channels, first)});
        // The last vector is moved to the last channels.
        emitVector(at.moveBack(first, channels, width), {});
      });
    });
  }

  void emitVector(Value firstChannel, const LaneRange &lanes) {
    channel = firstChannel;
    existing = lanes;
    prefetch();
    if (tile.isStraight())
      emitStraight();
    else
      emitRolled();
    if (needsRecomputing)
      recompute();
  }

  /// Fetches what a later group of columns reads of the vector of channels.
  void prefetch() {
    if (!tile.prefetches || !isInterior)
      return;
    int64_t numNewRows = ChannelTile::getNumNew(rows, tile.numRows);
    int64_t numNewColumns = ChannelTile::getNumNew(dims.back(), numColumns);
    // Whole groups of columns ahead, so that each vector is fetched once.
    int64_t columnSize = *problem.channels, groupSize;
    if (llvm::MulOverflow(numNewColumns, columnSize, groupSize))
      return;
    // Rows before these the group above has read.
    int64_t numRead = rows.getSpan(tile.numRows) - numNewRows;
    SmallVector<Value> extents = kernel.getInputShape();
    SmallVector<Value> position = {coordinates[0]};
    if (hasRows)
      position.push_back(at.max(at.add(starts.front(), numRead), 0));
    position.push_back(at.max(starts.back(), 0));
    position.push_back(channel);
    int64_t numGroups = llvm::divideCeil(
        cost::kChannelPrefetchBytes / getElementBytes(kernel.input), groupSize);
    Value rowSize = at.mul(channels, dims.back().input);
    Value first = getElementAhead(
        at, extents, position, numGroups * groupSize,
        /*reach=*/at.add(at.mul(rowSize, numNewRows - 1), groupSize));
    Value flat = collapseFrom(at, kernel.input, 0);
    int64_t step = problem.getFetchLength();
    for (int64_t row = 0; row < numNewRows; ++row) {
      Value line = at.add(first, at.mul(rowSize, row));
      for (int64_t column = 0; column < numNewColumns; ++column)
        for (int64_t i = 0; i < tile.numVectors * length; i += step)
          prefetchElement(at, flat, at.add(line, column * columnSize + i),
                          cost::kSecondCache);
    }
  }
};
} // namespace

void pool::emitChannels(WindowKernel &kernel, const ChannelTile &tile) {
  ChannelNest(kernel, tile).create();
}
