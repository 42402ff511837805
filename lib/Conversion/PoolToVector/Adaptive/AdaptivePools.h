// Lowers adaptive pooling to vector loops. Pooling whose windows all have one
// size becomes an ordinary operation before.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPOOLS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPOOLS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// See planPool().
FailureOr<PlanAttr> planAdaptivePool(StringRef pass, AdaptiveOpInterface op,
                                     const Target &target);

/// Replaces `op`, of any types that it may have, by loops over vectors, unless
/// it has no plan. Fails where its own plan does not fit.
LogicalResult lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                AdaptiveOpInterface op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPOOLS_H
