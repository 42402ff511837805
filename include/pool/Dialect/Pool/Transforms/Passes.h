// Passes within the pool dialect.
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

/// Inserts run-time checks before every operation of the dialect below `root`,
/// for the constraints that the verifier could not check. Each message names
/// the operation and its location. Returns the number of these operations.
int64_t insertRuntimeChecks(Operation *root);

/// Adds the pattern of pool-recompute-indices.
void populateRecomputeIndicesPatterns(RewritePatternSet &patterns);

/// Adds recomputed indices to a gradient that has none. Requires a ranked
/// input.
void recomputeIndices(RewriterBase &rewriter, ExtremumGradOpInterface op);

/// Returns the type of the indices that pool-recompute-indices adds to `op`:
/// i32 if the extents that they count over are known and fit, else i64.
/// Requires a ranked input.
IntegerType getRecomputedIndexType(ExtremumGradOpInterface op);

/// Adds the pattern of pool-decompose.
void populatePoolDecomposePatterns(RewritePatternSet &patterns);

/// Replaces `op` by its window form. Requires a ranked input.
void decomposeWindowOp(RewriterBase &rewriter, WindowOpInterface op);

/// Removes the dialect's attributes from operations of other dialects below
/// `root`. Only lowerings of tensors read these attributes, and call this last.
void removeFacts(Operation *root);

/// Removes the attributes only from operations on buffers, because lowerings of
/// tensors may still read the others.
void removeFactsOnBuffers(Operation *root);

/// Reports every pooling operation below `root` that no lowering accepts: its
/// input is unranked, or the sizes of its buffers leave int64. Fails if there
/// is one.
LogicalResult verifyLowerable(Operation *root);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_PASSES_H
