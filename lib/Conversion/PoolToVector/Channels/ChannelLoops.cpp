// Loops over channels-last buffers: groups of output rows, in these groups of
// output columns, and in these the channels. Non-temporal stores and prefetches
// if the buffers exceed the caches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelGroup.h"
#include "Emit/Memory.h"
#include "Problem/CostModel.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

ChannelShape::ChannelShape(WindowKernel &kernel, const ChannelTile &tile)
    : ChannelTile(tile), dims(kernel.dims), hasRows(dims.size() > 1),
      mayClamp(kernel.problem.mayClamp),
      channels(kernel.getOutputShape().back()),
      knownChannels(kernel.problem.channels),
      movesLastRows(kernel.reduction.isIdempotent()) {
  KernelBuilder &at = kernel.at;
  if (!hasRows)
    dims.insert(dims.begin(), LoopDim::getSingle(at));
  numRolled = loops == TapLoopDims::None  ? 0
              : loops == TapLoopDims::All ? dims.size()
                                          : dims.size() - 1;
  setStoreAlignments(kernel);
}

int64_t ChannelShape::getNumOuterTaps() const {
  return getNumTaps(ArrayRef(dims).drop_back(2));
}

bool ChannelShape::mayLeaveInput(unsigned d) const {
  return dims[d].coversPadding || (d == getRowDim() && mayLackRows());
}

bool ChannelShape::mayLackRows() const {
  std::optional<int64_t> numThere = getRows().knownOutput;
  return numRows > 1 &&
         (!numThere || (!movesLastRows && *numThere % numRows != 0));
}

int64_t ChannelShape::getArgmaxBits(unsigned d, int64_t numColumns) const {
  int64_t numOutputs = d == getColumnDim() ? numColumns
                       : d == getRowDim()  ? numRows
                                           : 1;
  return llvm::Log2_64_Ceil(dims[d].getSpan(numOutputs));
}

namespace {
class ChannelLoops {
public:
  ChannelLoops(WindowKernel &kernel, const ChannelTile &tile)
      : kernel(kernel), at(kernel.at), shape(kernel, tile) {}

  /// True if buffers begin where stores past the caches need them to; null if
  /// there are no such stores.
  Value isAligned();
  void create();

private:
  void emitRows();
  /// The columns of a group of rows, `groupColumns` at once.
  void emitColumns(int64_t groupColumns, bool mayHaveFewChannels);
  void emitGroup(ChannelPlace &place);

  WindowKernel &kernel;
  KernelBuilder &at;
  ChannelShape shape;

  /// Output coordinates of the rows that are being emitted, and the input
  /// positions where their windows start.
  SmallVector<Value> coordinates, starts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value ChannelLoops::isAligned() {
  Value all;
  // Without such stores there are no alignments.
  for (auto [buffer, alignment] :
       llvm::zip(kernel.buffers, shape.storeAlignments))
    all = at.both(all, isAlignedTo(at, buffer, alignment));
  return all;
}

void ChannelLoops::create() {
  SmallVector<Value> upper = kernel.getOutputShape();
  upper.truncate(shape.dims.size());
  const LoopDim &rows = shape.getRows();
  if (shape.hasRows)
    upper.back() = at.ceilDiv(at.max(rows.output, 0), shape.numRows);
  else
    upper.truncate(1);
  upper.front() = getNumUnlessEmpty(at, shape.dims, upper.front());
  at.forEachParallel(upper, [&](ValueRange outputs) {
    coordinates = llvm::to_vector(outputs);
    if (shape.hasRows) {
      Value &firstRow = coordinates.back();
      firstRow = at.mul(firstRow, shape.numRows);
      if (shape.movesLastRows &&
          rows.knownOutput.value_or(1) % shape.numRows != 0)
        firstRow =
            at.max(at.min(firstRow, at.sub(rows.output, shape.numRows)), 0);
    }
    emitRows();
  });
}

void ChannelLoops::emitRows() {
  for (auto [d, dim] : llvm::enumerate(ArrayRef(shape.dims).drop_back()))
    starts.push_back(d == shape.getRowDim() && !shape.hasRows
                         ? at.index(0)
                         : dim.getStart(at, coordinates[1 + d]));
  // True if there are as many columns and channels as a group has.
  Value isFull;
  const LoopDim &columns = shape.getColumns();
  int64_t length = kernel.reduction.getLength();
  if (!columns.knownOutput && shape.numColumns > 1)
    isFull = at.isAtLeast(columns.output, at.index(shape.numColumns));
  if (!shape.knownChannels) {
    Value hasMany = at.isAtLeast(shape.channels, at.index(length));
    isFull = at.both(isFull, hasMany);
  }
  at.ifElse(isFull, [&](bool isFullHere) {
    if (isFullHere)
      emitColumns(shape.numColumns, /*mayHaveFewChannels=*/false);
    else
      emitColumns(1, /*mayHaveFewChannels=*/!shape.knownChannels);
  });
}

void ChannelLoops::emitColumns(int64_t groupColumns, bool mayHaveFewChannels) {
  const LoopDim &columns = shape.getColumns();
  at.forEach(at.index(0), columns.output, groupColumns, [&](Value first) {
    ChannelPlace place;
    place.numColumns = groupColumns;
    place.mayHaveFewChannels = mayHaveFewChannels;
    // The last group is moved to the last columns.
    if (groupColumns > 1 && columns.knownOutput.value_or(1) % groupColumns != 0)
      first = at.min(first, at.sub(columns.output, groupColumns));
    place.coordinates = coordinates;
    place.coordinates.push_back(first);
    place.starts = starts;
    place.starts.push_back(columns.getStart(at, first));
    emitGroup(place);
  });
}

void ChannelLoops::emitGroup(ChannelPlace &place) {
  // Padding is tested for or replaced, but not in the interior. Rolled loops
  // have no padding.
  Value isInterior;
  for (auto [d, dim] : llvm::enumerate(shape.dims)) {
    bool isColumns = d == shape.getColumnDim();
    if (!shape.mayLeaveInput(d) || (shape.mayClamp && !isColumns))
      continue;
    int64_t numOutputs = isColumns                ? place.numColumns
                         : d == shape.getRowDim() ? shape.numRows
                                                  : 1;
    Value fits = dim.contains(at, place.starts[d], dim.getSpan(numOutputs));
    isInterior = at.both(isInterior, fits);
  }
  at.ifElse(isInterior, [&](bool isHere) {
    place.isInterior = isHere;
    ChannelGroup(kernel, shape, place).emit();
  });
}

void ChannelsPlan::emit(WindowKernel &kernel) const {
  ChannelTile tile = this->tile;
  tile.isUniform = kernel.problem.isUniform;
  ChannelLoops loops(kernel, tile);
  kernel.at.ifElse(loops.isAligned(), [&](bool isAligned) {
    if (isAligned)
      return loops.create();
    tile.streams = false;
    ChannelLoops(kernel, tile).create();
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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
  Value flat = collapseFrom(at, kernel.input, 0);
  int64_t step = kernel.problem.getFetchLength();
  for (int64_t row = 0; row < numRows; ++row) {
    Value line = at.add(first, at.mul(rowSize, row));
    for (int64_t column = 0; column < numColumns; ++column)
      for (int64_t i = 0; i < shape.numVectors * length; i += step)
        prefetchElement(at, flat, at.add(line, column * columnSize + i),
                        cost::kSecondCache);
  }
}
