// Patterns that raise linalg on tensors to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
#define POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds patterns that raise window extrema, window sums, and averages (a sum
/// and its division). A pattern erases only the operation that it matches.
/// Other operations that the pooling makes unnecessary, such as a tensor.pad, a
/// fill or a sum, stay and may be dead.
void populateLinalgToPoolPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_LINALGTOPOOL_LINALGTOPOOL_H
