// Collects what is known at compile time about a window reduction: element
// types, extents, pads and memory layout. The reduction is a
// pool.window_reduce, or the one that a pooling operation will be decomposed
// to. No IR is created. Plans for CPUs and for GPUs are chosen by these facts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
#define POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Facts about the input or a result.
struct BufferFacts {
  /// The type of an element in memory.
  Type element;
  /// The extent of each dimension; none if it is unknown.
  SmallVector<std::optional<int64_t>> shape;
  /// True if the last dimension of a buffer has stride 1. For tensors, this and
  /// `isPacked` are always true, even if bufferization makes a view of them.
  bool hasContiguousLanes = true;
  /// True if all elements are consecutive in row-major order.
  bool isPacked = true;
};

struct WindowFacts {
  explicit WindowFacts(WindowReduceOp op);
  /// Describes the window_reduce that `op` will be decomposed to. The input
  /// must be ranked.
  explicit WindowFacts(WindowOpInterface op);

  /// True if the reduction sums floats and has `pool.uniform_sums`. Then only
  /// the kernel may decide the order of the additions, not the position of the
  /// window.
  bool isUniform() const;

  Operation *op;
  WindowAttrs window;
  ElementReduction elements;
  Value input;
  bool onTensors = true;
  /// The padding and overhang that windows cover, for each spatial dimension.
  SmallVector<PadBounds> pads;
  /// The first entry describes the input. The others describe the results:
  /// values and, if there are any, positions.
  SmallVector<BufferFacts> buffers;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
