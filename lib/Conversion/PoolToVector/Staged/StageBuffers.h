// The dimensions of a reduction by stages as values, and the buffers of a
// block: the results of each stage for the next one, and what their reduction
// needs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H

#include "Staged/StagedPlan.h"

#include "Reduce/RowPasses.h"
#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

class StageBuffers {
protected:
  StageBuffers(WindowKernel &kernel, const StagedPlan &plan)
      : at(kernel.at),
        reduction(kernel.reduction.hasPositions() && kernel.hasNarrowPositions()
                      ? kernel.reduction.withNarrowPositions()
                      : kernel.reduction),
        problem(getStagedProblem(kernel.problem)),
        numJoined(getNumJoined(kernel.problem)), dims(kernel.dims),
        stages(getStages(problem, plan)) {
    if (numJoined > 1) {
      LoopDim &columns = dims.back();
      columns = LoopDim(problem.dims.back(), at.mul(columns.input, numJoined),
                        at.mul(columns.output, numJoined),
                        at.mul(columns.padBegin, numJoined));
    }
    if (dims.size() < problem.dims.size())
      dims.insert(dims.begin(), LoopDim::getSingle(at));
  }

  /// Sets the sizes of rows and blocks. A position has `channels` elements if
  /// channels are last.
  void setSizes(Value channels) {
    Value elements =
        problem.layout == Layout::ChannelsLast ? channels : at.index(1);
    for (const LoopDim &dim : llvm::reverse(dims)) {
      inner.insert(inner.begin(), elements);
      elements = at.mul(elements, dim.input);
    }
    for (unsigned d = 0; !isLast(d); ++d)
      rowWidths.push_back(getRowWidth(d));
    firstBlock = at.index(stages[0].block);
    if (stages[0].inner || isLast(0) || stages[0].block == 1)
      return;
    // If the length of rows is unknown: as many as keep the results of the
    // first stage in a cache.
    int64_t elementBytes = getAccumulatorBytes(problem);
    Value numRows = at.divUnsigned(
        at.index(cost::kMaxStageBytes / elementBytes), at.max(rowWidths[0], 1));
    firstBlock = at.max(at.min(numRows, firstBlock), 1);
  }

  /// Allocates the buffers of a block.
  void allocate() {
    auto create = [&](unsigned d, Value numRows, Value numColumns) {
      return AccumulatorBuffer::allocate(at, getReduction(d),
                                         {numRows, numColumns});
    };
    for (auto [d, stage] : llvm::enumerate(stages)) {
      if (!stage.isAlong)
        suffixes.push_back(
            create(d, at.index(stage.block), at.index(stage.getWidth())));
      if (isLast(d))
        break;
      bool isBeforeAlong = stages[d + 1].isAlong;
      // Passes along the lanes load up to a row more.
      Value numRows = at.add(getBlock(d), isBeforeAlong);
      results.push_back(create(d, numRows, rowWidths[d]));
      if (!isBeforeAlong)
        continue;
      passes.push_back(results[d].flatten(at));
      Value runWidth = at.divUnsigned(rowWidths[d], dims[d + 1].stride);
      while (passes.size() < getRowPasses().getNumBuffers())
        passes.push_back(
            create(d, joinsRows() ? numRows : at.index(2), runWidth)
                .flatten(at));
      if (!dims[d + 1].coversPadding)
        continue;
      // The padding at both ends of rows.
      LaneReduction reduction = getReduction(d);
      Accumulator fill = {reduction.getFill(at), reduction.getEmpty(at).index};
      at.forEach(at.index(0), at.mul(getBlock(d), rowWidths[d]),
                 reduction.getLength(),
                 [&](Value element) { passes[0].store(at, fill, element); });
    }
  }

  bool isLast(unsigned d) const { return d + 1 == stages.size(); }
  LaneReduction getReduction(unsigned d) const {
    return reduction.withLength(stages[d].numLanes);
  }
  RowPasses getRowPasses() const {
    return RowPasses(getReduction(stages.size() - 1), dims.back());
  }
  /// Windows of a whole block.
  Value getBlock(unsigned d) {
    return d == 0 ? firstBlock : at.index(stages[d].block);
  }

  /// True if the rows of a block, for a stage along the lanes, are reduced as
  /// one. They stay in the first cache.
  bool joinsRows() {
    std::optional<int64_t> width = getConstantIntValue(rowWidths.back());
    return width && stages[stages.size() - 2].block * *width *
                            getAccumulatorBytes(problem) <=
                        problem.target.firstCacheBytes / 2;
  }

  KernelBuilder &at;
  LaneReduction reduction;
  Problem problem;
  /// See getNumJoined().
  int64_t numJoined;
  SmallVector<LoopDim> dims;
  SmallVector<Stage> stages;
  /// For each stage, elements of a position, and of a row of its results.
  SmallVector<Value> inner, rowWidths;
  /// Windows of a block of the first stage.
  Value firstBlock;
  /// Results of each stage but the last, and suffixes of each.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Buffers for a stage along the lanes.
  SmallVector<AccumulatorBuffer> passes;

private:
  /// Elements of a row of the buffer of results of stage `d`.
  Value getRowWidth(unsigned d) {
    Value elements = at.max(inner[d], stages[d].numLanes);
    Value width;
    int64_t unit = std::max<int64_t>(reduction.getLength() / 2, 1);
    if (stages[d + 1].isAlong) {
      const LoopDim &columns = dims[d + 1];
      // The windows of the last vector reach this far. It may have more lanes
      // than there are outputs.
      Value last = at.sub(at.max(columns.output, reduction.getLength()), 1);
      width = at.max(at.add(at.mul(last, columns.stride),
                            llvm::alignTo(columns.getExtent(), columns.stride)),
                     at.add(columns.padBegin, elements));
      unit *= columns.stride;
    } else {
      // A cache line more, so that rows do not share the sets of a cache.
      width = at.add(elements,
                     std::max(problem.getLineLength(), reduction.getLength()));
    }
    return at.mul(at.ceilDiv(width, unit), unit);
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEBUFFERS_H
