// Facts about a pool.window_reduce, or about the one that an operation will be
// decomposed to. Collecting them creates no operations. By these facts, plans
// for CPUs and for GPUs are chosen.
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
  /// True if the last dimension has stride 1. It is true for all tensors, even
  /// for slices, whose buffers may have gaps between rows.
  bool hasContiguousLanes = true;
  /// True if all elements are consecutive in row-major order. It is true for
  /// all tensors, even for slices.
  bool isPacked = true;
};

struct WindowFacts {
  explicit WindowFacts(WindowReduceOp op);
  /// The input must be ranked.
  explicit WindowFacts(WindowOpInterface op);

  /// True if the reduction is a sum of floats, and the order in which they are
  /// added may depend on the kernel only; see `pool.uniform_sums`.
  bool isUniform() const;

  Operation *op;
  WindowAttrs window;
  ElementReduction elements;
  Value input;
  bool onTensors = true;
  /// What is known about the padding of each spatial dimension.
  SmallVector<PadBounds> pads;
  /// Facts about the input, followed by those about each result.
  SmallVector<BufferFacts> buffers;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
