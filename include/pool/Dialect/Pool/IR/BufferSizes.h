// Checks the sizes of the buffers that a lowering may allocate: the output, and
// the padded input. The verifier or a run-time check rejects sizes that do not
// fit 64 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_BUFFERSIZES_H
#define POOL_DIALECT_POOL_IR_BUFFERSIZES_H

#include "mlir/IR/Builders.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Number of bytes that the functions below assume for an element of any type.
/// It is the size of the widest accumulator, an i128.
constexpr int64_t kElementBytes = 16;

/// Returns the input extent plus the begin pad plus the number of positions
/// after the input that windows cover. Returns the largest int64 if the sum
/// does not fit.
int64_t getCoveredExtent(const ResolvedDim &dim);

/// True if the size in bytes of a buffer of `shape` fits int64. A dynamic
/// extent counts as 1.
bool hasByteCount(ArrayRef<int64_t> shape);

/// False if a buffer of `shape` certainly has a size in bytes that fits int64;
/// else true. Requires that each dynamic extent in `shape` is an extent of
/// `input`. The product of these extents has a bound, because `input` exists in
/// memory.
bool mayLackByteCount(ArrayRef<int64_t> shape, RankedTensorType input);

/// False if the padded input, including the overhang, certainly has a size in
/// bytes that fits int64; else true. A lowering may allocate that buffer. The
/// output is no larger, so it needs no test of its own. Requires that the known
/// extents have been verified.
bool mayLackByteCount(RankedTensorType input, const WindowAttrs &window);

/// Fails, with an error, if the output or the padded input has more bytes than
/// int64 can count. A dynamic extent counts as the least extent that the window
/// rules accept. Requires that the window and the known extents satisfy these
/// rules.
LogicalResult verifyBufferSizes(ErrorFn emitError, RankedTensorType input,
                                const WindowAttrs &window);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_BUFFERSIZES_H
