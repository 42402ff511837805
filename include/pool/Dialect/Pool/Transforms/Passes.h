// Declares the passes that transform operations of the pool dialect, and their
// functions. Lowerings to other dialects are in Conversion/Passes.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_PASSES_H
#define POOL_DIALECT_POOL_TRANSFORMS_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"

/// Inserts run-time checks before the pooling operations below `root`, for the
/// constraints that the verifier could not check. Each message names the
/// operation and its location. Checks of indices create pool.largest_index,
/// which the conversions to vectors and to linalg lower. Returns the number of
/// pooling operations, including those that need no check. Fails, with an error
/// at the operation, if registerExternalModels() was not called.
FailureOr<int64_t> insertRuntimeChecks(Operation *root);

/// Adds the pattern of the pass pool-recompute-indices, which calls
/// recomputeIndices().
void populateRecomputeIndicesPatterns(RewritePatternSet &patterns);

/// Creates the max_pool or min_pool of which `op` is the gradient, with
/// indices, and adds these indices to `op` as an operand. Requires a ranked
/// input, and that `op` has no indices.
void recomputeIndices(RewriterBase &rewriter, ExtremumGradOpInterface op);

/// Returns the element type of the indices that recomputeIndices adds to `op`:
/// i32 if the extents that the indices count over are known and i32 can name
/// all their positions, else i64. Requires a ranked input.
IntegerType getRecomputedIndexType(ExtremumGradOpInterface op);

/// Adds the pattern of the pass pool-decompose.
void populatePoolDecomposePatterns(RewritePatternSet &patterns);

/// Replaces `op` by its window form: a pool.window_reduce, and elementwise
/// linalg ops. Returns the pool.window_reduce, and the values that replace the
/// results of `op`. Requires a ranked input.
std::pair<WindowReduceOp, SmallVector<Value>>
decomposeWindowOp(RewriterBase &rewriter, WindowOpInterface op);

/// Removes the attribute `pool.divides_by_count` from all operations below
/// `root`. It marks linalg.generic operations whose coordinates are used only
/// to count the positions of windows. Lowerings that read the attribute call
/// this function at their end.
void removeFacts(Operation *root);

/// Removes `pool.divides_by_count` only from linalg.generic on buffers. On
/// tensors the attribute stays, because a later lowering of tensors may read
/// it.
void removeFactsOnBuffers(Operation *root);

/// Emits an error for every pooling operation in `root` that no lowering
/// accepts, because an operand is unranked, or because a buffer would have more
/// bytes than int64 can count. Fails if there is such an operation.
LogicalResult verifyLowerable(Operation *root);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_PASSES_H
