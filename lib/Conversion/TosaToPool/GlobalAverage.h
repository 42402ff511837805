// The average over all spatial positions, which TOSA spells as sums along each
// of them and a multiplication.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_TOSATOPOOL_GLOBALAVERAGE_H
#define POOL_LIB_CONVERSION_TOSATOPOOL_GLOBALAVERAGE_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// The pass that remarks name.
inline constexpr llvm::StringLiteral kTosaToPoolName = "convert-tosa-to-pool";

/// Patterns for `tosa.mul` of a chain of `tosa.reduce_sum` by a reciprocal
/// number of elements: one average where the reciprocal is exact, else the sum
/// alone.
void populateGlobalAveragePatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_TOSATOPOOL_GLOBALAVERAGE_H
