// Patterns that raise TOSA's pooling to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_TOSATOPOOL_TOSATOPOOL_H
#define POOL_CONVERSION_TOSATOPOOL_TOSATOPOOL_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds patterns that raise `tosa.max_pool2d`, `tosa.avg_pool2d` and averages
/// over all spatial positions. Another pattern removes a `tosa.maximum` of -inf
/// and the result of a raised maximum that ignores NaN, because that
/// tosa.maximum has no effect.
void populateTosaToPoolPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_TOSATOPOOL_TOSATOPOOL_H
