// Patterns that raise linalg on tensors to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
#define POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Patterns for window maxima and sums, and for the division of a sum. Each
/// replaces one operation; its padding, fill and, for an average, its sum are
/// left for dead code elimination.
void populateLinalgToPoolPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
