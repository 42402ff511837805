// Sizes of the buffers that a lowering allocates: the output, and the padded
// input. A size that does not fit 64 bits is rejected by the verifier or at run
// time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_BUFFERSIZES_H
#define POOL_DIALECT_POOL_IR_BUFFERSIZES_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Bytes that an element counts as: the size of the widest accumulator.
constexpr int64_t kElementBytes = 16;

/// Returns the input extent plus the padding and overhang that windows cover,
/// or the largest int64 if the sum does not fit.
int64_t getCoveredExtent(const ResolvedDim &dim);

/// True if the size in bytes of a buffer of `shape` fits int64. Dynamic extents
/// are left out.
bool hasByteCount(ArrayRef<int64_t> shape);

/// True if the size in bytes of a buffer of `shape` may not fit int64. The
/// dynamic extents are extents of `input`, a tensor that exists, so the address
/// space bounds them.
bool mayLackByteCount(ArrayRef<int64_t> shape, RankedTensorType input);

/// True if the size of the padded input, with all that the windows cover, may
/// not fit int64. A lowering may allocate it, and it is at least as large as
/// the output. Requires that the known extents have been verified.
bool mayLackByteCount(RankedTensorType input, const WindowAttrs &window);

/// Reports an output, or a padded input, whose size in bytes does not fit
/// int64. Requires an otherwise valid window. A dynamic extent counts as the
/// least extent that the window rules accept.
LogicalResult verifyBufferSizes(ErrorFn emitError, RankedTensorType input,
                                const WindowAttrs &window);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_BUFFERSIZES_H
