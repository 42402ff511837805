// How a window reduction is cut into stages, one for each spatial dimension:
// each reduces its dimension for all that comes after it in memory.
// StageLoops.cpp draws their loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

/// Channels that are last and few, if they and the columns become a single
/// dimension along the lanes; else 1.
int64_t getNumJoined(const Problem &problem);

struct StagedPlan : WindowPlan {
  explicit StagedPlan(StringLiteral strategy = "staged")
      : WindowPlan(strategy, "windows") {}
  /// Outputs of the first dimension that are reduced together; a block of its
  /// windows.
  int64_t block = 1;
  /// The most vectors side by side.
  int64_t numVectors = 1;
  /// True if rows along the lanes are reduced in parts that stay in the first
  /// cache.
  bool cutsRows = false;
  /// Vectors of outputs of a part of a row, if windows along the lanes are
  /// reduced in registers (SlidingWindow.h); 0 if they are reduced by passes
  /// (RowPasses.h).
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
  /// Sets blocks as large as buffers allow, and returns getCost().
  FailureOr<double> setBlock(const Problem &problem, std::string &reason);
  /// Returns the cycles of an output.
  double getCost(const Problem &problem) const;
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override;
  void emit(WindowKernel &kernel) const override;
};

/// The reduction of one spatial dimension.
struct Stage {
  /// True if windows are along the lanes: of the last dimension, with channels
  /// first or joined. Then `block` and `numVectors` are 1.
  bool isAlong = false;
  /// Vectors of outputs of a part of a row along the lanes; 0 for whole rows.
  int64_t partVectors = 0;
  /// True if windows along the lanes are reduced in registers.
  bool slides = false;
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

/// Returns the problem whose dimensions are reduced by stages: joined channels
/// are a part of the columns, as if channels were first. If columns along the
/// lanes are the only dimension, a single row comes before them.
Problem getStagedProblem(const Problem &problem);

/// Requires the result of getStagedProblem().
SmallVector<Stage> getStages(const Problem &problem, const StagedPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
