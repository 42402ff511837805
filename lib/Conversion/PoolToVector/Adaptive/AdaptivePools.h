// The vector way of adaptive pooling whose windows are not those of an ordinary
// operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPOOLS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPOOLS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Replaces `op`, of any types that it may have, by loops over vectors.
void lowerAdaptiveAvgPool(RewriterBase &rewriter, AdaptiveAvgPoolOp op,
                          int64_t vectorBits);
void lowerAdaptiveMaxPool(RewriterBase &rewriter, AdaptiveMaxPoolOp op,
                          int64_t vectorBits);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPOOLS_H
