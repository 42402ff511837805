// When stores go past the caches and rows are fetched ahead, and the fetching.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Memory.h"
#include "Planes/PlaneNest.h"

using namespace mlir;
using namespace mlir::pool;

void PlaneNest::setStreaming() {
  fetchesAhead = shape.prefetches;
  if (!shape.streams)
    return;
  for (Value buffer : kernel.buffers) {
    std::optional<int64_t> alignment =
        shape.getStoreAlignment(problem, getElementBytes(buffer));
    if (!alignment) {
      // To fetch alone is not worth a test at run time.
      fetchesAhead &= problem.isLarge.has_value();
      return alignments.clear();
    }
    alignments.push_back(*alignment);
  }
}

Value PlaneNest::canStream() {
  if (alignments.empty())
    return {};
  Value all;
  auto require = [&](Value fits) { all = at.both(all, fits); };
  for (auto [buffer, alignment] : llvm::zip_equal(kernel.buffers, alignments)) {
    require(isAlignedTo(at, buffer, alignment));
    if (!columns.knownOutput) {
      Value bytes = at.mul(columns.output, getElementBytes(buffer));
      require(at.isAtLeast(at.index(0), at.rem(bytes, alignment)));
    }
  }
  if (problem.isLarge)
    return all;
  Value total;
  for (Value buffer : append(kernel.input, kernel.buffers)) {
    Value bytes = at.index(getElementBytes(buffer));
    for (OpFoldResult extent : memref::getMixedSizes(at, at.getLoc(), buffer))
      bytes = at.mul(bytes, at.value(extent));
    total = total ? at.add(total, bytes) : bytes;
  }
  require(at.isAtLeast(total, problem.target.streamedBytes));
  return all;
}

void PlaneNest::planPrefetch(const Strip &strip, const RowGroup &group,
                             int64_t numRows) {
  if (!fetchesAhead)
    return;
  // Planes follow each other in memory, and so do the rows of a group.
  int64_t elementBytes = getElementBytes(kernel.input);
  int64_t lineLength = problem.getLineLength();
  int64_t numRuns = numRows * rows.stride;
  int64_t runLength = shape.numColumns * columns.stride;
  // The processor prefetches consecutive rows into its first cache by itself,
  // faster than prefetch instructions do. For several rows, or parts of rows, a
  // prefetch into the first cache competes with the current loads for the same
  // buffers, and gains nothing. A prefetch into the second cache does not
  // compete.
  bool inOrder = shape.cut == RowCut::Row && numRuns == 1;
  if (shape.cut == RowCut::Row)
    runLength = std::exchange(numRuns, 1) * *columns.knownInput;
  if (numRuns * llvm::divideCeil(runLength, lineLength) > cost::kMaxPrefetches)
    return;
  SmallVector<Value> extents = kernel.getInputShape();
  SmallVector<Value> position = coordinates;
  position.push_back(at.mul(group.first, rows.stride));
  position.push_back(at.mul(strip.firstOutput, columns.stride));
  Value rowLength = extents.back();
  Value first = getElementAhead(
      at, extents, position, cost::kPrefetchBytes / elementBytes,
      /*reach=*/at.add(at.mul(rowLength, numRuns - 1), runLength));
  ahead = {collapseFrom(at, kernel.input, 0),
           inOrder ? cost::kFirstCache : cost::kSecondCache,
           {}};
  int64_t step = inOrder ? lineLength : problem.getFetchLength();
  for (int64_t run = 0; run < numRuns; ++run) {
    Value line = at.add(first, at.mul(rowLength, run));
    for (int64_t i = 0; i < runLength; i += step)
      ahead.lines.emplace_back(line, i);
  }
}

void PlaneNest::fetchLines(size_t count) {
  count = std::min(count, ahead.lines.size());
  for (auto [line, offset] : ArrayRef(ahead.lines).take_front(count))
    prefetchElement(at, ahead.input, at.add(line, offset), ahead.cache);
  ahead.lines.erase(ahead.lines.begin(), ahead.lines.begin() + count);
}
