// The state of a reduction by stages (StagedPlan.h): its dimensions as values,
// and the buffers of a block. Each stage except the last has a buffer for its
// results. Each stage has buffers for its own reduction: van Herk's suffixes
// across the lanes, or passes along the lanes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H

#include "Staged/StagedPlan.h"

#include "Reduce/RowPasses.h"
#include "Reduce/SlidingWindow.h"
#include "Reduce/WindowStrategy.h"

#include "llvm/Support/SaveAndRestore.h"

namespace mlir::pool {

class StageBuffers {
protected:
  StageBuffers(WindowKernel &kernel, const StagedPlan &plan)
      : b(kernel.b),
        reduction(kernel.reduction.hasPositions() && kernel.hasNarrowPositions()
                      ? kernel.reduction.withNarrowPositions()
                      : kernel.reduction),
        problem(getStagedProblem(kernel.problem)),
        numJoined(getNumJoined(kernel.problem)), dims(kernel.dims),
        stages(getStages(problem, plan)), slides(stages.back().slides) {
    if (numJoined > 1) {
      LoopDim &columns = dims.back();
      columns = LoopDim(problem.dims.back(), b.mul(columns.input, numJoined),
                        b.mul(columns.output, numJoined),
                        b.mul(columns.padBegin, numJoined));
    }
    isRowAlone = numJoined == 1 && dims.size() < problem.dims.size();
    if (dims.size() < problem.dims.size())
      dims.insert(dims.begin(), LoopDim::getSingle(b));
    mostOutputs = dims.back().output;
    int64_t ofPart = stages.back().partVectors * reduction.getLength();
    if (ofPart > 0 && dims.back().knownOutput.value_or(ofPart + 1) > ofPart)
      mostOutputs = b.index(ofPart);
  }

  /// Computes the sizes of rows and blocks. `channels` is the number of
  /// channels; it matters only if they are last.
  void setSizes(Value channels) {
    Value elements =
        problem.layout == Layout::ChannelsLast ? channels : b.index(1);
    for (const LoopDim &dim : llvm::reverse(dims)) {
      inner.insert(inner.begin(), elements);
      elements = b.mul(elements, dim.input);
    }
    for (unsigned d = 0; !isLast(d); ++d)
      rowWidths.push_back(getRowWidth(d));
    firstBlock = b.index(stages[0].block);
    if (stages[0].inner || isLast(0) || stages[0].block == 1)
      return;
    // The length of rows is unknown. So limit the block, at run time, to as
    // many windows as keep the first stage's results in a cache.
    int64_t elementBytes = getAccumulatorBytes(problem);
    Value numRows = b.divUnsigned(cost::kMaxStageBytes / elementBytes,
                                  b.max(rowWidths[0], 1));
    firstBlock = b.max(b.min(numRows, firstBlock), 1);
  }

  /// Allocates the buffers of a block, which the blocks of one thread share.
  void allocate() {
    auto create = [&](unsigned d, Value numRows, Value numColumns) {
      return AccumulatorBuffer::allocate(b, getReduction(d),
                                         {numRows, numColumns});
    };
    for (auto [d, stage] : llvm::enumerate(stages)) {
      if (!stage.isAlong)
        suffixes.push_back(
            create(d, b.index(stage.block), b.index(stage.getWidth())));
      if (isLast(d))
        break;
      bool isBeforeAlong = stages[d + 1].isAlong;
      // Allocate one more row, because a reduction along the lanes loads beyond
      // the last row, up to a row's length.
      Value numRows = b.add(getBlock(d), isBeforeAlong);
      results.push_back(create(d, numRows, rowWidths[d]));
      if (!isBeforeAlong)
        continue;
      passes.push_back(results[d].flatten(b));
      Value runWidth =
          b.divUnsigned(rowWidths[d], getRowPasses().getRunStride());
      while (!slides && passes.size() < getRowPasses().getNumBuffers())
        passes.push_back(
            create(d, joinsRows() ? numRows : b.index(2), runWidth).flatten(b));
    }
  }

