// Sums of integers that take 128 bits, as two vectors of halves: LLVM takes
// vectors of 128-bit integers apart into scalars.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_WIDESUMS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_WIDESUMS_H

#include "Emit/LaneReduction.h"

namespace mlir::pool {

/// Integers of 64 bits as sums: `value` is the lower half, `index` the upper.
Accumulator getWideSum(OpBuilder &b, Location loc, Value integers,
                       bool isUnsigned);
Accumulator addWideSums(OpBuilder &b, Location loc, Accumulator lhs,
                        Accumulator rhs);
/// As integers of 128 bits.
Value joinWideSum(OpBuilder &b, Location loc, Accumulator sum);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_WIDESUMS_H
