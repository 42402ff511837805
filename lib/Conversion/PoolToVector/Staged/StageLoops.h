// Loops over stages; StageLoops.cpp draws them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGELOOPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGELOOPS_H

#include "Staged/StagedPlan.h"

#include "Reduce/RowPasses.h"
#include "Reduce/WindowKernel.h"

namespace mlir::pool {

class StageLoops {
public:
  StageLoops(WindowKernel &kernel, const StagedPlan &plan);

  void create();

private:
  RowPasses getRowPasses() const {
    return RowPasses(getReduction(stages.size() - 1),
                     kernel.dims.back().kernel);
  }
  bool isLast(unsigned d) const { return d + 1 == stages.size(); }
  LaneReduction getReduction(unsigned d) const {
    return reduction.withLength(stages[d].numLanes);
  }
  /// Reduces the block of windows from `first` on, and what follows.
  void emitBlock(unsigned d, Value first);
  /// Reduces the elements from `element` on.
  void emitStrip(unsigned d, Value first, Value numWindows, Value element);
  /// Returns a vector of the stage's source at a position, or padding.
  Accumulator load(unsigned d, Value position, Value element);
  /// The same at a position that is inside.
  Accumulator loadInside(unsigned d, Value position, Value element);
  /// Lanes that have elements; null if all do.
  LaneRange getLanes(unsigned d);
  /// Stores results of a window for the next stage.
  void storeResult(unsigned d, Value window, Value element, Accumulator lanes);
  /// Stores outputs, the first of which has the last `coordinates`.
  void storeOutput(ArrayRef<Value> coordinates, Accumulator lanes);
  /// Allocates the buffers of a block.
  void allocate();
  /// Reduces the rows of the last buffer along the lanes. They are those of
  /// `numRows` windows from `first` on.
  void emitRowsAlong(Value first, Value numRows);
  void emitRowsAlong(Value first, Value firstRow, Value numRows);
  /// Adds `offset` to the positions of chosen elements.
  Value addToPositions(const LaneReduction &reduction, Value positions,
                       Value offset);

  WindowKernel &kernel;
  KernelBuilder &at;
  LaneReduction reduction;
  SmallVector<Stage> stages;
  /// The input with its spatial dimensions, and channels that are last, as one.
  Value input;
  /// Results of each stage but the last, and suffixes of each.
  SmallVector<AccumulatorBuffer> results, suffixes;
  /// Buffers for a stage along the lanes.
  SmallVector<AccumulatorBuffer> passes;
  /// Output coordinates before the spatial dimensions; the windows of outer
  /// dimensions, and their rows in the buffers.
  SmallVector<Value> lead, windows, rows;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGELOOPS_H