  /// Sets the part of a row that is computed next: the outputs from `first` on,
  /// up to `mostOutputs` of them.
  void setPart(Value first) {
    const LoopDim &columns = dims.back();
    firstOutput = first;
    numOutputs = b.min(b.sub(columns.output, first), mostOutputs);
    partStart = b.sub(b.mul(first, columns.stride), getMargin());
    partWidth = getPartWidth(numOutputs);
    inputBegin = b.max(partStart, 0);
    // If all columns of a part are padding before the input, the range is
    // empty.
    inputEnd =
        b.max(b.min(b.add(partStart, partWidth), columns.input), inputBegin);
  }

  /// Stores the padding at both ends of the first `numRows` rows of
  /// `results.back()`, for the current part.
  void fillEnds(Value numRows) {
    if (!dims.back().coversPadding)
      return;
    LaneReduction reduction = getReduction(stages.size() - 2);
    Accumulator lanes = {reduction.getFill(b), reduction.getEmpty(b).index};
    auto fill = [&](Value begin, Value end) {
      PositionRange columns = {begin, end, reduction.getLength()};
      b.forEachIn({columns, {0, numRows}}, {}, [&](ValueRange place) {
        results.back().store(b, lanes, {place[1], place[0]});
      });
    };
    fill(b.index(0), b.min(b.sub(inputBegin, partStart), partWidth));
    fill(b.sub(inputEnd, partStart), partWidth);
  }

  /// Emits a test that passes can read the current part directly from the
  /// input, without leaving the input's row. Returns null if they never can.
  /// They can if the row is the only dimension, has no indices, and passes read
  /// each element once. At stride 1 they read, and would convert, each element
  /// several times.
  Value isRowInInput() {
    int64_t stride = getRowPasses().getRunStride();
    if (!isRowAlone || reduction.hasIndices() || stride == 1)
      return {};
    // The last vector of strides may begin as late as with the last stride, so
    // it may end almost a vector of strides later.
    Value width = b.add(rowWidths[0], stride * reduction.getLength());
    return b.both(b.isAtLeast(partStart, 0),
                  b.isAtLeast(dims[1].input, b.add(partStart, width)));
  }

  /// Prefetches the input element that the next block reads for the outputs
  /// below `place`. It is in the last row of their window. Without prefetches,
  /// stages across the lanes would wait for each row, because they read short
  /// pieces of many rows.
  void fetchNextBlock(Value input, ArrayRef<Value> place) {
    const LoopDim &rows = dims[0];
    SmallVector<Value> position(place);
    Value &row = position[place.size() - 2], &column = position.back();
    row = b.add(row, b.mul(firstBlock, rows.getSharingDistance()));
    row = b.add(rows.getStart(b, row), rows.getExtent() - 1);
    row = b.min(row, b.sub(rows.input, 1));
    column = b.min(column, b.sub(dims[1].input, 1));
    prefetchElement(b, input, position, cost::kSecondCache);
  }

  bool isLast(unsigned d) const { return d + 1 == stages.size(); }
  LaneReduction getReduction(unsigned d) const {
    return reduction.withLength(stages[d].numLanes);
  }
  RowPasses getRowPasses() const {
    return RowPasses(getReduction(stages.size() - 1), dims.back());
  }
  SlidingWindow getSlidingWindow() const {
    return SlidingWindow(getReduction(stages.size() - 1), dims.back());
  }
  /// Returns the number of columns of a buffer's row before the input's first
  /// column. At stride 1 the padding is rounded up to whole vectors, so that
  /// most stores are aligned.
  Value getMargin() {
    const LoopDim &columns = dims.back();
    int64_t length = reduction.getLength();
    return columns.stride > 1
               ? columns.padBegin
               : b.mul(b.ceilDiv(columns.padBegin, length), length);
  }
  /// Returns the number of columns of a buffer's row, from its beginning to the
  /// end of the first `numOutputs` windows.
  Value getPartWidth(Value numOutputs) {
    const LoopDim &columns = dims.back();
    Value last = b.mul(b.sub(numOutputs, 1), columns.stride);
    int64_t extent = llvm::alignTo(columns.getExtent(), columns.stride);
    return b.add(b.add(last, extent), b.sub(getMargin(), columns.padBegin));
  }
  /// True if rows along the lanes are reduced in parts.
  bool hasParts() const { return mostOutputs != dims.back().output; }
  /// Returns the number of windows of a whole block of stage `d`.
  Value getBlock(unsigned d) {
    return d == 0 ? firstBlock : b.index(stages[d].block);
  }

