// Patterns that raise linalg on tensors to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
#define POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds patterns for window maxima and sums, and for the division of a sum.
/// Each pattern replaces one operation. Its padding, its fill and, for an
/// average, its sum become dead and are not erased.
void populateLinalgToPoolPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
