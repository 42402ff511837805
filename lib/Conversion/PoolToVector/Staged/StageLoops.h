// How a window reduction is cut into stages, one for each spatial dimension:
// each reduces its dimension for all that comes after it in memory. And the
// loops over stages, which StageLoops.cpp draws.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGELOOPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGELOOPS_H

#include "Reduce/RowPasses.h"
#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

struct StagedPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "staged", kWhole = "windows";
  /// Outputs of the first dimension that are reduced together; a block of its
  /// windows.
  int64_t block = 1;
  /// The most vectors side by side.
  int64_t numVectors = 1;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("block", block, 1, 1 << 20);
    fields.integer("vectors", numVectors, 1, 16);
  }
  static LogicalResult admit(const Problem &problem, std::string &reason);
  FailureOr<double> choose(const Problem &problem, std::string &reason);
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const;
  void emit(WindowKernel &kernel) const;
};

/// The reduction of one spatial dimension.
struct Stage {
  /// True if windows are along the lanes: of the last dimension, with channels
  /// first. Then rows are reduced by passes, and `block` and `numVectors`
  /// are 1.
  bool isAlong = false;
  /// Windows of a block, at most.
  int64_t block = 1;
  /// Elements of a position, if known: the later dimensions' input, and the
  /// channels if they are last.
  std::optional<int64_t> inner = 1;
  /// Lanes of a vector, and the most vectors side by side. One vector may have
  /// more lanes than there are elements.
  int64_t numLanes = 1, numVectors = 1;

  int64_t getWidth() const { return numLanes * numVectors; }
};

/// Bytes of an accumulator.
int64_t getAccumulatorBytes(const Problem &problem);

/// Returns the problem with a single row before columns along the lanes, if
/// they are the only dimension.
Problem getStagedProblem(const Problem &problem);

/// Requires the result of getStagedProblem().
SmallVector<Stage> getStages(const Problem &problem, const StagedPlan &plan);

class StageLoops {
public:
  StageLoops(WindowKernel &kernel, const StagedPlan &plan);

  void create();

private:
  RowPasses getRowPasses() const {
    return RowPasses(getReduction(stages.size() - 1), dims.back());
  }
  /// False if the only dimension is along the lanes. Then a stage before it has
  /// a single row.
  bool hasRows() const { return kernel.problem.dims.size() == dims.size(); }
  bool isLast(unsigned d) const { return d + 1 == stages.size(); }
  LaneReduction getReduction(unsigned d) const {
    return reduction.withLength(stages[d].numLanes);
  }
  /// Windows of a whole block.
  Value getBlock(unsigned d) {
    return d == 0 ? firstBlock : at.index(stages[d].block);
  }
  /// Number of blocks that the windows of a stage are cut into.
  Value getNumBlocks(unsigned d);
  /// Window `i` of the block whose first window is `first`.
  Value getWindow(unsigned d, Value first, Value i) {
    return at.add(first, at.mul(i, dims[d].getSharingDistance()));
  }
  /// Reduces a block of windows, and what follows.
  void emitBlock(unsigned d, Value number);
  void emitStrip(unsigned d, Value first, Value numWindows,
                 const VectorStrip &strip);
  /// Returns a vector of the stage's source at a position, or padding.
  Accumulator load(unsigned d, Value position, Value element,
                   const LaneRange &existing);
  /// Loads like load(), from a position inside.
  Accumulator loadInside(unsigned d, Value position, Value element,
                         const LaneRange &existing);
  /// Stores results of a window for the next stage.
  void storeResult(unsigned d, Value window, Value element,
                   const LaneRange &existing, Accumulator lanes);
  /// Stores outputs, the first of which has the last `coordinates`.
  void storeOutput(ArrayRef<Value> coordinates, const LaneRange &existing,
                   Accumulator lanes);

  /// Sets the sizes of rows and blocks.
  void setSizes();
  /// Elements of a row of the buffer of results of stage `d`.
  Value getRowWidth(unsigned d);
  /// Allocates the buffers of a block.
  void allocate();
  /// Stores padding at both ends of rows that are reduced along the lanes.
  void fillPadding();
  /// Reduces the rows of the last buffer along the lanes. They are those of
  /// `numRows` windows from `first` on.
  void emitRowsAlong(Value first, Value numRows);
  void emitRowsAlong(Value first, Value firstRow, Value numRows);
  /// True if the rows of a block, for a stage along the lanes, are reduced as
  /// one. They stay in the first cache.
  bool joinsRows();
  /// Adds `offset` to the positions of chosen elements.
  Value addToPositions(const LaneReduction &reduction, Value positions,
                       Value offset);

  WindowKernel &kernel;
  KernelBuilder &at;
  LaneReduction reduction;
  Problem problem;
  SmallVector<LoopDim> dims;
  SmallVector<Stage> stages;
  /// A constant, and the weight of a position in each dimension.
  SmallVector<Value> weights;
  /// The input with its spatial dimensions, and channels that are last, as one.
  Value input;
  /// For each stage, elements of a position, and of a row of its results.
  SmallVector<Value> inner, rowWidths;
  /// Windows of a block of the first stage.
  Value firstBlock;
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
