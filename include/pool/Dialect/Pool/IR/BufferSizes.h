// Sizes of the buffers that a lowering allocates: the output, and the padded
// input. A size that does not fit 64 bits is rejected by the verifier or at run
// time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_BUFFERSIZES_H
#define POOL_DIALECT_POOL_IR_BUFFERSIZES_H

#include "mlir/IR/Builders.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Bytes that the functions below assume for an element of any type: the size
/// of the widest accumulator, an i128.
constexpr int64_t kElementBytes = 16;

/// Returns the input extent plus the begin pad and the positions past the input
/// that windows cover, or the largest int64 if the sum does not fit.
int64_t getCoveredExtent(const ResolvedDim &dim);

/// True if the size in bytes of a buffer of `shape` fits int64. Dynamic extents
/// are left out.
bool hasByteCount(ArrayRef<int64_t> shape);

/// True if the size in bytes of a buffer of `shape` may not fit int64. Requires
/// that each dynamic extent in `shape` is an extent of `input`: their product
/// is bounded, because `input` exists in memory.
bool mayLackByteCount(ArrayRef<int64_t> shape, RankedTensorType input);

/// True if the size in bytes of the padded input, including the overhang, may
/// not fit int64. A lowering may allocate that buffer. The output is no larger,
/// so it needs no test of its own. Requires that the known extents have been
/// verified.
bool mayLackByteCount(RankedTensorType input, const WindowAttrs &window);

/// Reports an output, or a padded input, whose size in bytes does not fit
/// int64. Requires an otherwise valid window. A dynamic extent counts as the
/// least extent that the window rules accept.
LogicalResult verifyBufferSizes(ErrorFn emitError, RankedTensorType input,
                                const WindowAttrs &window);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_BUFFERSIZES_H
