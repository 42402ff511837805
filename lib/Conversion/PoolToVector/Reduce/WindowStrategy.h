// The strategies for pool.window_reduce, and the state that they emit code
// with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H

#include "Fusion/ElementwiseChain.h"
#include "Plans/Plan.h"
#include "Reduce/LoopDim.h"

namespace mlir::pool {

/// The state that code is emitted with: the operation, its buffers, and the
/// elementwise operations that are fused into it.
struct WindowKernel {
  /// Emits the extents at the insertion point of `builder`. Output i of `op`
  /// goes through the elementwise operations of `chains[i]`, whose result is
  /// stored to `buffers[i]`.
  WindowKernel(OpBuilder &builder, WindowReduceOp op, const Problem &problem,
               Value input, ArrayRef<ElementwiseChain> chains,
               ArrayRef<Value> buffers);

  KernelBuilder b;
  /// The operation, on tensors or buffers. It has the padding, and the weights
  /// of positions.
  WindowReduceOp op;
  const Problem &problem;
  /// The buffer of the input.
  Value input;
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  /// If stores are to be non-temporal, ElementPlace::streamAlignment of each
  /// output. Otherwise empty.
  SmallVector<int64_t> alignments;
  LaneReduction reduction;
  /// The spatial dimensions.
  SmallVector<LoopDim> dims;

  unsigned getRank() { return problem.dims.size() + 2; }
  /// Emits and returns the extents of the input. getOutputShape() does so for
  /// the outputs.
  SmallVector<Value> getInputShape() { return b.getExtents(input); }
  SmallVector<Value> getOutputShape() { return b.getExtents(buffers[0]); }
  /// True if the positions of all taps, even in padding, are known to fit 32
  /// bits. A position is what an argmax stores: a weighted sum of coordinates.
  bool hasNarrowPositions();
  /// Returns the type of vectors of positions: of i32 if hasNarrowPositions(),
  /// else of index. Vectors of i32 need half as many registers, and processors
  /// can multiply them.
  VectorType getPositionType();
  /// Returns the first `numDims` extents of the outputs, as bounds of parallel
  /// loops. If a spatial extent of the input or the output turns out to be less
  /// than 1, the first bound is 0, so that nothing runs. Only run-time checks
  /// would reject such extents.
  SmallVector<Value> getUpper(unsigned numDims);
  /// Returns the positions of `length` elements, as a vector of index. The
  /// first element is at the spatial coordinates `first`. Each next one is
  /// `step` further in the last dimension.
  Value getPositions(ArrayRef<Value> first, int64_t length, int64_t step);
  /// Returns the positions that `argmax` identifies, as a vector of
  /// getPositionType(). It packs the distances from `starts`: `numBits[d]` bits
  /// for dimension `d`, with the last dimension in the lowest bits. If
  /// `mayPrecede(d)`, a distance may be that of a tap before the input. Then
  /// the window's first tap inside the input is meant.
  Value decodeArgmax(Value argmax, ArrayRef<Value> starts,
                     ArrayRef<int64_t> numBits,
                     function_ref<bool(unsigned)> mayPrecede = {});
  /// Converts accumulators of choose() to elements of all outputs, and stores
  /// the lanes of `existing`. Lane 0 is at `coordinates`; lanes are consecutive
  /// in the last dimension.
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

/// Channels-first buffers whose windows are whole planes. (MergedWindows.cpp)
std::shared_ptr<WindowPlan> createGlobalPlan();
/// Planes of channels-first buffers: by straight-line code, by van Herk's
/// blocks with columns in registers, and by these blocks with columns in passes
/// through buffers.
std::shared_ptr<WindowPlan> createPlanesPlan();
std::shared_ptr<WindowPlan> createVanHerkPlan();
std::shared_ptr<WindowPlan> createBufferedPlanesPlan();
/// Channels-last buffers. Lanes are channels of several columns, if there are
/// few channels, or channels of one column.
std::shared_ptr<WindowPlan> createFewChannelsPlan();
std::shared_ptr<WindowPlan> createChannelsPlan();
/// Large windows, one dimension after the other, by van Herk's blocks.
std::shared_ptr<WindowPlan> createStagedPlan();
/// Channels-first buffers: loads the rows of windows as whole vectors, and
/// merges their lanes last. (MergedWindows.cpp)
std::shared_ptr<WindowPlan> createMergedPlan();
/// Any windows, by loops over taps. (TapLoops.cpp)
std::shared_ptr<WindowPlan> createDirectPlan();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
