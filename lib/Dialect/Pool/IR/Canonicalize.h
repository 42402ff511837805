// Patterns and helpers shared by the canonicalisations of all operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H
#define POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool::detail {

/// An ErrorFn that discards the message, for a caller that only asks whether a
/// rule holds.
inline LogicalResult fail(const Twine &) { return failure(); }

/// Returns the source of a `tensor.cast` that hides extents or the rank.
/// Returns any other operand unchanged.
Value getMoreStatic(Value operand);

/// Returns the type of a tensor, or null if `value` is null.
inline TensorType getTensorType(Value value) {
  return value ? cast<TensorType>(value.getType()) : TensorType();
}

/// Replaces `op` by an operation with the same attributes but other operands
/// and types, and casts the new results to the old types.
template <typename Op>
void replaceRefined(PatternRewriter &rewriter, Op op, TypeRange types,
                    ValueRange operands) {
  auto refined =
      Op::create(rewriter, op.getLoc(), types, operands, op.getProperties(),
                 llvm::to_vector(op->getDiscardableAttrs()));
  replaceOpWithCasts(rewriter, op, refined->getResults());
}

/// Sets attributes without effect to their defaults.
template <typename Op>
struct NormalizeAttributes : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    typename Op::Properties properties = op.getProperties();
    op.normalize(properties);
    if (properties == op.getProperties())
      return rewriter.notifyMatchFailure(op, "attributes are normalised");
    rewriter.modifyOpInPlace(op, [&] { op.getProperties() = properties; });
    return success();
  }
};

/// Adds the pattern that turns an adaptive operation with regular windows into
/// the ordinary pooling operation.
template <typename Op>
void addRegularPattern(RewritePatternSet &patterns);
template <>
void addRegularPattern<AdaptiveAvgPoolOp>(RewritePatternSet &patterns);
template <>
void addRegularPattern<AdaptiveMaxPoolOp>(RewritePatternSet &patterns);

} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H
