// Patterns that lower pooling operations to linalg on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
#define POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds all patterns that lower pooling operations on ranked tensors. Some
/// operations become linalg in two steps, with a pool.window_reduce between. So
/// the driver must also visit operations that a pattern creates. Constraints on
/// dynamic extents are not checked at run time.
void populatePoolToLinalgPatterns(RewritePatternSet &patterns);

/// Adds the pattern that lowers pool.window_reduce on tensors to linalg.
void populateWindowReduceToLinalgPatterns(RewritePatternSet &patterns);

/// Adds patterns that lower adaptive pooling directly, without a
/// pool.window_reduce.
void populateAdaptiveToLinalgPatterns(RewritePatternSet &patterns);

/// Adds the patterns of the three functions below. They create scf loops that
/// write or add elements at positions, which come from an index or a window.
/// Bufferisation makes the writes in place. Loops over independent slices are
/// scf.forall. For an average's gradient with channels last, the loop over
/// channels is an scf.forall only if `parallelChannels` is true.
void populateScatterToLinalgPatterns(RewritePatternSet &patterns,
                                     bool parallelChannels = false);
/// Adds the pattern for max_unpool.
void populateMaxUnpoolToLinalgPatterns(RewritePatternSet &patterns);
/// Adds the patterns for the gradients.
void populateGradToLinalgPatterns(RewritePatternSet &patterns,
                                  bool parallelChannels = false);
/// Adds the pattern for largest_index, which the run-time checks of max_unpool
/// and of gradients with indices create.
void populateLargestIndexToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
