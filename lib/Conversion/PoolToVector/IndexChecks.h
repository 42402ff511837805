// Run-time checks of indices, on vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_INDEXCHECKS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_INDEXCHECKS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Vectorizes the loops below `root` that are marked as a search for the
/// largest element of a packed tensor, as run-time checks are. Other loops
/// stay.
void vectorizeIndexChecks(RewriterBase &rewriter, Operation *root,
                          const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_INDEXCHECKS_H
