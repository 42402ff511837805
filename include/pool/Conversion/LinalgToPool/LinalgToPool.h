// Patterns that raise linalg on tensors to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
#define POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds patterns that raise extrema and sums of windows, and averages (a sum
/// and its division). Each pattern replaces one operation and erases no other
/// one, so a padding, a fill or a sum that it has absorbed may be left dead.
void populateLinalgToPoolPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
