// Patterns that raise TOSA's pooling to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_TOSATOPOOL_TOSATOPOOL_H
#define POOL_CONVERSION_TOSATOPOOL_TOSATOPOOL_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Patterns for `tosa.max_pool2d`, `tosa.avg_pool2d` and the average of all
/// spatial positions. `roundNegativeTiesUp` lets an integer average round an
/// exact negative half up, which TOSA rounds down.
void populateTosaToPoolPatterns(RewritePatternSet &patterns,
                                bool roundNegativeTiesUp = false);

} // namespace mlir::pool

#endif // POOL_CONVERSION_TOSATOPOOL_TOSATOPOOL_H
