// Functions that lower a single operation to loops over vectors. The pass
// --convert-pool-to-vector calls them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_LOWERTOVECTOR_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_LOWERTOVECTOR_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Chooses a plan for `op`, emits remarks about it in the name of `pass`, and
/// replaces `op` by loops over vectors or by other operations of the dialect.
/// Returns false if there is no plan: then `op` stays. Emits an error and fails
/// if the plan that is pinned to `op` does not fit.
FailureOr<bool> lowerByPlan(StringRef pass, RewriterBase &rewriter,
                            Operation *op, const Target &target);

/// Replaces `op` by a loop over vectors. Fails, and changes nothing, in these
/// cases: the operand is known to be empty, has rank 0 or an encoding, or is a
/// slice of a larger tensor, whose rows may not be adjacent in memory.
LogicalResult lowerLargestIndex(RewriterBase &rewriter, LargestIndexOp op,
                                const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_LOWERTOVECTOR_H