  /// True if passes along the lanes take all rows of a block as one long row.
  /// Requires that the rows together stay in the first cache.
  bool joinsRows() {
    std::optional<int64_t> width = getConstantIntValue(rowWidths.back());
    return width && stages[stages.size() - 2].block * *width *
                            getAccumulatorBytes(problem) <=
                        problem.target.firstCacheBytes / 2;
  }

  /// Returns `positions` plus `offset`, in the lanes that have chosen an
  /// element.
  Value addToPositions(const LaneReduction &reduction, Value positions,
                       Value offset) {
    // Other lanes keep kNoPosition.
    Value none = reduction.getEmpty(b).index;
    Value isNone = b.isEqual(positions, none);
    return b.select(isNone, none, b.add(positions, offset));
  }

  KernelBuilder &b;
  LaneReduction reduction;
  Problem problem;
  /// See getNumJoined().
  int64_t numJoined;
  SmallVector<LoopDim> dims;
  SmallVector<Stage> stages;
  /// True if the last stage works along the lanes in registers
  /// (SlidingWindow.h).
  bool slides;
  /// True if columns along the lanes are the only spatial dimension, and
  /// channels are not joined.
  bool isRowAlone = false;
  /// True if rows of the input are prefetched one block ahead.
  bool fetchesRows = false;
  /// Number of outputs of a whole part of a row along the lanes. Without parts,
  /// the outputs of the row.
  Value mostOutputs;
  /// For each stage, the number of elements at a position of its dimension. For
  /// each stage except the last, the length of a row of its results.
  SmallVector<Value> inner, rowWidths;
  /// Number of windows of a whole block of the first stage.
  Value firstBlock;
  /// For each stage except the last, its results: a row for each window of a
  /// block. For each stage across the lanes, its van Herk suffixes.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Buffers of a stage along the lanes, as RowPasses takes them. The first one
  /// is its source, as one long row.
  SmallVector<AccumulatorBuffer> passes;
  /// The first output of the current part of a row, and the number of its
  /// outputs.
  Value firstOutput, numOutputs;
  /// Input column where the rows of `results.back()` begin, which may be in the
  /// padding; and the number of their columns that the part's windows need.
  Value partStart, partWidth;
  /// The range of these columns that is inside the input.
  Value inputBegin, inputEnd;

private:
  /// Returns the length of a row in the buffer of results of stage `d`.
  Value getRowWidth(unsigned d) {
    Value width;
    int64_t unit = std::max<int64_t>(reduction.getLength() / 2, 1);
    if (stages[d + 1].isAlong) {
      const LoopDim &columns = dims[d + 1];
      // The windows of the last vector need so many columns. That vector may
      // have more lanes than there are outputs.
      int64_t length = reduction.getLength();
      width = getPartWidth(b.max(mostOutputs, length));
      if (slides)
        width = b.add(width, (getSlidingWindow().getDelay() + 1) * length);
      unit *= columns.stride;
    } else {
      // A cache line is added, so that neighboring rows are not in the same
      // sets of a cache.
      width = b.add(b.max(inner[d], stages[d].numLanes),
                    std::max(problem.getLineLength(), reduction.getLength()));
    }
    return b.mul(b.ceilDiv(width, unit), unit);
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H
