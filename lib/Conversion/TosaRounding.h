// Tells when TOSA's integer average equals pool.avg_pool's rounded quotient.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_TOSAROUNDING_H
#define POOL_LIB_CONVERSION_TOSAROUNDING_H

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// Classifies the quotients of an integer average by how TOSA rounds them. TOSA
/// multiplies the sum by a reciprocal of 31 bits, which its reciprocal_scale
/// makes too large by up to a factor of 1 + 2^-30. For sums below 2^29 in
/// magnitude the result is the nearest integer, halves away from zero.
enum class TosaQuotients {
  /// No quotient is a half: every rounding to nearest agrees.
  NoHalves,
  /// No quotient is a negative half: rounding halves up agrees.
  NoNegativeHalves,
  /// A quotient may be a negative half.
  AnyHalves,
  /// Sums may be too large for the reciprocal's precision.
  Imprecise,
};

/// Classifies the quotients of sums of `x - inputZp` over windows of `input` by
/// the number of elements inside the input. The element type is signless or
/// signed.
TosaQuotients classifyTosaQuotients(RankedTensorType input,
                                    const WindowAttrs &window, int64_t inputZp);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_TOSAROUNDING_H
