// Plans and lowers scatters: operations that write each element of a source to
// the position of a target that an index names. These are unpooling, and the
// gradients of maxima and minima. The strategies are `blocks`
// (BlockScatter.cpp), `gather` (GradientGather.cpp), `separable`
// (SeparableScatter.cpp) and `slices` (ScatterPlan.cpp).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H

#include "Emit/LaneMask.h"
#include "Emit/LaneReduction.h"
#include "Plans/Plan.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/WindowRules.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// The facts about a scatter on which its plan depends. A slice of the target
/// has the dimensions from `axis` on, at one position of the dimensions before.
/// An index names a position in its slice, by its row-major number.
struct ScatterProblem {
  /// Returns the problem of `op`: max_unpool or the gradient of an extremum.
  /// Fails, with the reason, if its elements have no vectors.
  static FailureOr<ScatterProblem> get(Operation *op, const Target &target,
                                       std::string &reason);

  /// Returns the number of elements in a vector. Elements of fewer than 32 bits
  /// count as 32 bits, because positions are computed in lanes of 32 bits.
  int64_t getLength() const {
    return getNumLanes(target.vectorBits, std::max<int64_t>(width, 32));
  }
  /// Returns the cost, for each window, of recomputing its index. It is 0 if
  /// indices are given.
  double getChoiceCost() const;

  Target target;
  /// The first dimension of a slice.
  int64_t axis = 0;
  /// Shapes of the source and of the target. Unknown extents are kDynamic.
  ArrayRef<int64_t> sourceShape, targetShape;
  /// Number of bits of an element.
  int64_t width = 0;
  /// For a gradient, the window of each dimension of the pooled input. Batch
  /// and channels have windows of one element. Unknown extents are kDynamic.
  /// Empty for unpooling.
  SmallVector<ResolvedDim> windows;
  /// Set for a gradient without indices only. `choice` is the reduction that
  /// finds the chosen elements. `preference` says which of two elements it
  /// chooses. Strategies other than `separable` recompute the indices first.
  std::optional<LaneReduction> choice;
  std::optional<Preference> preference;
  /// True if the order of sums may not depend on the strategy; see
  /// `pool.uniform_sums`.
  bool isUniform = false;
  /// True if the buffers are known not to stay in the caches.
  bool isLarge = false;
};

/// The operands of the scatter that a plan emits. `source` and `indices` have
/// the same extents. But if the plan chooses elements itself, `indices` is the
/// pooled input, from which it chooses.
struct ScatterEmitter {
  const ScatterProblem &problem;
  KernelBuilder &b;
  Value source, indices, target;
  /// The type in which elements are added. The sum is rounded once, at the end.
  /// If it is null, elements are not added but overwritten: the last one in
  /// row-major order stays.
  Type accType;
  /// The first dimension of a slice.
  int64_t axis = problem.axis;
  /// Two functions that may be null. `condition` returns true if the source's
  /// element at `position` is to be written; if null, all elements are.
  /// `getIndex` returns the element's index, of type index; if null, `indices`
  /// has it.
  std::function<Value(ValueRange position)> condition = {}, getIndex = {};
};

/// Emits loops that write the target in parts. There is one part for each
/// position in the first `numParallel` dimensions of the target. `numParallel`
/// must be at least `axis`; if they are equal, the parts are the slices.
///
/// `emit` emits code that writes the part at `outer`. It returns an i1: true if
/// every index of the part names a position in the part. If parts are slices,
/// it may return null, which means always true. If the i1 is false at run time,
/// the whole slice is cleared, and each of its elements is written where its
/// index says.
///
/// `begin` runs before each `numTogether` parts; see
/// KernelBuilder::forEachTogether().
void scatterParts(
    const ScatterEmitter &emitter, int64_t numParallel,
    function_ref<Value(ValueRange outer)> emit, int64_t numTogether = 1,
    function_ref<void()> begin = [] {});

struct ScatterPlan : Plan<ScatterProblem, ScatterEmitter> {
  using Plan::Plan;
  /// True if the plan finds the chosen elements itself when no indices are
  /// given. Otherwise indices are recomputed before.
  virtual bool choosesElements() const { return false; }
};
using ScatterStrategy = Strategy<ScatterPlan>;
std::shared_ptr<ScatterPlan> createBlocksPlan();
std::shared_ptr<ScatterPlan> createGradientGatherPlan();
std::shared_ptr<ScatterPlan> createSeparablePlan();
ArrayRef<ScatterStrategy> getScatterStrategies();

/// Replaces max_unpool, or the gradient of an extremum, by loops over vectors
/// and elements of buffers. If a gradient has no indices and the plan does not
/// choose elements itself, also creates the pooling that recomputes them.
/// Returns the values that replace the results of `op`.
SmallVector<Value> replaceByLoops(RewriterBase &rewriter, Operation *op,
                                  const ScatterProblem &problem,
                                  const ScatterPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H
