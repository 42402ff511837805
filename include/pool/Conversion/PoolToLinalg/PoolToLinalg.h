// Patterns that lower pooling operations to linalg on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
#define POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// One pattern for each operation. They match ranked inputs of any extents; the
/// semantics are exact, what is out of bounds at run time is not checked.
void populatePoolToLinalgPatterns(RewritePatternSet &patterns);
void populateMaxPoolToLinalgPatterns(RewritePatternSet &patterns);
void populateAvgPoolToLinalgPatterns(RewritePatternSet &patterns);
void populateLpPoolToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
