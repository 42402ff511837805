// Patterns that lower pooling operations to linalg on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
#define POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds all patterns that lower pooling operations on ranked tensors to linalg,
/// through pool.window_reduce. The driver must visit created operations. The
/// semantics are exact, but run-time constraints are not checked.
void populatePoolToLinalgPatterns(RewritePatternSet &patterns);

/// Adds only the second step: pool.window_reduce on tensors to linalg.
void populateWindowReduceToLinalgPatterns(RewritePatternSet &patterns);

/// Adds patterns for adaptive pooling, which needs no window_reduce.
void populateAdaptiveToLinalgPatterns(RewritePatternSet &patterns);

/// Adds patterns for unpooling and gradients, which write or add elements at
/// positions given by an index or a window: scf loops that bufferise in place.
void populateScatterToLinalgPatterns(RewritePatternSet &patterns);
void populateMaxUnpoolToLinalgPatterns(RewritePatternSet &patterns);
void populateGradToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
