// The dimensions of a reduction by stages as values, and the buffers of a
// block: the results of each stage for the next one, and buffers for their
// reduction.
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

  /// Sets the sizes of rows and blocks. A position has `channels` elements if
  /// channels are last.
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
    // If the length of rows is unknown: as many as keep the results of the
    // first stage in a cache.
    int64_t elementBytes = getAccumulatorBytes(problem);
    Value numRows = b.divUnsigned(cost::kMaxStageBytes / elementBytes,
                                  b.max(rowWidths[0], 1));
    firstBlock = b.max(b.min(numRows, firstBlock), 1);
  }

  /// Allocates the buffers of a block.
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
      // Passes and slides along the lanes load up to a row more.
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

  /// The part of a row from output `first` on.
  void setPart(Value first) {
    const LoopDim &columns = dims.back();
    firstOutput = first;
    numOutputs = b.min(b.sub(columns.output, first), mostOutputs);
    partStart = b.sub(b.mul(first, columns.stride), getMargin());
    partWidth = getPartWidth(numOutputs);
    inputBegin = b.max(partStart, 0);
    // All columns of a part may lie before the input.
    inputEnd =
        b.max(b.min(b.add(partStart, partWidth), columns.input), inputBegin);
  }

  /// Stores the padding at both ends of the last buffer's first rows.
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

  /// Emits a test that passes may load a part's row in the input, and stay
  /// inside. Returns null if they may not: without a stride, each element would
  /// be loaded and converted several times.
  Value isRowInInput() {
    int64_t stride = getRowPasses().getRunStride();
    if (!isRowAlone || reduction.hasIndices() || stride == 1)
      return {};
    // The last vector of strides may begin with the last stride.
    Value width = b.add(rowWidths[0], stride * reduction.getLength());
    return b.both(b.isAtLeast(partStart, 0),
                  b.isAtLeast(dims[1].input, b.add(partStart, width)));
  }

  /// Fetches an element that the next block reads for the outputs below
  /// `place`, from the last row of the window there. Strips across the lanes
  /// would wait for each row, because they read short pieces.
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
  /// Columns of a row of the buffer before the input's first column. As many
  /// vectors as possible are stored where they are aligned.
  Value getMargin() {
    const LoopDim &columns = dims.back();
    int64_t length = reduction.getLength();
    return columns.stride > 1
               ? columns.padBegin
               : b.mul(b.ceilDiv(columns.padBegin, length), length);
  }
  /// Columns that the windows of `numOutputs` cover, from the margin on.
  Value getPartWidth(Value numOutputs) {
    const LoopDim &columns = dims.back();
    Value last = b.mul(b.sub(numOutputs, 1), columns.stride);
    int64_t extent = llvm::alignTo(columns.getExtent(), columns.stride);
    return b.add(b.add(last, extent), b.sub(getMargin(), columns.padBegin));
  }
  /// True if rows are reduced in parts.
  bool hasParts() const { return mostOutputs != dims.back().output; }
  /// Windows of a whole block.
  Value getBlock(unsigned d) {
    return d == 0 ? firstBlock : b.index(stages[d].block);
  }

  /// True if the rows of a block, for a stage along the lanes, are reduced as
  /// one. They stay in the first cache.
  bool joinsRows() {
    std::optional<int64_t> width = getConstantIntValue(rowWidths.back());
    return width && stages[stages.size() - 2].block * *width *
                            getAccumulatorBytes(problem) <=
                        problem.target.firstCacheBytes / 2;
  }

  /// Adds `offset` to the positions of chosen elements.
  Value addToPositions(const LaneReduction &reduction, Value positions,
                       Value offset) {
    // A lane that chose nothing keeps the empty position.
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
  /// True if rows are reduced along the lanes in registers.
  bool slides;
  /// True if columns along the lanes are the only dimension.
  bool isRowAlone = false;
  /// True if rows of the input are fetched a block ahead.
  bool fetchesRows = false;
  /// The most outputs of a part of a row, if the last stage is along the lanes.
  Value mostOutputs;
  /// For each stage, elements of a position, and of a row of its results.
  SmallVector<Value> inner, rowWidths;
  /// Windows of a block of the first stage.
  Value firstBlock;
  /// Results of each stage but the last, and suffixes of each.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Buffers for a stage along the lanes.
  SmallVector<AccumulatorBuffer> passes;
  /// The first output of a part of a row, and the number of its outputs.
  Value firstOutput, numOutputs;
  /// Rows of the last buffer begin with this column of the input, and windows
  /// of the part cover so many columns of them.
  Value partStart, partWidth;
  /// These columns of the input are among them.
  Value inputBegin, inputEnd;

private:
  /// Elements of a row of the buffer of results of stage `d`.
  Value getRowWidth(unsigned d) {
    Value width;
    int64_t unit = std::max<int64_t>(reduction.getLength() / 2, 1);
    if (stages[d + 1].isAlong) {
      const LoopDim &columns = dims[d + 1];
      // The windows of the last vector reach this far. It may have more lanes
      // than there are outputs.
      int64_t length = reduction.getLength();
      width = getPartWidth(b.max(mostOutputs, length));
      if (slides)
        width = b.add(width, (getSlidingWindow().getDelay() + 1) * length);
      unit *= columns.stride;
    } else {
      // A cache line more, so that rows do not share the sets of a cache.
      width = b.add(b.max(inner[d], stages[d].numLanes),
                    std::max(problem.getLineLength(), reduction.getLength()));
    }
    return b.mul(b.ceilDiv(width, unit), unit);
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H
