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

/// Inserts before every operation of the dialect below `root` the checks of
/// what the verifier could not know, each message naming the operation and its
/// location. The number of these operations.
int64_t insertRuntimeChecks(Operation *root);

/// The pattern of pool-recompute-indices; that of pool-adaptive-to-window
/// canonicalises too, populateRegularAdaptivePatterns().
void populateRecomputeIndicesPatterns(RewritePatternSet &patterns);

/// Gives a gradient without indices those that it recomputes from its input,
/// whose rank is known.
void recomputeIndices(RewriterBase &rewriter, ExtremumGradOpInterface op);

/// The type of the indices that pool-recompute-indices gives `op`, whose input
/// is ranked: i32 where the extents that they count over are known and fit,
/// else i64.
IntegerType getRecomputedIndexType(ExtremumGradOpInterface op);

/// The pattern of pool-decompose.
void populatePoolDecomposePatterns(RewritePatternSet &patterns);

/// Replaces `op`, whose input is ranked, by its window form.
void decomposeWindowOp(RewriterBase &rewriter, WindowOpInterface op);

/// Removes the dialect's attributes from operations of other dialects below
/// `root`: the last step of a lowering of tensors, which alone asks for them.
void removeFacts(Operation *root);

/// Removes them from operations on buffers: on tensors somebody may still ask.
void removeFactsOnBuffers(Operation *root);

/// Reports every pooling operation below `root` that no lowering takes, for
/// want of a rank or because its buffers' sizes leave int64, and fails if there
/// is one.
LogicalResult verifyLowerable(Operation *root);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_PASSES_H
