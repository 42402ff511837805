// How a window reduction is cut into stages, one for each spatial dimension:
// each reduces its dimension for all that comes after it in memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H

#include "Problem/Problem.h"
#include "Schedule/Parameters.h"

namespace mlir::pool {

struct StagedPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "staged";
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
};

/// The reduction of one spatial dimension.
struct Stage {
  /// Windows of a block.
  int64_t block = 1;
  /// Elements of a position: the later dimensions' input, and the channels if
  /// they are last.
  int64_t inner = 1;
  /// Lanes of a vector, and vectors side by side. One vector has more lanes
  /// than there are elements if a register is longer.
  int64_t numLanes = 1, numVectors = 1;

  int64_t getWidth() const { return numLanes * numVectors; }
  /// Columns of a buffer of results: whole vectors, and a cache line more, so
  /// that rows do not share the sets of a cache.
  int64_t getBufferWidth(const Problem &problem) const;
};

/// Requires known extents.
SmallVector<Stage> getStages(const Problem &problem, const StagedPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGEDPLAN_H
