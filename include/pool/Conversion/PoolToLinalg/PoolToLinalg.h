// Patterns that lower pooling operations to linalg on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
#define POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds all patterns that lower pooling operations on ranked tensors. Window
/// operations become pool.window_reduce first and then linalg, so the driver
/// must visit the operations that a pattern creates. The semantics are exact,
/// but run-time constraints are not checked.
void populatePoolToLinalgPatterns(RewritePatternSet &patterns);

/// Adds the pattern that lowers pool.window_reduce on tensors to linalg.
void populateWindowReduceToLinalgPatterns(RewritePatternSet &patterns);

/// Adds patterns that lower adaptive pooling directly, without a
/// pool.window_reduce.
void populateAdaptiveToLinalgPatterns(RewritePatternSet &patterns);

/// Adds the patterns of the three functions below. Their scf loops write or add
/// elements at positions that an index or a window gives, and bufferise in
/// place. Loops over independent slices are scf.forall. With channels last,
/// `parallelChannels` says whether channels are independent slices of averages'
/// gradients, too.
void populateScatterToLinalgPatterns(RewritePatternSet &patterns,
                                     bool parallelChannels = false);
/// Adds the pattern for max_unpool.
void populateMaxUnpoolToLinalgPatterns(RewritePatternSet &patterns);
/// Adds the patterns for the gradients.
void populateGradToLinalgPatterns(RewritePatternSet &patterns,
                                  bool parallelChannels = false);
/// Adds the pattern for largest_index. Run-time checks of max_unpool and of
/// gradients with indices need it.
void populateLargestIndexToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_POOLTOLINALG_H
