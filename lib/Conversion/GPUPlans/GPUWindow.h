// The plans for windows on GPUs, and what they are made of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_GPUPLANS_GPUWINDOW_H
#define POOL_LIB_CONVERSION_GPUPLANS_GPUWINDOW_H

#include "Plans/Plan.h"
#include "Plans/WindowFacts.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Facts that a plan for a GPU depends on.
struct GPUProblem {
  WindowFacts facts;
  /// The GPU that choose() needs. None where a plan is only checked and
  /// lowered.
  std::optional<GPU> gpu;

  /// Returns the number of elements of a window.
  double countTaps() const {
    return llvm::product_of(facts.window.kernel, 1.0);
  }
};

/// A reduction on buffers, which loops are to replace.
struct GPUWindow {
  OpBuilder &b;
  WindowReduceOp op;
};

using GPUPlan = Plan<GPUProblem, GPUWindow>;

/// Returns why coordinates outside of the input may not be clamped to it; empty
/// if they may. Then a clamped coordinate is that of another tap of the same
/// window, and counting an element twice does not change the result.
StringRef getClampObstacle(const WindowFacts &facts);

/// Returns why a subgroup of threads may not reduce each window; empty if it
/// may. Its threads share the elements of a plane. So each window must be a
/// whole plane of known size, with channels first, outside of loops, and its
/// sums must not need a fixed order.
StringRef getSubgroupObstacle(const WindowFacts &facts);

/// Creates loops over the outputs of `op`, each of which a subgroup of `width`
/// threads computes. Requires that getSubgroupObstacle() is empty. Does not
/// erase `op`.
void createSubgroupLoops(OpBuilder &b, WindowReduceOp op, int64_t width);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_GPUPLANS_GPUWINDOW_H
