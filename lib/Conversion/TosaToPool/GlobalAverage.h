// Raises averages over all spatial positions, which TOSA expresses as a sum
// along each spatial dimension and a multiplication.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_TOSATOPOOL_GLOBALAVERAGE_H
#define POOL_LIB_CONVERSION_TOSATOPOOL_GLOBALAVERAGE_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Name of the pass, for its remarks.
inline constexpr llvm::StringLiteral kTosaToPoolName = "convert-tosa-to-pool";

/// Returns the float that every element of `value` equals, or nothing if
/// `value` is no such constant.
std::optional<APFloat> getSplatFloat(Value value);

/// Adds patterns for a chain of `tosa.reduce_sum` whose result a `tosa.mul`
/// multiplies by the reciprocal of the number of elements. They raise an
/// average if the reciprocal is exact, else only the sum.
void populateGlobalAveragePatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_TOSATOPOOL_GLOBALAVERAGE_H
