// Run-time checks of indices, by vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCHECKS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCHECKS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Has every loop below `root` that is said to look for the largest element of
/// a tensor, as those of run-time checks are, do so by vectors, where the
/// tensor is packed.
void vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                          int64_t vectorBits);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCHECKS_H
