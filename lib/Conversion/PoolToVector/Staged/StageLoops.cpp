// Loops over stages. A stage reduces a block of windows of its dimension, strip
// by strip of what comes after it in memory, into a buffer with a row for each
// window. The next stage reduces these rows one after the other. The last stage
// stores outputs.
//
// Rows and columns, with channels last:
//
//   input   row 0  [column 0: c0..c7][column 1: c0..c7] ...
//           row 1  [column 0: c0..c7][column 1: c0..c7] ...     lanes are any
//           ...            |                                    eight elements
//   stage 0: rows          v  across rows, for all columns and channels
//   buffer  window 0 [column 0: c0..c7][column 1: c0..c7] ...
//           window 1 ...              |                         lanes are
//   stage 1: columns                  v  across columns         channels
//   output  window 0 [column 0: c0..c7] ...
//
// With channels first there is nothing after the columns. The buffer's rows
// have padding at both ends, and the last stage reduces them along the lanes by
// the passes of RowPasses.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Staged/StageLoops.h"

#include "Emit/Memory.h"

using namespace mlir;
using namespace mlir::pool;

StageLoops::StageLoops(WindowKernel &kernel, const StagedPlan &plan)
    : kernel(kernel), at(kernel.at),
      reduction(kernel.reduction.hasPositions() && kernel.hasNarrowPositions()
                    ? kernel.reduction.withNarrowPositions()
                    : kernel.reduction),
      stages(getStages(kernel.problem, plan)) {}

void StageLoops::create() {
  unsigned numLead = kernel.op.getWindow().getSpatialDim(0);
  input = collapseFrom(at, kernel.input, numLead);
  SmallVector<Value> upper = kernel.getOutputShape();
  upper.truncate(numLead);
  upper.push_back(at.ceilDiv(kernel.dims[0].output, stages[0].block));
  // There are many planes of channels, whose blocks share buffers: allocating
  // them takes as long as a small block.
  int64_t numTogether = stages.back().isAlong ? cost::kRowsTogether : 1;
  at.forEachTogether(
      upper, numTogether, [&] { allocate(); },
      [&](ValueRange position) {
        lead = llvm::to_vector(position.drop_back());
        emitBlock(0, at.mul(position.back(), stages[0].block));
      });
}

void StageLoops::allocate() {
  for (auto [d, stage] : llvm::enumerate(stages)) {
    LaneReduction reduction = getReduction(d);
    auto create = [&](int64_t numRows, int64_t numColumns) {
      return AccumulatorBuffer::allocate(at, reduction, {numRows, numColumns});
    };
    if (!stage.isAlong)
      suffixes.push_back(create(stage.block, stage.getWidth()));
    if (isLast(d))
      break;
    bool isBeforeAlong = stages[d + 1].isAlong;
    // Passes along the lanes load up to a row more.
    results.push_back(create(stage.block + isBeforeAlong, stage.rowWidth));
    if (!isBeforeAlong)
      continue;
    int64_t numRows = stage.joinsRows(kernel.problem) ? stage.block : 1;
    passes.push_back(results[d].flatten(at));
    while (passes.size() < getRowPasses().getNumBuffers())
      passes.push_back(create(numRows + 1, stage.rowWidth).flatten(at));
    if (!kernel.dims[d + 1].coversPadding)
      continue;
    Value fill = reduction.getFill(at);
    at.forEach(at.index(0), at.index(stage.block * stage.rowWidth),
               stage.numLanes, [&](Value element) {
                 passes[0].store(at, {fill, reduction.getEmpty(at).index},
                                 element);
               });
  }
}

void StageLoops::emitBlock(unsigned d, Value first) {
  const Stage &stage = stages[d];
  const LoopDim &dim = kernel.dims[d];
  Value numWindows = at.index(stage.block);
  if (*dim.knownOutput % stage.block != 0)
    numWindows = at.min(at.sub(dim.output, first), stage.block);
  int64_t width = stage.getWidth();
  if (stage.inner <= width)
    emitStrip(d, first, numWindows, at.index(0));
  else
    // The last strip is moved to the end.
    at.forEach(at.index(0), at.index(stage.inner), width, [&](Value element) {
      if (stage.inner % width != 0)
        element = at.min(element, stage.inner - width);
      emitStrip(d, first, numWindows, element);
    });
  if (isLast(d))
    return;
  if (stages[d + 1].isAlong)
    return emitRowsAlong(first, numWindows);
  at.forEach(at.index(0), numWindows, 1, [&](Value row) {
    rows.push_back(row);
    windows.push_back(at.add(first, row));
    at.forEach(at.index(0), kernel.dims[d + 1].output, stages[d + 1].block,
               [&](Value next) { emitBlock(d + 1, next); });
    rows.pop_back();
    windows.pop_back();
  });
}

void StageLoops::emitStrip(unsigned d, Value first, Value numWindows,
                           Value element) {
  const Stage &stage = stages[d];
  const LoopDim &dim = kernel.dims[d];
  LaneReduction reduction = getReduction(d);
  Value start = dim.getStart(at, first);
  auto getElement = [&](int64_t vector) {
    return at.add(element, vector * stage.numLanes);
  };
  BlockReduction(at, reduction, dim, stage.numVectors)
      .emit(
          numWindows, suffixes[d],
          [&](Value position) {
            SmallVector<Accumulator> lanes;
            for (int64_t i = 0; i < stage.numVectors; ++i)
              lanes.push_back(load(d, at.add(start, position), getElement(i)));
            return lanes;
          },
          [&](Value window, ArrayRef<Accumulator> lanes) {
            for (auto [i, acc] : llvm::enumerate(lanes))
              if (isLast(d))
                storeOutput({at.add(first, window), getElement(i)}, acc);
              else
                storeResult(d, window, getElement(i), acc);
          });
}

void StageLoops::emitRowsAlong(Value first, Value numRows) {
  if (stages[stages.size() - 2].joinsRows(kernel.problem))
    return emitRowsAlong(first, at.index(0), numRows);
  at.forEach(at.index(0), numRows, 1, [&](Value row) {
    emitRowsAlong(at.add(first, row), row, at.index(1));
  });
}

void StageLoops::emitRowsAlong(Value first, Value firstRow, Value numRows) {
  unsigned d = stages.size() - 1;
  const LoopDim &dim = kernel.dims[d];
  int64_t width = stages[d - 1].rowWidth, step = stages[d].numLanes;
  RowPasses rowPasses = getRowPasses();
  Value begin = at.mul(firstRow, width);
  rowPasses.emit(at, passes, begin, at.mul(numRows, width));
  int64_t numElements = *dim.knownOutput;
  at.forEach(at.index(0), numRows, 1, [&](Value row) {
    windows.push_back(at.add(first, row));
    at.forEach(at.index(0), at.index(numElements), step, [&](Value element) {
      // The last vector is moved to the end.
      if (numElements > step && numElements % step != 0)
        element = at.min(element, numElements - step);
      Accumulator lanes = rowPasses.getWindows(
          at, passes, begin, at.add(at.mul(row, width), element));
      storeOutput(element, lanes);
    });
    windows.pop_back();
  });
}

void StagedPlan::emit(WindowKernel &kernel) const {
  StageLoops(kernel, *this).create();
}
