// When stores go past the caches and rows are fetched ahead, and the fetching.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneNest.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

/// From so many bytes in and out on, which do not stay in caches, stores go
/// past these and rows are fetched ahead. Below, both cost more than they give.
static constexpr int64_t kStreamedBytes = 16'000'000;
static constexpr int64_t kCacheLineBytes = 64;
/// The shortest stores past the caches: the processor joins those of a line,
/// whose rest the next row stores soon.
static constexpr int64_t kMinStoreBytes = 16;

static int64_t getElementBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
}

static SmallVector<Value> getBuffers(const WindowKernel &kernel) {
  SmallVector<Value> buffers = {kernel.input};
  llvm::append_range(buffers, kernel.buffers);
  return buffers;
}

std::optional<bool> pool::areLarge(ArrayRef<Value> buffers) {
  double total = 0;
  for (Value buffer : buffers) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape())
      return std::nullopt;
    total += double(type.getNumElements()) * getElementBytes(buffer);
  }
  return total >= kStreamedBytes;
}

Streaming pool::getStreaming(const PlaneWindows &windows,
                             const PlaneShape &shape) {
  const WindowKernel &kernel = windows.kernel;
  std::optional<bool> isLarge = areLarge(getBuffers(kernel));
  if (!shape.isStraight() || !isLarge.value_or(true) || !kernel.isPacked())
    return {};
  // Vectors of short rows are masked.
  const LoopDim &columns = windows.columns;
  if (shape.cut == RowCut::Short)
    return {};
  Streaming streaming;
  // Hardware follows the rows of several planes, but not as well those of one.
  streaming.fetchesAhead = windows.hasRows && windows.outer.empty();
  for (Value buffer : kernel.buffers) {
    int64_t bytes = getElementBytes(buffer);
    int64_t rowBytes = columns.knownOutput.value_or(kCacheLineBytes) * bytes;
    int64_t alignment = std::min(rowBytes & -rowBytes, kCacheLineBytes);
    // A strip that is moved to the end of the row is aligned there.
    int64_t stripBytes = shape.numColumns * bytes;
    if (shape.cut != RowCut::Known)
      alignment = std::min(alignment, stripBytes & -stripBytes);
    if (alignment < kMinStoreBytes || windows.length * bytes < alignment) {
      streaming.alignments.clear();
      break;
    }
    streaming.alignments.push_back(alignment);
  }
  streaming.asksSize = !isLarge.has_value();
  // To fetch alone is not worth a test at run time.
  streaming.fetchesAhead &=
      !streaming.asksSize || !streaming.alignments.empty();
  return streaming;
}

Value pool::canStream(PlaneWindows &windows, const Streaming &streaming) {
  OpBuilder &b = windows.b;
  Location loc = windows.loc;
  IndexArithmetic &at = windows.at;
  if (streaming.alignments.empty())
    return {};
  Value all;
  auto require = [&](Value fits) { all = at.both(all, fits); };
  auto requireMultiple = [&](Value bytes, int64_t alignment) {
    require(at.isAtLeast(windows.index(0), at.rem(bytes, alignment)));
  };
  for (auto [buffer, alignment] :
       llvm::zip_equal(windows.kernel.buffers, streaming.alignments)) {
    requireMultiple(
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer),
        alignment);
    if (!windows.columns.knownOutput)
      requireMultiple(at.mul(windows.columns.output, getElementBytes(buffer)),
                      alignment);
  }
  if (!streaming.asksSize)
    return all;
  Value total;
  for (Value buffer : getBuffers(windows.kernel)) {
    Value bytes = windows.index(getElementBytes(buffer));
    for (OpFoldResult extent : memref::getMixedSizes(b, loc, buffer))
      bytes = at.mul(bytes, getValueOrCreateConstantIndexOp(b, loc, extent));
    total = total ? at.add(total, bytes) : bytes;
  }
  require(at.isAtLeast(total, windows.index(kStreamedBytes)));
  return all;
}

/// How far ahead of what is read memory is fetched, and the most instructions
/// that are worth it.
static constexpr int64_t kPrefetchBytes = 6144;
static constexpr int64_t kMaxPrefetches = 64;

void PlaneNest::prefetch(const Strip &strip, const RowGroup &group,
                         int64_t numRows) {
  if (!streaming.fetchesAhead)
    return;
  // Planes follow each other in memory, and so do the rows of a group.
  int64_t elementBytes = getElementBytes(kernel.input);
  int64_t lineLength = kCacheLineBytes / elementBytes;
  int64_t numRuns = numRows * rows.stride;
  int64_t runLength = shape.numColumns * columns.stride;
  if (shape.cut == RowCut::Known)
    runLength = std::exchange(numRuns, 1) * *columns.knownInput;
  if (numRuns * llvm::divideCeil(runLength, lineLength) > kMaxPrefetches)
    return;
  SmallVector<Value> extents =
      getValueOrCreateConstantIndexOp(b, loc, kernel.getInputShape());
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Value flat = memref::CollapseShapeOp::create(
      b, loc, kernel.input, ArrayRef<ReassociationIndices>(all));
  SmallVector<Value> position = coordinates;
  position.push_back(at.mul(group.first, rows.stride));
  position.push_back(
      strip.firstOutput ? at.mul(strip.firstOutput, columns.stride) : index(0));
  Value first = position[0], end = extents[0];
  for (unsigned dim = 1; dim < rank; ++dim) {
    first = at.add(at.mul(first, extents[dim]), position[dim]);
    end = at.mul(end, extents[dim]);
  }
  Value rowLength = extents.back();
  Value reach = at.add(at.mul(rowLength, numRuns - 1), runLength);
  first = at.min(at.add(first, kPrefetchBytes / elementBytes),
                 at.max(at.sub(end, reach), 0));
  for (int64_t run = 0; run < numRuns; ++run) {
    Value line = at.add(first, at.mul(rowLength, run));
    for (int64_t i = 0; i < runLength; i += lineLength)
      memref::PrefetchOp::create(b, loc, flat, at.add(line, i),
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
  }
}
