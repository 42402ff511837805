// The strategies for pool.window_reduce, and the state that they emit with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H

#include "Fusion/ElementwiseChain.h"
#include "Plans/Plan.h"
#include "Reduce/LoopDim.h"

namespace mlir::pool {

/// The operation, its buffers, and the elementwise consumers of its results.
struct WindowKernel {
  /// Builds the extents at the insertion point of `b`. Each output of `op` has
  /// a chain of `chains`, whose result goes to a buffer of `buffers`.
  WindowKernel(OpBuilder &builder, WindowReduceOp op, const Problem &problem,
               Value input, ArrayRef<ElementwiseChain> chains,
               ArrayRef<Value> buffers);

  KernelBuilder b;
  /// On tensors or buffers; tells positions and padding.
  WindowReduceOp op;
  const Problem &problem;
  /// The buffer of the input.
  Value input;
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  /// ElementPlace::streamAlignment of each output, as long as stores are
  /// non-temporal; else empty.
  SmallVector<int64_t> alignments;
  LaneReduction reduction;
  /// The spatial dimensions.
  SmallVector<LoopDim> dims;

  unsigned getRank() { return problem.dims.size() + 2; }
  /// Extents of the input and of the outputs.
  SmallVector<Value> getInputShape() { return b.getExtents(input); }
  SmallVector<Value> getOutputShape() { return b.getExtents(buffers[0]); }
  /// True if the position of every tap, in the padding too, has 32 bits.
  bool hasNarrowPositions();
  /// Returns the type of vectors of positions: of i32 if all fit, else of
  /// index. Vectors of i32 need half as many registers, and processors can
  /// multiply them.
  VectorType getPositionType();
  /// Returns the first `numDims` extents of the outputs, as bounds of parallel
  /// loops. These have no iterations if the input or the output is empty, which
  /// only run time checks refuse.
  SmallVector<Value> getUpper(unsigned numDims);
  /// Returns the positions of `length` lanes, as indices, from the element at
  /// `first` on; the last coordinate differs by `step`.
  Value getPositions(ArrayRef<Value> first, int64_t length, int64_t step);
  /// Returns the positions that an argmax names. It has `numBits` for
  /// the distance from `starts` in each dimension, the last one in the lowest
  /// bits. In dimensions where it `mayPrecede` the input, padding stands for
  /// the window's first position inside.
  Value decodeArgmax(Value argmax, ArrayRef<Value> starts,
                     ArrayRef<int64_t> numBits,
                     function_ref<bool(unsigned)> mayPrecede = {});
  /// Stores accumulators of choose() as elements of the outputs: the lanes of
  /// the last dimension from `coordinates` on that exist.
  void store(const LaneReduction &reduction, Accumulator lanes,
             ArrayRef<Value> coordinates, const LaneRange &existing,
             const ElementFacts &facts = {});
  /// Returns facts about outputs whose windows are inside the input in the
  /// spatial dimensions that `isInside` names; in all without it.
  ElementFacts getFacts(function_ref<bool(unsigned)> isInside = {});
};

using WindowPlan = Plan<Problem, WindowKernel>;
using WindowStrategy = Strategy<WindowPlan>;

/// Windows that are whole planes of channels-first buffers.
std::shared_ptr<WindowPlan> createGlobalPlan();
/// Planes of channels-first buffers: straight code, and stages with columns in
/// registers or by passes.
std::shared_ptr<WindowPlan> createPlanesPlan();
std::shared_ptr<WindowPlan> createVanHerkPlan();
std::shared_ptr<WindowPlan> createBufferedPlanesPlan();
/// Channels-last buffers: lanes are channels, of several columns or of one.
std::shared_ptr<WindowPlan> createFewChannelsPlan();
std::shared_ptr<WindowPlan> createChannelsPlan();
/// Large windows, one dimension after the other.
std::shared_ptr<WindowPlan> createStagedPlan();
/// Channels-first buffers: the lanes of windows, merged after their rows.
std::shared_ptr<WindowPlan> createMergedPlan();
/// Any windows, by loops over taps.
std::shared_ptr<WindowPlan> createDirectPlan();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
