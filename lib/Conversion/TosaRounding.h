// Tells when TOSA's integer average equals pool.avg_pool's rounded quotient.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_TOSAROUNDING_H
#define POOL_LIB_CONVERSION_TOSAROUNDING_H

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// Classifies the quotients of an integer average by how TOSA rounds them. TOSA
/// multiplies the sum by a reciprocal of 31 bits that is too large by a factor
/// of at most 1 + 2^-30. If the sum is below 2^29 in magnitude, the result is
/// the nearest integer, and a half is rounded away from zero.
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

/// Classifies the quotients of an average over windows of `input`: sums of `x -
/// inputZp`, divided by the number of elements of the window that are inside
/// the input. Elements are signless or signed integers.
TosaQuotients classifyTosaQuotients(RankedTensorType input,
                                    const WindowAttrs &window, int64_t inputZp);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_TOSAROUNDING_H
