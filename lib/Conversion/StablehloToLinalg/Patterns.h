// What the conversion of StableHLO to linalg is made of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
#define POOL_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Replaces an elementwise operation of StableHLO by a linalg.generic; fails,
/// with a `reason`, and changes nothing where there is none for it.
LogicalResult lowerElementwise(Operation *op, RewriterBase &rewriter,
                               std::string &reason);

/// The same for operations that move elements, and those that JAX computes
/// unknown extents with.
LogicalResult lowerMovement(Operation *op, RewriterBase &rewriter,
                            std::string &reason);

/// The predicate of a `stablehlo.compare` of integers; none if its direction is
/// malformed.
std::optional<arith::CmpIPredicate> getIntegerPredicate(Operation *compare,
                                                        bool isUnsigned);

/// True for the names that lowerMovement knows.
bool isMovement(StringRef name);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
