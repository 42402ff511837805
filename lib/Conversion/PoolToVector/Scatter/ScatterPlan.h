// Plans and lowers operations that write where indices say: unpooling, and the
// gradients of extrema; and run-time checks of indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H

#include "Emit/LaneMask.h"
#include "Emit/LaneReduction.h"
#include "Schedule/Choice.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/WindowRules.h"
#include "pool/Target/Target.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pool {

struct ScatterProblem;

/// How the positions of a plane gather from the windows that cover them, as
/// vectors along its last dimension: which taps, from where, and in how many
/// registers. A plane is the last two dimensions, or the last one if indices
/// count within it. Lanes are strides of its columns. Columns with the same
/// remainder by the stride form a class, and are lanes of one vector.
struct WindowShape {
  /// Fails, with the reason, where windows or extents are not for it.
  static FailureOr<WindowShape> get(const ScatterProblem &problem,
                                    std::string &reason);

  /// A tap that covers the columns of a class: column `stride * j + c` is tap
  /// `tap` of window `j + shift`.
  struct Tap {
    int64_t tap, shift;
  };

  ResolvedDim row, column;
  /// Dimensions of the target before the plane.
  int64_t numOuter = 0;
  /// Lanes of a vector of sums.
  int64_t length = 0;
  /// Bits of a distance from a window's first element, or of a tap.
  int64_t codeWidth = 32;
  /// The taps of each class, in the order of their windows.
  SmallVector<SmallVector<Tap>> classes;
  /// The first and last shift of all.
  int64_t firstShift = 0, lastShift = 0;

  /// Codes that are less than `largest`, which fits 32 bits.
  void setCodeWidth(const Target &target, int64_t largest);

  static int64_t getReach(const ResolvedDim &dim) {
    return (dim.kernel - 1) * dim.dilation;
  }
  /// From a tap of a window to its first element, in positions of the plane.
  int64_t getDistance(int64_t rowTap, int64_t columnTap) const {
    return rowTap * row.dilation * column.input + columnTap * column.dilation;
  }
  /// Rows of sums that a row of windows adds to, or passes.
  int64_t getNumSums() const { return std::max(getReach(row) + 1, row.stride); }
  /// Vectors of sums that the next row of windows adds to, too.
  int64_t getNumCarried() const {
    return (getNumSums() - row.stride) * column.stride;
  }
  /// Rows of windows, and of none, until each row of the plane is passed.
  int64_t getNumSteps() const {
    return llvm::divideCeil(row.input + row.padBegin, row.stride);
  }
  /// Vectors of the strides of a row of columns.
  int64_t getNumStrips() const {
    return llvm::divideCeil(column.input, column.stride * length);
  }
  int64_t getNumGathered() const { return getNumStrips() * length; }
  /// Parts of a row in the buffers, in whole vectors: windows that do not exist
  /// before the first one, written windows, and all that is read.
  int64_t getMargin() const { return llvm::alignTo(-firstShift, length); }
  int64_t getNumWritten() const { return llvm::alignTo(column.output, length); }
  int64_t getPitch() const;
  /// Returns the vectors [first, second) of windows that begin inside the row,
  /// and whose strides, with all elements that the last window reaches, end
  /// inside it.
  std::pair<int64_t, int64_t> getInnerVectors() const;
};

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
  SmallVector<int64_t> sourceShape, targetShape;
  /// Bits of an element.
  int64_t width = 0;
  /// True if indices usually name positions in the block of their own element,
  /// as they do if windows do not overlap.
  bool areBlocks = true;
  /// The windows of the indices, in every dimension. Dimensions that are not
  /// spatial have windows of one element. Unknown extents are dynamic and not
  /// resolved. Empty if there are no windows.
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
  /// How positions gather from the windows that cover them; fails, with the
  /// reason, if they cannot.
  FailureOr<WindowShape> shape;
  std::string noShape;
};

/// Returns a property of the element at `position` of the source.
using SourceElementFn =
    std::function<Value(KernelBuilder &at, ValueRange position)>;

/// The operands of a scatter. `source` and `indices` have the same extents. If
/// the plan chooses elements itself, `indices` is the input that it chooses
/// from.
struct ScatterEmitter {
  const ScatterProblem &problem;
  KernelBuilder &at;
  Value source, indices, target;
  /// The type in which elements are added to zero, and rounded once. Without
  /// it, elements are written, and the last in row-major order stays.
  Type accType;
  /// Says which elements count; null if all do.
  SourceElementFn condition;
};

using ScatterStrategy = Strategy<ScatterProblem, ScatterEmitter>;
extern const ScatterStrategy kBlocks, kWindows, kSeparable, kSlices;
ArrayRef<ScatterStrategy> getScatterStrategies();

/// Replaces max_unpool, or the gradient of an extremum, by loops over vectors
/// and elements of buffers, unless it has no plan. A gradient without indices
/// recomputes them, unless its plan chooses for itself. Fails where its own
/// plan does not fit.
LogicalResult lowerScatter(StringRef pass, RewriterBase &rewriter,
                           Operation *op, const Target &target);

/// Vectorizes the loops below `root` that are marked as a search for the
/// largest element of a packed tensor, as run-time checks are.
void vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                          const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTERPLAN_H
