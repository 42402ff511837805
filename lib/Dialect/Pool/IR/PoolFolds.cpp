// Folds and canonicalisations: attributes without effect return to their
// defaults, unused indices go, types become as static as the rule knows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowFolds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Attributes without effect
//===----------------------------------------------------------------------===//

static void normalize(MaxPoolOp op, MaxPoolOp::Properties &properties) {
  TensorType input = op.getInput().getType();
  WindowAttrs window = op.getWindow();
  normalizeWindow(properties, window, input);
  properties.axis = op.getIndices() ? op.getNormalizedAxis() : 0;
  if (touchesNoPadding(window))
    properties.pad_value = PadValue::NegInf;
  if (!isa<FloatType>(input.getElementType()))
    properties.nan_mode = NanMode::Ignore;
}

static void normalize(AvgPoolOp op, AvgPoolOp::Properties &properties) {
  TensorType input = op.getInput().getType();
  WindowAttrs window = op.getWindow();
  normalizeWindow(properties, window, input);
  if (op.getDivisorOverride() || touchesNoPadding(window))
    properties.divisor = Divisor::Valid;
  if (isa<FloatType>(input.getElementType()))
    properties.integer_rounding = IntegerRounding::HalfEven;
}

static void normalize(LpPoolOp op, LpPoolOp::Properties &properties) {
  normalizeWindow(properties, op.getWindow(), op.getInput().getType());
}

static SmallVector<NamedAttribute> getDiscardableAttrs(Operation *op) {
  return llvm::to_vector(op->getDiscardableAttrs());
}

namespace {
template <typename Op>
struct NormalizeAttributes : OpRewritePattern<Op> {
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

//===----------------------------------------------------------------------===//
// Results and types
//===----------------------------------------------------------------------===//

struct DropUnusedIndices : OpRewritePattern<MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIndices() || !op.getIndices().use_empty())
      return rewriter.notifyMatchFailure(op, "no unused indices");
    auto values = MaxPoolOp::create(
        rewriter, op.getLoc(), TypeRange(op.getValues().getType()),
        op->getOperands(), op.getProperties(), getDiscardableAttrs(op));
    rewriter.replaceAllUsesWith(op.getValues(), values.getValues());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Takes the operand of a `tensor.cast` that hides extents or the rank, and
/// gives the results the types that the rule knows for the operand.
template <typename Op>
struct RefineTypes : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    auto castOp = input.template getDefiningOp<tensor::CastOp>();
    if (castOp && isLessStatic(castOp.getType(), castOp.getSource().getType()))
      input = castOp.getSource();

    FailureOr<SmallVector<Type>> types =
        inferTypes(op, cast<TensorType>(input.getType()));
    if (failed(types))
      return rewriter.notifyMatchFailure(op, "known extents break the rule");
    if (input == op.getInput() && TypeRange(*types) == op->getResultTypes())
      return rewriter.notifyMatchFailure(op, "types are as static as known");

    auto refined =
        Op::create(rewriter, op.getLoc(), TypeRange(*types), ValueRange(input),
                   op.getProperties(), getDiscardableAttrs(op));
    replaceOpWithCasts(rewriter, op, refined->getResults());
    return success();
  }

private:
  static FailureOr<SmallVector<Type>> inferTypes(MaxPoolOp op,
                                                 TensorType input) {
    Type indexElementType =
        op.getIndices() ? op.getIndices().getType().getElementType() : Type();
    FailureOr<RankedTensorType> values =
        inferMaxPool(fail, input, op.getWindow(), op.getNormalizedAxis(),
                     op.getPadValue(), indexElementType);
    if (failed(values))
      return failure();
    SmallVector<Type> types = {*values};
    if (indexElementType)
      types.push_back(values->clone(indexElementType));
    return types;
  }

  static FailureOr<SmallVector<Type>> inferTypes(AvgPoolOp op,
                                                 TensorType input) {
    FailureOr<RankedTensorType> output =
        inferAvgPool(fail, input, op.getWindow(), op.getDivisorOverride(),
                     op.getInputZp(), op.getOutputZp());
    if (failed(output) ||
        failed(verifyCounts(fail, input, op.getWindow(), op.getDivisor(),
                            op.getDivisorOverride())))
      return failure();
    // A quantised result has parameters of its own.
    return SmallVector<Type>{
        output->clone(op.getOutput().getType().getElementType())};
  }

  static FailureOr<SmallVector<Type>> inferTypes(LpPoolOp op,
                                                 TensorType input) {
    FailureOr<RankedTensorType> output =
        inferLpPool(fail, input, op.getWindow(), op.getP());
    if (failed(output))
      return failure();
    return SmallVector<Type>{*output};
  }

  static LogicalResult fail(const Twine &) { return failure(); }
};
} // namespace

void MaxPoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropUnusedIndices, NormalizeAttributes<MaxPoolOp>,
               RefineTypes<MaxPoolOp>>(context);
}

void AvgPoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<NormalizeAttributes<AvgPoolOp>, RefineTypes<AvgPoolOp>>(context);
}

void LpPoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<NormalizeAttributes<LpPoolOp>, RefineTypes<LpPoolOp>>(context);
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// A window of one element returns its input; not for floats under `ignore`,
/// which turns NaN into -inf.
LogicalResult MaxPoolOp::fold(FoldAdaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  bool keepsNaN = !isa<FloatType>(getInput().getType().getElementType()) ||
                  getNanMode() == NanMode::Propagate;
  if (getIndices() || !keepsNaN ||
      getInput().getType() != getValues().getType() ||
      !isIdentityWindow(getWindow()))
    return failure();
  results.push_back(getInput());
  return success();
}

/// The average of one element is that element.
OpFoldResult AvgPoolOp::fold(FoldAdaptor) {
  if (getDivisorOverride().value_or(1) != 1 || getInputZp() != getOutputZp() ||
      getInput().getType() != getOutput().getType() ||
      !isIdentityWindow(getWindow()))
    return {};
  return getInput();
}
