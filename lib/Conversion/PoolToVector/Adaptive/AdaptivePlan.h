// Plans for adaptive pooling: what is known of an operation, and the
// strategies.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H

#include "Schedule/Choice.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Returns the reduction of `op`, and extents instead of windows. Fails, with
/// the reason, if no strategy fits.
FailureOr<Problem> getAdaptiveProblem(AdaptiveOpInterface op,
                                      const Target &target,
                                      std::string &reason);

using AdaptiveStrategy = Strategy<Problem, class AdaptiveLoops>;
ArrayRef<AdaptiveStrategy> getAdaptiveStrategies();

/// Replaces `op`, of any types that it may have, by loops over vectors, unless
/// it has no plan. Fails where its own plan does not fit.
LogicalResult lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                AdaptiveOpInterface op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
