// Separable reduction by stages, one for each spatial dimension. A stage
// reduces the windows of its dimension and stores the results in a buffer,
// which the next stage reads. StageLoops.cpp draws the loops.
//
// There are two kinds of stages. In a stage across the lanes, lanes are
// elements of later dimensions, or channels. It reduces blocks of windows by
// the algorithm of van Herk, Gil and Werman (Reduce/BlockReduction.h). In a
// stage along the lanes, lanes are columns. It doubles runs of lanes: in
// registers (Reduce/SlidingWindow.h), or in passes over buffers
// (Reduce/RowPasses.h).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

/// Returns the number of channels if they are joined with the columns to one
/// dimension along the lanes. Otherwise returns 1. Only channels that are last,
/// and few, are joined.
int64_t getNumJoined(const Problem &problem);

/// A plan of one of the strategies `staged`, `buffered-planes` and `van-herk`.
struct StagedPlan : WindowPlan {
  explicit StagedPlan(StringLiteral strategy = "staged")
      : WindowPlan(strategy, "windows") {}
  /// Number of windows of the first spatial dimension that are reduced
  /// together. These windows are called a block.
  int64_t block = 1;
  /// Largest number of neighboring vectors that a stage across the lanes
  /// reduces together.
  int64_t numVectors = 1;
  /// True if rows along the lanes are cut into parts whose buffers stay in the
  /// first cache.
  bool cutsRows = false;
  /// Number of vectors of outputs in a part of a row, if windows along the
  /// lanes are reduced in registers (SlidingWindow.h). It is 0 if they are
  /// reduced by passes (RowPasses.h).
  int64_t slidingVectors = 0;

  void declareParameters(PlanFields &fields) override {
    fields.integer("block", block, 1, 1 << 20);
    fields.integer("vectors", numVectors, 1, 16);
    fields.flag("parts", cutsRows);
  }
  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override;
  bool needsPackedResults(const Problem &problem) const override {
    return getNumJoined(problem) > 1;
  }
  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override;
  /// Chooses `numVectors`, makes `block` as large as the buffers allow, and
  /// returns getCost(). Fails, with the reason, if the buffers are too large
  /// even for a block of one window.
  FailureOr<double> setBlock(const Problem &problem, std::string &reason);
  /// Returns the estimated cost of one output element, in cycles.
  double getCost(const Problem &problem) const;
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override;
  void emit(WindowKernel &kernel) const override;
};

/// How one spatial dimension is reduced.
struct Stage {
  /// True if the stage reduces along the lanes, false if it reduces across
  /// them. The last stage reduces along the lanes if channels are first or
  /// joined. Its `block` and `numVectors` are then 1.
  bool isAlong = false;
  /// Number of vectors of outputs in a part of a row along the lanes. It is 0
  /// if rows are not cut into parts.
  int64_t partVectors = 0;
  /// True if a stage along the lanes works in registers, false if it works by
  /// passes.
  bool slides = false;
  /// Largest number of windows in a block.
  int64_t block = 1;
  /// Number of elements at one position of the dimension, if known. It is the
  /// product of the later dimensions' input extents, and of the channels if
  /// they are last.
  std::optional<int64_t> inner = 1;
  /// `numLanes` is the number of lanes of a vector. `numVectors` is the largest
  /// number of neighboring vectors that are reduced together. A single vector
  /// may have more lanes than there are elements.
  int64_t numLanes = 1, numVectors = 1;

  int64_t getWidth() const { return numLanes * numVectors; }
};

/// Returns the number of bytes of an accumulator, including its index if there
/// are indices.
int64_t getAccumulatorBytes(const Problem &problem);

/// Returns the problem that the stages solve. Joined channels are a part of its
/// columns, as if channels were first. If columns along the lanes are the only
/// dimension, it has a dimension of a single row before them.
Problem getStagedProblem(const Problem &problem);

/// Returns the stage of each dimension of `problem`, which must be a result of
/// getStagedProblem().
SmallVector<Stage> getStages(const Problem &problem, const StagedPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
