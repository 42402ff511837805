// State that all strategies for pool.window_reduce emit with: the operation,
// its buffers, and the elementwise consumers of its results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWKERNEL_H

#include "Reduce/LoopDim.h"
#include "Sink/ElementwiseChain.h"

namespace mlir::pool {

struct WindowKernel {
  /// Builds the extents at the insertion point of `b`. Each output of `op` has
  /// a chain of `chains`, whose result goes to a buffer of `buffers`.
  WindowKernel(OpBuilder &b, WindowReduceOp op, const Problem &problem,
               Value input, ArrayRef<ElementwiseChain> chains,
               ArrayRef<Value> buffers);

  KernelBuilder at;
  /// On tensors or buffers; tells positions and padding.
  WindowReduceOp op;
  const Problem &problem;
  /// The buffer of the input.
  Value input;
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  LaneReduction reduction;
  /// The spatial dimensions.
  SmallVector<LoopDim> dims;

  /// Outputs of a dimension, from `first` on; one if there is no `size`.
  struct Range {
    Value first, size;
  };
  /// Stores these outputs again one by one, as the loops of elements do, if any
  /// lane of `needsRecomputing`, a vector of i1, is set.
  void recompute(Value needsRecomputing, ArrayRef<Range> outputs);

  unsigned getRank() { return problem.dims.size() + 2; }
  /// Extents of the input and of the outputs.
  SmallVector<Value> getInputShape() { return at.getExtents(input); }
  SmallVector<Value> getOutputShape() { return at.getExtents(buffers[0]); }
  /// True if the position of every tap, in the padding too, has 32 bits.
  bool hasNarrowPositions();
  /// Returns the type of vectors of positions: of i32 if all fit, else of
  /// index. Vectors of i32 need half as many registers, and processors can
  /// multiply them.
  VectorType getPositionType();
  /// A parallel loop over all output coordinates but the last one.
  void forEachRow(KernelBuilder::NestBody body);
  /// Returns the positions of `length` lanes, as indices, from the element at
  /// `first` on; the last coordinate differs by `step`.
  Value getPositions(ArrayRef<Value> first, int64_t length, int64_t step);
  /// Stores accumulators of choose() as elements of the outputs: the lanes of
  /// the last dimension from `coordinates` on that exist.
  void store(const LaneReduction &reduction, Accumulator lanes,
             ArrayRef<Value> coordinates, const LaneRange &existing);
  /// Stores an element, or a vector, of each output. If `alignments` is not
  /// empty, it has the ElementPlace::streamAlignment of each.
  void store(ArrayRef<Value> results, ElementPlace place,
             const ElementFacts &facts = {}, ArrayRef<int64_t> alignments = {});
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWKERNEL_H
