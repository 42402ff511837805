// What all kernels of pool.window_reduce are given: the operation, its buffers,
// and what is computed of its results before they are stored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_WINDOWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_WINDOWKERNEL_H

#include "ElementwiseChain.h"
#include "LaneReduction.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

struct WindowKernel {
  /// Where to build.
  RewriterBase &b;
  /// On tensors or buffers; tells reduction, windows and modes.
  WindowReduceOp op;
  /// The buffer of the input.
  Value input;
  /// One for each output of the operation, and the buffer of what it gives.
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  LaneReduction reduction;

  Location getLoc() { return op.getLoc(); }
  unsigned getRank() { return op.getWindow().getRank(); }
  /// Extents of the input and of the outputs.
  SmallVector<OpFoldResult> getInputShape();
  SmallVector<OpFoldResult> getOutputShape();
  /// The spatial dimensions; extents of the output and roundings are not set.
  SmallVector<SymbolicDim> getDims();
  /// Whether consecutive elements of each buffer's last dimension are
  /// consecutive in memory.
  bool hasContiguousLanes() const;
  /// True if all elements of each buffer are, in row-major order, and there may
  /// be some: dimensions of such buffers can be collapsed.
  bool isPacked() const;
  /// LaneReduction::load().
  Value load(Value buffer, ValueRange indices, Value mask) {
    return reduction.load(b, op.getLoc(), buffer, indices, mask);
  }
};

/// A buffer of the contents of `tensor`, which is only read.
Value getBuffer(RewriterBase &rewriter, Location loc, Value tensor);

/// True if every window of a dimension of WindowKernel::getDims() has a
/// position inside the input, as far as is known.
bool hasNoEmptyWindow(const SymbolicDim &dim);

/// Kernels; each builds its loops, or returns failure, before anything is
/// built, where it is not for the problem.
LogicalResult createPlaneLoops(WindowKernel &kernel);
LogicalResult createChannelLoops(WindowKernel &kernel);
/// For any windows; shares nothing between them.
LogicalResult createTapLoops(WindowKernel &kernel);

/// About how many operations on vectors a column of output takes where channels
/// are so few that a vector is several columns; none where they are not, or the
/// kernel is not for the problem.
std::optional<double> getFewChannelsCost(WindowKernel &kernel);
/// The kernel for them.
void createFewChannels(WindowKernel &kernel);

/// Whether windows are whole planes: null if they are, failure if they are not
/// or that is not worth a test at run time.
FailureOr<Value> getIsWholePlane(WindowKernel &kernel);
/// The kernel where they are.
void createWholePlanes(WindowKernel &kernel);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_WINDOWKERNEL_H
