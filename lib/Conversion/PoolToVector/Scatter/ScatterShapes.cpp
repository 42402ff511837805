// Computes the blocks of elements, and which windows cover which columns.
// Refuses shapes that are not supported.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

FailureOr<BlockShape> BlockShape::get(const ScatterProblem &problem,
                                      std::string &reason) {
  int64_t rank = problem.targetShape.size(), axis = problem.axis;
  // Rows are not parallel.
  if (axis > rank - 2)
    return refuse(reason, "indices count within a row");
  BlockShape blocks;
  int64_t bound = 1;
  blocks.strides.assign(rank, 0);
  for (int64_t d = rank - 1; d >= axis; --d) {
    int64_t extent = problem.sourceShape[d], whole = problem.targetShape[d];
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(whole))
      return refuse(reason, "extents of dimension {0} are not known", d);
    if (extent == 0 || whole % extent != 0)
      return refuse(reason, "{0} of dimension {1} is no multiple of {2}", whole,
                    d, extent);
    blocks.strides[d] = bound;
    if (llvm::MulOverflow(bound, whole, bound) ||
        bound >= std::numeric_limits<int32_t>::max())
      return refuse(reason, "distances have more than 32 bits");
    if (blocks.size > cost::kMaxBlock || whole / extent > cost::kMaxBlock)
      return refuse(reason, "blocks have more than {0} elements",
                    cost::kMaxBlock);
    blocks.size *= whole / extent;
  }
  if (blocks.size == 1 || blocks.size > cost::kMaxBlock)
    return refuse(reason, "blocks have {0} elements, not 2 to {1}", blocks.size,
                  cost::kMaxBlock);
  blocks.numParallel = axis;
  while (blocks.numParallel + 2 < rank &&
         problem.targetShape[blocks.numParallel] ==
             problem.sourceShape[blocks.numParallel])
    ++blocks.numParallel;
  return blocks;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static bool isTrivial(const ResolvedDim &dim) {
  return dim.kernel == 1 && dim.stride == 1 && dim.padBegin == 0 &&
         dim.padEnd == 0 && dim.input == dim.output;
}

FailureOr<WindowShape> WindowShape::get(const ScatterProblem &problem,
                                        std::string &reason) {
  if (problem.windows.empty())
    return refuse(reason, "indices are not known to be those of windows");
  int64_t rank = problem.windows.size();
  WindowShape shape;
  shape.numOuter = std::max(problem.axis, rank - 2);
  for (int64_t d = 0; d < rank; ++d) {
    const ResolvedDim &dim = problem.windows[d];
    if (d < shape.numOuter) {
      if (!isTrivial(dim))
        return refuse(reason, "dimension {0}, before the last two, has windows",
                      d);
      continue;
    }
    if (ShapedType::isDynamic(dim.input) || ShapedType::isDynamic(dim.output) ||
        problem.sourceShape[d] != dim.output)
      return refuse(reason, "extents of dimension {0} are not known", d);
    if (dim.input == 0 || dim.output == 0)
      return refuse(reason, "dimension {0} is empty", d);
    // Their indices count nothing, whatever they are.
    if (std::optional<int64_t> empty = getFirstEmptyWindow(dim, Divisor::Valid))
      return refuse(reason, "window {0} of dimension {1} has no elements",
                    *empty, d);
    // Buffers are as long as windows reach.
    int64_t maxReach = 2 * dim.input + cost::kMaxReachBeyond;
    if (getReach(dim) >= maxReach)
      return refuse(reason,
                    "windows of dimension {0} reach over {1} "
                    "elements, more than {2} for an extent of {3}",
                    d, getReach(dim) + 1, maxReach, dim.input);
  }
  shape.column = problem.windows.back();
  shape.row = ResolvedDim{1, 1, 1, 1, 1, 0, 0, 0};
  if (shape.numOuter == rank - 2)
    shape.row = problem.windows[rank - 2];
  for (ResolvedDim *dim : {&shape.row, &shape.column})
    if (dim->kernel == 1)
      dim->dilation = 1;

  // Positions, those in the padding too, are computed in 32 bits.
  int64_t rows, columns, bound;
  if (llvm::AddOverflow(shape.row.input, getReach(shape.row) + 1, rows) ||
      llvm::AddOverflow(shape.column.input, getReach(shape.column) + 1,
                        columns) ||
      llvm::MulOverflow(rows, columns, bound) ||
      bound > std::numeric_limits<int32_t>::max())
    return refuse(reason, "distances have more than 32 bits");
  const ResolvedDim &column = shape.column;
  if (shape.row.stride > cost::kMaxPinnedCodeSize)
    return refuse(reason, "the stride of rows is {0}, more than {1}",
                  shape.row.stride, cost::kMaxPinnedCodeSize);
  if (shape.row.kernel * column.kernel > cost::kMaxPinnedCodeSize)
    return refuse(reason, "windows have more than {0} elements",
                  cost::kMaxPinnedCodeSize);
  if (column.stride > cost::kMaxGatherStride)
    return refuse(reason, "the stride along the row is {0}, more than {1}",
                  column.stride, cost::kMaxGatherStride);

  shape.length = problem.getLength();
  // Differences of positions are known by their lower 16 bits if there are no
  // more of them.
  int64_t reach = shape.getDistance(shape.row.kernel - 1, column.kernel - 1);
  shape.setCodeWidth(problem.target, bound + reach);
  shape.classes.resize(column.stride);
  for (int64_t c = 0; c < column.stride; ++c)
    for (int64_t tap = column.kernel - 1; tap >= 0; --tap) {
      int64_t begin = c + column.padBegin - tap * column.dilation;
      int64_t shift = begin / column.stride;
      if (begin % column.stride != 0)
        continue;
      shape.classes[c].push_back({tap, shift});
      shape.firstShift = std::min(shape.firstShift, shift);
      shape.lastShift = std::max(shape.lastShift, shift);
    }
  return shape;
}

void WindowShape::setCodeWidth(const Target &target, int64_t largest) {
  // With mask registers, half a register is compared in half the time. Other
  // masks must be as wide as the lanes that they select.
  bool isNarrow = target.hasMaskRegisters(/*laneBits=*/16) &&
                  largest < std::numeric_limits<uint16_t>::max();
  codeWidth = isNarrow ? 16 : 32;
}

int64_t WindowShape::getPitch() const {
  int64_t read = getNumGathered() + lastShift;
  return getMargin() + llvm::alignTo(std::max(read, getNumWritten()), length);
}

std::pair<int64_t, int64_t> WindowShape::getInnerVectors() const {
  int64_t perVector = length * column.stride;
  int64_t numVectors = getNumWritten() / length, end = 0;
  // Vectors with windows that begin in the padding.
  int64_t begin = std::min<int64_t>(
      llvm::divideCeil(column.padBegin, perVector), numVectors);
  int64_t last = column.input + column.padBegin - getReach(column) - perVector;
  if (last >= 0)
    end = std::min(last / perVector + 1, numVectors);
  return {begin, std::max(begin, end)};
}
