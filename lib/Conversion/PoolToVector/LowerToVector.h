// Lowers one operation for a pass, with its remarks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_LOWERTOVECTOR_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_LOWERTOVECTOR_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Plans `op`, reports the plan by remarks of `pass`, and replaces `op` by
/// loops over vectors or by other operations of the dialect. Returns false if
/// there is no plan. Fails, with an error, where its own plan does not fit.
FailureOr<bool> lowerByPlan(StringRef pass, RewriterBase &rewriter,
                            Operation *op, const Target &target);

/// Replaces `op` by a loop over vectors. Fails and changes nothing if the
/// operand has rank 0 or an encoding, is known to be empty, or is a slice,
/// whose rows may lie apart.
LogicalResult lowerLargestIndex(RewriterBase &rewriter, LargestIndexOp op,
                                const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_LOWERTOVECTOR_H
