// Non-temporal stores and prefetches for channels-last buffers that exceed the
// caches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelGroup.h"
#include "Emit/Memory.h"
#include "Problem/CostModel.h"

using namespace mlir;
using namespace mlir::pool;

void ChannelShape::setStoreAlignments(const WindowKernel &kernel) {
  if (!streams)
    return;
  for (Value buffer : kernel.buffers)
    storeAlignments.push_back(
        getStoreAlignment(kernel.problem, getElementBytes(buffer)));
  // Elementwise consumers may have given a buffer another type than the planner
  // knew.
  if (llvm::any_of(storeAlignments, [](int64_t alignment) {
        return alignment < cost::kMinStoreBytes;
      }))
    storeAlignments.clear();
}

void ChannelGroup::prefetch() {
  if (!shape.prefetches || !place.isInterior)
    return;
  int64_t numRows = ChannelTile::getNumNew(shape.getRows(), shape.numRows);
  int64_t numColumns =
      ChannelTile::getNumNew(shape.getColumns(), place.numColumns);
  // Whole groups of columns ahead, so that each vector is fetched once.
  int64_t columnSize = *shape.knownChannels, groupSize;
  if (llvm::MulOverflow(numColumns, columnSize, groupSize))
    return;
  // Rows before these the group above has read.
  int64_t numRead = shape.getRows().getSpan(shape.numRows) - numRows;
  SmallVector<Value> extents = kernel.getInputShape();
  SmallVector<Value> position = {place.coordinates[0]};
  if (shape.hasRows)
    position.push_back(at.max(at.add(place.starts.front(), numRead), 0));
  position.push_back(at.max(place.starts.back(), 0));
  position.push_back(channel);
  int64_t numGroups = llvm::divideCeil(
      cost::kChannelPrefetchBytes / getElementBytes(kernel.input), groupSize);
  Value rowSize = at.mul(shape.channels, shape.getColumns().input);
  Value first = getElementAhead(
      at, extents, position, numGroups * groupSize,
      /*reach=*/at.add(at.mul(rowSize, numRows - 1), groupSize));
  Value flat = collapseFrom(b, loc, kernel.input, 0);
  int64_t step = kernel.problem.getFetchLength();
  for (int64_t row = 0; row < numRows; ++row) {
    Value line = at.add(first, at.mul(rowSize, row));
    for (int64_t column = 0; column < numColumns; ++column)
      for (int64_t i = 0; i < shape.numVectors * length; i += step)
        prefetchElement(b, loc, flat, at.add(line, column * columnSize + i),
                        cost::kSecondCache);
  }
}
