// Types and functions that the plans for GPUs share: the facts that plans
// depend on, the operands that they emit with, and tests of whether they
// support a window. GPUPlans.cpp has the plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_GPUPLANS_GPUWINDOW_H
#define POOL_LIB_CONVERSION_GPUPLANS_GPUWINDOW_H

#include "Plans/Plan.h"
#include "Plans/WindowFacts.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// The facts about a window reduction that its plan for a GPU depends on.
struct GPUProblem {
  WindowFacts facts;
  /// The GPU that a plan is chosen for. None if a plan is only checked and
  /// lowered.
  std::optional<GPU> gpu;

  /// Returns the number of elements of a window.
  double countTaps() const {
    return llvm::product_of(facts.window.kernel, 1.0);
  }
};

/// A reduction on buffers, for which a plan emits loops, and the builder of
/// these.
struct GPUWindow {
  OpBuilder &b;
  WindowReduceOp op;
};

using GPUPlan = Plan<GPUProblem, GPUWindow>;

/// Returns why coordinates outside the input may not be clamped to it. Returns
/// an empty string if they may. Then a clamped coordinate belongs to another
/// tap of the same window, and counting an element twice does not change the
/// result.
StringRef getClampObstacle(const WindowFacts &facts);

/// Returns why a subgroup of threads (a warp) may not reduce each window.
/// Returns an empty string if it may. The threads share the elements of a
/// plane. So each window must be a whole plane of known size, with channels
/// first, outside of loops, and its sums must not need a fixed order.
StringRef getSubgroupObstacle(const WindowFacts &facts);

/// Creates loops over the outputs of `op`. A subgroup of `width` threads
/// computes each output. Requires that getSubgroupObstacle() returns an empty
/// string. Does not erase `op`.
void createSubgroupLoops(OpBuilder &b, WindowReduceOp op, int64_t width);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_GPUPLANS_GPUWINDOW_H
