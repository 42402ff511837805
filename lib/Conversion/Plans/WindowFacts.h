// Facts about a window reduction in IR, or about the one that an operation will
// be decomposed to. Collecting them builds nothing. Plans for CPUs and for GPUs
// are chosen by these facts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
#define POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Facts about the input or a result.
struct BufferFacts {
  /// The element type as stored.
  Type element;
  /// Extents, where known.
  SmallVector<std::optional<int64_t>> shape;
  /// True if the last dimension has stride 1. This and `isPacked` are true for
  /// tensors, even for slices.
  bool hasContiguousLanes = true;
  /// True if all elements are consecutive in row-major order.
  bool isPacked = true;
};

struct WindowFacts {
  explicit WindowFacts(WindowReduceOp op);
  /// The input must be ranked.
  explicit WindowFacts(WindowOpInterface op);

  /// True if floats are added, and the order of additions may depend on nothing
  /// but the kernel; see `pool.uniform_sums`.
  bool isUniform() const;

  Operation *op;
  WindowAttrs window;
  ElementReduction elements;
  Value input;
  bool onTensors = true;
  /// The pads of each spatial dimension.
  SmallVector<PadBounds> pads;
  /// The input, and the results.
  SmallVector<BufferFacts> buffers;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_PLANS_WINDOWFACTS_H
