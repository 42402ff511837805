// The sizes of what a lowering allocates: the output, and the input with its
// padding. Whether they fit 64 bits decides what is refused, when it is
// verified or when it runs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_BUFFERSIZES_H
#define POOL_DIALECT_POOL_IR_BUFFERSIZES_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// What elements count as, in bytes: the widest accumulator.
constexpr int64_t kElementBytes = 16;

/// An extent with all that windows cover beside it; the largest integer instead
/// of one that leaves int64.
int64_t getCoveredExtent(const ResolvedDim &dim);

/// True if a buffer of these extents, as far as they are known, has a number of
/// bytes that fits int64.
bool hasByteCount(ArrayRef<int64_t> shape);

/// True if such a buffer may have more bytes. Its unknown extents are those
/// that `input` has there, a tensor that exists.
bool mayLackByteCount(ArrayRef<int64_t> shape, RankedTensorType input);

/// True for the input with all that the windows cover, which a lowering may
/// allocate and which is at least as large as the output. The extents that are
/// known have been verified.
bool mayLackByteCount(RankedTensorType input, const WindowAttrs &window);

/// What a lowering allocates for a window that is otherwise right: the bytes of
/// the output, and of the input with all that windows cover, fit int64. An
/// unknown extent counts as the least that the rule accepts.
LogicalResult verifyBufferSizes(ErrorFn emitError, RankedTensorType input,
                                const WindowAttrs &window);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_BUFFERSIZES_H
