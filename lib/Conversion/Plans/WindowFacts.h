// What is known of a window reduction before it is lowered: of one that is in
// IR, or of one that an operation will be decomposed to. Nothing is built to
// find out. Plans for CPUs and for GPUs are made of these facts.
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
  /// Whether consecutive elements of the last dimension, or all elements in
  /// row-major order, are consecutive in memory. True for tensors.
  bool hasContiguousLanes = true, isPacked = true;
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
