// The state of a reduction by stages (StagedPlan.h): its dimensions as values,
// and its buffers. Blocks use the same buffers one after the other. Each stage
// except the last has a buffer for its results. Each stage has also buffers for
// its own reduction: van Herk's suffixes across the lanes, or passes along the
// lanes.
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

  /// Emits the computation of `inner`, `rowWidths` and `firstBlock`. `channels`
  /// is the number of channels, and matters only if channels are last.
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
    // The length of rows is unknown. So limit the block at run time, to windows
    // whose results of the first stage fit a cache.
    int64_t elementBytes = getAccumulatorBytes(problem);
    Value numRows = b.divUnsigned(cost::kMaxStageBytes / elementBytes,
                                  b.max(rowWidths[0], 1));
    firstBlock = b.max(b.min(numRows, firstBlock), 1);
  }

  /// Emits allocations of all buffers that a block needs. Blocks that one
  /// thread computes one after the other share them. Call setSizes() before.
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
      // Allocate one more row, because a reduction along the lanes loads
      // elements beyond the last row, up to the length of a row.
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

  /// Sets the part of a row that is computed next. It has the outputs from
  /// `first` to the end of the row, but at most `mostOutputs`.
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

  /// Emits stores of the padding at both ends of the first `numRows` rows of
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

  /// Emits a test whether passes can read the current part from the input,
  /// without a copy. They can if they do not leave the input's row. Returns
  /// null if they never can: if there are other dimensions than the row, if
  /// there are indices, or if passes work at stride 1. At stride 1, passes
  /// would load and convert each element several times.
  Value isRowInInput() {
    int64_t stride = getRowPasses().getRunStride();
    if (!isRowAlone || reduction.hasIndices() || stride == 1)
      return {};
    // At stride s, passes load s vectors of the row for each vector of results.
    // The last vector of results may have only one lane that is needed. Then
    // these loads end almost s vectors after the row.
    Value width = b.add(rowWidths[0], stride * reduction.getLength());
    return b.both(b.isAtLeast(partStart, 0),
                  b.isAtLeast(dims[1].input, b.add(partStart, width)));
  }

  /// Emits a prefetch for the next block: for the output in the same column as
  /// `place`, one block further down. It prefetches the last input row of that
  /// output's window. A stage across the lanes reads short pieces of many rows,
  /// and would wait for each row without prefetches.
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
  /// Returns the number of columns before the input's first column in a row of
  /// a buffer. At stride 1 the padding is rounded up to whole vectors, so that
  /// most stores are aligned.
  Value getMargin() {
    const LoopDim &columns = dims.back();
    int64_t length = reduction.getLength();
    return columns.stride > 1
               ? columns.padBegin
               : b.mul(b.ceilDiv(columns.padBegin, length), length);
  }
  /// Returns the number of columns from the beginning of a buffer's row to the
  /// end of its first `numOutputs` windows.
  Value getPartWidth(Value numOutputs) {
    const LoopDim &columns = dims.back();
    Value last = b.mul(b.sub(numOutputs, 1), columns.stride);
    int64_t extent = llvm::alignTo(columns.getExtent(), columns.stride);
    return b.add(b.add(last, extent), b.sub(getMargin(), columns.padBegin));
  }
  /// True if rows along the lanes are cut into parts.
  bool hasParts() const { return mostOutputs != dims.back().output; }
  /// Returns the number of windows of a block of stage `d` that is not the last
  /// one. The last block may have fewer.
  Value getBlock(unsigned d) {
    return d == 0 ? firstBlock : b.index(stages[d].block);
  }

  /// True if passes along the lanes treat all rows of a block as one long row.
  /// They do so if the rows have a known length and together stay in the first
  /// cache.
  bool joinsRows() {
    std::optional<int64_t> width = getConstantIntValue(rowWidths.back());
    return width && stages[stages.size() - 2].block * *width *
                            getAccumulatorBytes(problem) <=
                        problem.target.firstCacheBytes / 2;
  }

  /// Returns `positions` plus `offset`, in the lanes that have chosen an
  /// element. The other lanes do not change.
  Value addToPositions(const LaneReduction &reduction, Value positions,
                       Value offset) {
    // Lanes without a chosen element keep kNoPosition.
    Value none = reduction.getEmpty(b).index;
    Value isNone = b.isEqual(positions, none);
    return b.select(isNone, none, b.add(positions, offset));
  }

  KernelBuilder &b;
  LaneReduction reduction;
  Problem problem;
  /// Number of channels that are joined with the columns; 1 if they are not
  /// joined.
  int64_t numJoined;
  SmallVector<LoopDim> dims;
  SmallVector<Stage> stages;
  /// True if the last stage works along the lanes in registers
  /// (SlidingWindow.h).
  bool slides;
  /// True if the only spatial dimension is the columns, along the lanes, and
  /// channels are not joined.
  bool isRowAlone = false;
  /// True if rows of the input are prefetched one block ahead.
  bool fetchesRows = false;
  /// Largest number of outputs of a part of a row along the lanes. If rows are
  /// not cut into parts, the number of outputs of a row.
  Value mostOutputs;
  /// `inner` has, for each stage, the number of elements at one position of its
  /// dimension. `rowWidths` has, for each stage except the last, the length of
  /// a row of its results.
  SmallVector<Value> inner, rowWidths;
  /// Number of windows of a block of the first stage. The last block may have
  /// fewer.
  Value firstBlock;
  /// results[d] has the results of stage d: a row for each window of a block.
  /// The last stage has none. suffixes[d] has van Herk's suffixes of stage d,
  /// if it works across the lanes.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Buffers of the stage along the lanes, in the order of RowPasses. The first
  /// one is the source of the stage, as one long row.
  SmallVector<AccumulatorBuffer> passes;
  /// The first output of the current part of a row, and the number of outputs
  /// of this part.
  Value firstOutput, numOutputs;
  /// `partStart` is the input column at which the rows of `results.back()`
  /// begin. It may be in the padding. `partWidth` is the number of columns that
  /// the part's windows need.
  Value partStart, partWidth;
  /// The part's columns that are inside the input are the input columns from
  /// `inputBegin` to `inputEnd`, which is not included.
  Value inputBegin, inputEnd;

private:
  /// Returns the length, in elements, of a row in the buffer of results of
  /// stage `d`.
  Value getRowWidth(unsigned d) {
    Value width;
    int64_t unit = std::max<int64_t>(reduction.getLength() / 2, 1);
    if (stages[d + 1].isAlong) {
      const LoopDim &columns = dims[d + 1];
      // The windows of the last vector need this number of columns. The vector
      // may have more lanes than there are outputs.
      int64_t length = reduction.getLength();
      width = getPartWidth(b.max(mostOutputs, length));
      if (slides)
        width = b.add(width, (getSlidingWindow().getDelay() + 1) * length);
      unit *= columns.stride;
    } else {
      // Add a cache line, so that neighboring rows do not lie in the same sets
      // of a cache.
      width = b.add(b.max(inner[d], stages[d].numLanes),
                    std::max(problem.getLineLength(), reduction.getLength()));
    }
    return b.mul(b.ceilDiv(width, unit), unit);
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H
