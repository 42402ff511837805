// How a window reduction is cut into stages, one for each spatial dimension:
// each reduces its dimension for all that comes after it in memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H

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
  /// True if windows are along the lanes: of the last dimension, if less than
  /// half a vector comes after it. Then rows are reduced by doubling, and
  /// `block` and `numVectors` are 1.
  bool isAlong = false;
  /// Windows of a block.
  int64_t block = 1;
  /// Elements of a position: the later dimensions' input, and the channels if
  /// they are last.
  int64_t inner = 1;
  /// Lanes of a vector, and vectors side by side. One vector has more lanes
  /// than there are elements if a register is longer.
  int64_t numLanes = 1, numVectors = 1;

  /// Elements of a row of the buffer of results, and of these the padding that
  /// is before them, if the next stage is along the lanes.
  int64_t rowWidth = 0, rowPadding = 0;

  int64_t getWidth() const { return numLanes * numVectors; }
  /// True if the rows of a block, for a stage along the lanes, are reduced as
  /// one. They stay in the first cache.
  bool joinsRows(const Problem &problem) const;
};

/// Requires known extents.
SmallVector<Stage> getStages(const Problem &problem, const StagedPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
