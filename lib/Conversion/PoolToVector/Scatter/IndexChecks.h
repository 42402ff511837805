// Run-time checks of indices, by vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCHECKS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCHECKS_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// The assertion before `op`, in its block, that each of `indices` is below
/// `bound`, by a loop that is said to look for the largest, and whose result
/// nothing else reads. Null if there is none.
cf::AssertOp findIndexCheck(Operation *op, Value indices, int64_t bound);
/// Erases what findIndexCheck() has found, with its loop.
void eraseIndexCheck(RewriterBase &rewriter, cf::AssertOp check);

/// Has every loop below `root` that is said to look for the largest element of
/// a tensor, as those of run-time checks are, do so by vectors, where the
/// tensor is packed.
void vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                          int64_t vectorBits);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCHECKS_H
