// Folds and canonicalisations of max_unpool and the gradients: types become as
// static as operands know, attributes without effect return to their defaults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowFolds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

static LogicalResult fail(const Twine &) { return failure(); }

/// The operand, or what it was before a `tensor.cast` hid extents.
static Value getMoreStatic(Value operand) {
  auto castOp = operand.getDefiningOp<tensor::CastOp>();
  return castOp && isLessStatic(castOp.getType(), castOp.getSource().getType())
             ? castOp.getSource()
             : operand;
}

static TensorType getTensorType(Value value) {
  return value ? cast<TensorType>(value.getType()) : TensorType();
}

/// The result type and the operands with constant extents moved into the type.
/// An extent that is not a legal one stays where it is.
static RankedTensorType foldExtents(RankedTensorType type,
                                    ValueRange dynamicExtents,
                                    SmallVectorImpl<Value> &remaining) {
  SmallVector<int64_t> shape(type.getShape());
  auto next = dynamicExtents.begin();
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    Value operand = *next++;
    std::optional<int64_t> constant = getConstantIntValue(operand);
    if (constant && *constant >= (d == 0 ? 0 : 1))
      extent = *constant;
    else
      remaining.push_back(operand);
  }
  return RankedTensorType::get(shape, type.getElementType());
}

/// Replaces `op`, which has one result, by one of other operands and type.
template <typename Op>
static void replaceRefined(PatternRewriter &rewriter, Op op, TensorType type,
                           ValueRange operands) {
  auto refined = Op::create(rewriter, op.getLoc(), TypeRange(type), operands,
                            op.getProperties(),
                            llvm::to_vector(op->getDiscardableAttrs()));
  replaceOpWithCasts(rewriter, op, refined->getResults());
}

namespace {
struct RefineMaxUnpool : OpRewritePattern<MaxUnpoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxUnpoolOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands = {getMoreStatic(op.getValues()),
                                   getMoreStatic(op.getIndices())};
    RankedTensorType type =
        foldExtents(op.getOutput().getType(), op.getDynamicExtents(), operands);
    if (llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "types are as static as known");
    if (failed(verifyMaxUnpool(fail, getTensorType(operands[0]),
                               getTensorType(operands[1]), operands.size() - 2,
                               op.getAxis(), type)))
      return rewriter.notifyMatchFailure(op, "known extents break the rule");
    replaceRefined(rewriter, op, type, operands);
    return success();
  }
};

struct NormalizeMaxUnpool : OpRewritePattern<MaxUnpoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxUnpoolOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getAxis() >= 0)
      return rewriter.notifyMatchFailure(op, "attributes are normalised");
    rewriter.modifyOpInPlace(op, [&] { op.setAxis(op.getNormalizedAxis()); });
    return success();
  }
};
} // namespace

void MaxUnpoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<NormalizeMaxUnpool, RefineMaxUnpool>(context);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

static void normalize(MaxPoolGradOp op, MaxPoolGradOp::Properties &properties) {
  normalizeWindow(properties, op.getWindow(), op.getWindowedType());
  properties.axis = op.getIndices() ? op.getNormalizedAxis() : 0;
  // The mode decides the choice, which indices have made.
  if (op.getIndices())
    properties.nan_mode = NanMode::Ignore;
}

static void normalize(AvgPoolGradOp op, AvgPoolGradOp::Properties &properties) {
  WindowAttrs window = op.getWindow();
  normalizeWindow(properties, window, op.getWindowedType());
  if (op.getDivisorOverride() || touchesNoPadding(window))
    properties.divisor = Divisor::Valid;
}

namespace {
template <typename Op>
struct NormalizeGrad : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    typename Op::Properties properties = op.getProperties();
    normalize(op, properties);
    if (properties == op.getProperties())
      return rewriter.notifyMatchFailure(op, "attributes are normalised");
    rewriter.modifyOpInPlace(op, [&] { op.getProperties() = properties; });
    return success();
  }
};

struct RefineMaxPoolGrad : OpRewritePattern<MaxPoolGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxPoolGradOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), getMoreStatic);
    TensorType type = getTensorType(operands[0]);
    if (type == op.getInputGrad().getType() &&
        llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "types are as static as known");
    if (failed(verifyMaxPoolGrad(
            fail, type, getTensorType(operands[1]),
            getTensorType(op.getIndices() ? operands[2] : Value()),
            op.getWindow(), op.getAxis(), type)))
      return rewriter.notifyMatchFailure(op, "known extents break the rule");
    replaceRefined(rewriter, op, type, operands);
    return success();
  }
};

struct RefineAvgPoolGrad : OpRewritePattern<AvgPoolGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AvgPoolGradOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> operands = {getMoreStatic(op.getOutputGrad())};
    RankedTensorType type = foldExtents(op.getInputGrad().getType(),
                                        op.getDynamicExtents(), operands);
    if (llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "types are as static as known");
    if (failed(verifyAvgPoolGrad(fail, getTensorType(operands[0]),
                                 operands.size() - 1, op.getWindow(),
                                 op.getDivisorOverride(), type)) ||
        failed(verifyCounts(fail, type, op.getWindow(), op.getDivisor(),
                            op.getDivisorOverride())))
      return rewriter.notifyMatchFailure(op, "known extents break the rule");
    replaceRefined(rewriter, op, type, operands);
    return success();
  }
};
} // namespace

void MaxPoolGradOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<NormalizeGrad<MaxPoolGradOp>, RefineMaxPoolGrad>(context);
}

void AvgPoolGradOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<NormalizeGrad<AvgPoolGradOp>, RefineAvgPoolGrad>(context);
}

/// Every window is one element, which it chooses.
OpFoldResult MaxPoolGradOp::fold(FoldAdaptor) {
  if (getIndices() || getOutputGrad().getType() != getInputGrad().getType() ||
      !isIdentityWindow(getWindow()))
    return {};
  return getOutputGrad();
}

/// The average of one element is that element.
OpFoldResult AvgPoolGradOp::fold(FoldAdaptor) {
  if (getDivisorOverride().value_or(1) != 1 ||
      getOutputGrad().getType() != getInputGrad().getType() ||
      !isIdentityWindow(getWindow()))
    return {};
  return getOutputGrad();
}
