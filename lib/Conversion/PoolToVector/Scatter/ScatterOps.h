// The vector way of what linalg has serial loops for: unpooling and the
// gradients, which write where an index or a window says.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTEROPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTEROPS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// A tensor of what `fill` writes into a buffer of `shape`; of no buffer where
/// that is known to be empty.
Value writeToBuffer(RewriterBase &rewriter, Location loc,
                    ArrayRef<OpFoldResult> shape, Type elementType,
                    function_ref<void(Value target)> fill);

/// Replaces `op` by sums over what each input element gathers of its gradient's
/// quotients: window reductions, to be lowered, or loops. Failure, and nothing
/// built, where computing with dilations modulo strides leaves 64 bits.
LogicalResult gatherAvgPoolGrad(RewriterBase &rewriter, AvgPoolGradOp op,
                                int64_t vectorBits);

/// Replaces `op` by loops over any windows. Failure, and nothing built, where
/// it is no sum of floats of one type, on tensors, whose windows move by single
/// elements.
LogicalResult gatherSums(RewriterBase &rewriter, WindowReduceOp op,
                         int64_t vectorBits);

/// Replaces `op` by loops over vectors and elements of buffers. Failure, and
/// nothing built, where elements have no vectors in memory.
LogicalResult scatterMaxUnpool(RewriterBase &rewriter, MaxUnpoolOp op,
                               int64_t vectorBits);
/// The same of an operation with indices.
void scatterExtremumGrad(RewriterBase &rewriter, ExtremumGradOpInterface op,
                         int64_t vectorBits);

/// Has every loop below `root` that is said to look for the largest element of
/// a tensor, as those of run-time checks are, do so by vectors, where the
/// tensor is packed.
void vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                          int64_t vectorBits);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTEROPS_H
