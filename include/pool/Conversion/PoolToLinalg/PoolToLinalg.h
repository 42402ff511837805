// Patterns that lower pooling operations to linalg on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
#define POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// All patterns that lead from pooling operations on ranked tensors to linalg,
/// through pool.window_reduce: for a driver that visits what it creates. The
/// semantics are exact; what is out of bounds at run time is not checked.
void populatePoolToLinalgPatterns(RewritePatternSet &patterns);

/// The second step alone: pool.window_reduce on tensors to linalg.
void populateWindowReduceToLinalgPatterns(RewritePatternSet &patterns);

/// Patterns for adaptive pooling, which needs no window_reduce.
void populateAdaptiveToLinalgPatterns(RewritePatternSet &patterns);

/// Patterns for unpooling and gradients, which write or add elements where an
/// index or a window says: loops of scf that bufferise in place.
void populateScatterToLinalgPatterns(RewritePatternSet &patterns);
void populateMaxUnpoolToLinalgPatterns(RewritePatternSet &patterns);
void populateGradToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
