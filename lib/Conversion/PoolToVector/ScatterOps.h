// The vector way of what linalg has serial loops for: unpooling and the
// gradients, which write where an index or a window says.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTEROPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTEROPS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Replaces `op` by a sum over windows of its gradient's quotients, where
/// windows move by single elements: what each input element gathers. Failure,
/// and nothing built, where they do not.
LogicalResult gatherAvgPoolGrad(RewriterBase &rewriter, AvgPoolGradOp op);

/// Replaces `op` by loops over vectors and elements of buffers. Failure, and
/// nothing built, where elements have no vectors in memory.
LogicalResult scatterMaxUnpool(RewriterBase &rewriter, MaxUnpoolOp op,
                               int64_t vectorBits);
/// The same of an operation with indices.
void scatterMaxPoolGrad(RewriterBase &rewriter, MaxPoolGradOp op,
                        int64_t vectorBits);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTEROPS_H
