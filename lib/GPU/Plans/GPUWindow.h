// The types and functions that plans for windows on GPUs are made of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_PLANS_GPUWINDOW_H
#define POOL_LIB_GPU_PLANS_GPUWINDOW_H

#include "Plans/Plan.h"
#include "Plans/WindowFacts.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// The facts on which a plan for a GPU depends.
struct GPUProblem {
  WindowFacts facts;
  /// The GPU to choose a plan for. None if a given plan is only checked and
  /// lowered.
  std::optional<GPU> gpu;

  /// Returns the number of taps of a window.
  double countTaps() const {
    return llvm::product_of(facts.window.kernel, 1.0);
  }
};

/// A window operation on buffers that a plan replaces by loops.
struct GPUWindow {
  OpBuilder &b;
  WindowReduceOp op;
};

using GPUPlan = Plan<GPUProblem, GPUWindow>;

/// Returns why coordinates outside the input must not be clamped to the input,
/// or an empty string if clamping is allowed. It is allowed if a clamped
/// coordinate is that of another tap of the same window, and if combining an
/// element twice does not change the result.
StringRef getClampObstacle(const WindowFacts &facts);

/// Returns why a subgroup of threads cannot reduce each window, or an empty
/// string if it can. The threads of a subgroup share the elements of a plane.
/// So each window must be a whole plane of known size, with channels first and
/// outside of loops, and a sum must not require a fixed order.
StringRef getSubgroupObstacle(const WindowFacts &facts);

/// Creates loops over the outputs of `op`, in which a subgroup of `width`
/// threads computes each output. Requires that getSubgroupObstacle() returns an
/// empty string. Does not erase `op`.
void createSubgroupLoops(OpBuilder &b, WindowReduceOp op, int64_t width);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_PLANS_GPUWINDOW_H
