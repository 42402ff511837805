// Connects kernels, which read and write buffers, with tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_BUFFERS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_BUFFERS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Returns a read-only buffer with the contents of `tensor`.
Value getBuffer(RewriterBase &rewriter, Location loc, Value tensor);

/// Allocates a buffer of `shape`, calls `fill` to write it, and returns its
/// contents as a tensor. If `shape` is known to be empty, there is no buffer.
Value writeToBuffer(RewriterBase &rewriter, Location loc,
                    ArrayRef<OpFoldResult> shape, Type elementType,
                    function_ref<void(Value target)> fill);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_BUFFERS_H
