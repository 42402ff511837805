// Declares patterns and helpers that the canonicalizations of all operations
// share.
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

/// If `operand` is the result of a `tensor.cast` that hides extents or the
/// rank, returns the source of the cast. Otherwise returns `operand`.
Value getMoreStatic(Value operand);

/// Returns the type of a tensor, or null if `value` is null.
inline TensorType getTensorType(Value value) {
  return value ? cast<TensorType>(value.getType()) : TensorType();
}

/// Replaces `op` by an operation with the same attributes, but with other
/// operands and result types. Casts the new results to the old types.
template <typename Op>
void replaceRefined(PatternRewriter &rewriter, Op op, TypeRange types,
                    ValueRange operands) {
  auto refined =
      Op::create(rewriter, op.getLoc(), types, operands, op.getProperties(),
                 llvm::to_vector(op->getDiscardableAttrs()));
  replaceOpWithCasts(rewriter, op, refined->getResults());
}

/// Calls `Op::normalize`, which resets attributes without effect to their
/// defaults. Applies if that changes an attribute.
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

/// Adds the pattern that replaces an adaptive operation by ordinary pooling, if
/// all windows have the same size, and all neighbors the same distance.
template <typename Op>
void addRegularPattern(RewritePatternSet &patterns);
template <>
void addRegularPattern<AdaptiveAvgPoolOp>(RewritePatternSet &patterns);
template <>
void addRegularPattern<AdaptiveMaxPoolOp>(RewritePatternSet &patterns);

} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H
