// What the canonicalisations of all operations are made of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H
#define POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

namespace mlir::pool::detail {

/// Asks a rule whether it holds, without words.
inline LogicalResult fail(const Twine &) { return failure(); }

/// The operand, or what it was before a `tensor.cast` hid extents or the rank.
Value getMoreStatic(Value operand);

/// The type of a tensor; null for null.
inline TensorType getTensorType(Value value) {
  return value ? cast<TensorType>(value.getType()) : TensorType();
}

/// Replaces `op` by one of the same attributes with other operands and types,
/// and casts of its results.
template <typename Op>
void replaceRefined(PatternRewriter &rewriter, Op op, TypeRange types,
                    ValueRange operands) {
  auto refined =
      Op::create(rewriter, op.getLoc(), types, operands, op.getProperties(),
                 llvm::to_vector(op->getDiscardableAttrs()));
  replaceOpWithCasts(rewriter, op, refined->getResults());
}

/// Attributes without effect return to their defaults.
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

/// Adds the pattern that makes an adaptive operation the ordinary one that has
/// the same windows, where there is one.
template <typename Op>
void addRegularPattern(RewritePatternSet &patterns);
template <>
void addRegularPattern<AdaptiveAvgPoolOp>(RewritePatternSet &patterns);
template <>
void addRegularPattern<AdaptiveMaxPoolOp>(RewritePatternSet &patterns);

} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_CANONICALIZE_H
