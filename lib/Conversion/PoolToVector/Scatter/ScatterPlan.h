// Plans and lowers operations that write where indices say: unpooling, and the
// gradients of extrema.
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

struct ScatterProblem {
  /// The problem of max_unpool or a gradient of extrema. Fails, with the
  /// reason, if no strategy fits it.
  static FailureOr<ScatterProblem> get(Operation *op, const Target &target,
                                       std::string &reason);

  /// Lanes of a vector of elements. Distances have 32 bits or fewer.
  int64_t getLength() const {
    return getNumLanes(target.vectorBits, std::max<int64_t>(width, 32));
  }
  /// The cost for each window of recomputed indices.
  double getChoiceCost() const;

  Target target;
  /// The first dimension that indices count over.
  int64_t axis = 0;
  /// Shapes of the scattered elements and of the result, as far as known.
  ArrayRef<int64_t> sourceShape, targetShape;
  /// Bits of an element.
  int64_t width = 0;
  /// The windows of a gradient in every dimension; dimensions that are not
  /// spatial have windows of one element. Extents are dynamic unless they are
  /// known. Empty for unpooling.
  SmallVector<ResolvedDim> windows;
  /// How a gradient without indices chooses elements. All strategies but
  /// `separable` recompute the indices first.
  std::optional<LaneReduction> choice;
  std::optional<Preference> preference;
  /// True if the order of sums may not depend on the strategy; see
  /// `pool.uniform_sums`.
  bool isUniform = false;
  /// True if the buffers are known not to stay in the caches.
  bool isLarge = false;
};

/// The operands of a scatter. `source` and `indices` have the same extents. If
/// the plan chooses elements itself, `indices` is the input that it chooses
/// from.
struct ScatterEmitter {
  const ScatterProblem &problem;
  KernelBuilder &b;
  Value source, indices, target;
  /// The type in which elements are added to zero, and rounded once. Without
  /// it, elements are written, and the last in row-major order stays.
  Type accType;
  /// The first dimension of a slice, which indices count within.
  int64_t axis = problem.axis;
  /// Says whether the element at `position` of the source counts, and its
  /// index, of type index. Null if all count, and if `indices` tells.
  std::function<Value(ValueRange position)> condition = {}, getIndex = {};
};

/// Writes parts of slices by `emit`, which returns whether every index of the
/// part names a position of the part; null if they do and parts are slices.
/// Slices with another index are cleared, and each element is written where its
/// index says. The first `numParallel` dimensions of the target, at least the
/// axis, have a part at each of their positions. `begin` runs before each
/// `numTogether` of them; see KernelBuilder::forEachTogether().
void scatterParts(
    const ScatterEmitter &emitter, int64_t numParallel,
    function_ref<Value(ValueRange outer)> emit, int64_t numTogether = 1,
    function_ref<void()> begin = [] {});

struct ScatterPlan : Plan<ScatterProblem, ScatterEmitter> {
  using Plan::Plan;
  /// True if the plan chooses the elements itself, where no indices are given.
  virtual bool choosesElements() const { return false; }
};
using ScatterStrategy = Strategy<ScatterPlan>;
std::shared_ptr<ScatterPlan> createBlocksPlan();
std::shared_ptr<ScatterPlan> createGradientGatherPlan();
std::shared_ptr<ScatterPlan> createSeparablePlan();
ArrayRef<ScatterStrategy> getScatterStrategies();

/// Replaces max_unpool, or the gradient of an extremum, by loops over vectors
/// and elements of buffers. For a gradient without indices whose plan does not
/// choose the elements itself, creates the pooling that recomputes them.
/// Returns the value of the result.
SmallVector<Value> replaceByLoops(RewriterBase &rewriter, Operation *op,
                                  const ScatterProblem &problem,
                                  const ScatterPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H
