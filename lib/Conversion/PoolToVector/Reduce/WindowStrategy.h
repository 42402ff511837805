// The strategies for pool.window_reduce, and the class WindowKernel that they
// use to emit code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H

#include "Fusion/ElementwiseChain.h"
#include "Plans/Plan.h"
#include "Reduce/LoopDim.h"

namespace mlir::pool {

/// What a strategy needs to emit code for one operation: the operation, its
/// buffers, and the elementwise operations that are fused into it.
struct WindowKernel {
  /// Emits operations for the extents and paddings of `dims` at the insertion
  /// point of `builder`. The elementwise operations of `chains[i]` will compute
  /// elements from output i of `op`. These are stored to `buffers[i]`.
  WindowKernel(OpBuilder &builder, WindowReduceOp op, const Problem &problem,
               Value input, ArrayRef<ElementwiseChain> chains,
               ArrayRef<Value> buffers);

  KernelBuilder b;
  /// The operation, on tensors or buffers. It has the padding, and the weights
  /// from which getPositions() computes.
  WindowReduceOp op;
  const Problem &problem;
  /// The buffer of the input.
  Value input;
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  /// If stores shall be non-temporal, the ElementPlace::streamAlignment of each
  /// output. Otherwise empty.
  SmallVector<int64_t> alignments;
  LaneReduction reduction;
  /// The spatial dimensions.
  SmallVector<LoopDim> dims;

  unsigned getRank() { return problem.dims.size() + 2; }
  /// Returns the extents of the input, as values. getOutputShape() returns
  /// those of the outputs.
  SmallVector<Value> getInputShape() { return b.getExtents(input); }
  SmallVector<Value> getOutputShape() { return b.getExtents(buffers[0]); }
  /// True if the positions of all taps, even in padding, are known to fit 32
  /// bits. A position is what an argmax stores: a weighted sum of coordinates.
  bool hasNarrowPositions();
  /// Returns the type of vectors of positions. Their elements are i32 if
  /// hasNarrowPositions(), else index. Vectors of i32 take half as many
  /// registers, and more processors have an instruction to multiply them.
  VectorType getPositionType();
  /// Returns the first `numDims` extents of the outputs, as bounds of parallel
  /// loops. If a spatial extent of the input or the output is less than 1 at
  /// run time, the first bound is 0, so that loops do not run. Such extents are
  /// rejected only if there are run-time checks.
  SmallVector<Value> getUpper(unsigned numDims);
  /// Returns the positions of `length` elements, as a vector of index. The
  /// first element is at the spatial coordinates `first`. Each further element
  /// is `step` after the one before, in the last spatial dimension.
  Value getPositions(ArrayRef<Value> first, int64_t length, int64_t step);
  /// Returns the positions that `argmax` identifies, as a vector of
  /// getPositionType(). A lane of `argmax` packs the distances of an element
  /// from `starts` in all spatial dimensions: `numBits[d]` bits for dimension
  /// `d`, with the last dimension in the lowest bits. If `mayPrecede(d)`, a
  /// distance may name a tap before the input. Then it stands for the window's
  /// first tap inside the input.
  Value decodeArgmax(Value argmax, ArrayRef<Value> starts,
                     ArrayRef<int64_t> numBits,
                     function_ref<bool(unsigned)> mayPrecede = {});
  /// Converts `lanes` to elements of all outputs, emits the chains on them, and
  /// stores the lanes of `existing`. With an argmax, `lanes.index` must have
  /// positions. Lane i is stored i elements after `coordinates` in the last
  /// dimension.
  void store(const LaneReduction &reduction, Accumulator lanes,
             ArrayRef<Value> coordinates, const LaneRange &existing,
             const ElementFacts &facts = {});
  /// Returns facts about outputs whose windows are inside the input in each
  /// spatial dimension `d` for which `isInside(d)` is true. Without `isInside`,
  /// that is all dimensions.
  ElementFacts getFacts(function_ref<bool(unsigned)> isInside = {});
};

using WindowPlan = Plan<Problem, WindowKernel>;
using WindowStrategy = Strategy<WindowPlan>;

/// For channels-first buffers whose windows are whole planes.
/// (MergedWindows.cpp)
std::shared_ptr<WindowPlan> createGlobalPlan();
/// For planes of channels-first buffers. `planes` is straight-line code.
/// `van-herk` and `buffered-planes` reduce rows by van Herk's blocks, and then
/// columns: in registers, or by passes through buffers.
std::shared_ptr<WindowPlan> createPlanesPlan();
std::shared_ptr<WindowPlan> createVanHerkPlan();
std::shared_ptr<WindowPlan> createBufferedPlanesPlan();
/// For channels-last buffers. The lanes of a vector are the channels of several
/// columns in `few-channels`, and channels of one column in `channels`.
std::shared_ptr<WindowPlan> createFewChannelsPlan();
std::shared_ptr<WindowPlan> createChannelsPlan();
/// For large windows. Reduces one dimension after the other, by van Herk's
/// blocks.
std::shared_ptr<WindowPlan> createStagedPlan();
/// For channels-first buffers. Loads the rows of windows as whole vectors, and
/// merges their lanes at the end. (MergedWindows.cpp)
std::shared_ptr<WindowPlan> createMergedPlan();
/// For any windows, by loops over taps. (TapLoops.cpp)
std::shared_ptr<WindowPlan> createDirectPlan();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
