// Collects facts about a pool.window_reduce, or about the pool.window_reduce
// that an operation will be decomposed to. Plans for CPUs and for GPUs are
// chosen by these facts. Collecting them creates no operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
#define POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Facts about the input or a result, a tensor or a buffer.
struct BufferFacts {
  /// The element type as stored.
  Type element;
  /// The extents. An unknown extent is std::nullopt.
  SmallVector<std::optional<int64_t>> shape;
  /// True if the last dimension has stride 1. Always true for tensors.
  bool hasContiguousLanes = true;
  /// True if all elements are consecutive in row-major order. Also true for
  /// every tensor, although the buffer of a slice may get gaps between rows.
  bool isPacked = true;
};

struct WindowFacts {
  explicit WindowFacts(WindowReduceOp op);
  /// Collects the facts about the pool.window_reduce that `op` will be
  /// decomposed to. Requires a ranked input.
  explicit WindowFacts(WindowOpInterface op);

  /// True if the reduction is a sum of floats, and the order in which they are
  /// added may depend on the kernel only; see `pool.uniform_sums`.
  bool isUniform() const;

  Operation *op;
  WindowAttrs window;
  ElementReduction elements;
  Value input;
  bool onTensors = true;
  /// Bounds of the padding of each spatial dimension.
  SmallVector<PadBounds> pads;
  /// Facts about the input, followed by those about each result.
  SmallVector<BufferFacts> buffers;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
