// Finds out for which integer averages TOSA's division gives the same result as
// the exact, rounded division of pool.avg_pool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_TOSAROUNDING_H
#define POOL_LIB_CONVERSION_TOSAROUNDING_H

#include "mlir/IR/BuiltinTypes.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// Classes of integer averages, by how TOSA rounds their quotients. TOSA
/// multiplies the sum by a reciprocal of 31 bits, which is too large by a
/// factor of at most 1 + 2^-30. If the sum is below 2^29 in magnitude, TOSA
/// returns the nearest integer. A quotient halfway between two integers (a
/// half, such as -2.5) is rounded away from zero.
enum class TosaQuotients {
  /// No quotient is a half, so TOSA agrees with every rounding to nearest.
  NoHalves,
  /// No quotient is a negative half, so TOSA agrees with HalfAway and HalfUp.
  NoNegativeHalves,
  /// A quotient may be a negative half, so TOSA agrees with HalfAway only.
  AnyHalves,
  /// Sums may be 2^29 or more in magnitude, or elements have more than 16 bits.
  /// TOSA's result may not be the nearest integer.
  Imprecise,
};

/// Classifies an average over windows of `input`. A quotient is the sum of `x -
/// inputZp` over the elements x of a window, divided by the number of the
/// window's elements inside the input. Elements must be signless or signed
/// integers. In a dimension of unknown extent, padding and overhang are assumed
/// to have any size that the modes allow.
TosaQuotients classifyTosaQuotients(RankedTensorType input,
                                    const WindowAttrs &window, int64_t inputZp);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_TOSAROUNDING_H
