// Canonicalisations of adaptive pooling: ordinary pooling where the windows are
// regular, attributes without effect to their defaults, types as static as the
// rule knows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Casts.h"
#include "pool/Dialect/Pool/Utils/WindowProperties.h"
#include "pool/Support/AdaptiveRules.h"

using namespace mlir;
using namespace mlir::pool;

static LogicalResult fail(const Twine &) { return failure(); }

static SmallVector<NamedAttribute> getDiscardableAttrs(Operation *op) {
  return llvm::to_vector(op->getDiscardableAttrs());
}

static Type getIndexElementType(AdaptiveMaxPoolOp op) {
  return op.getIndices() ? op.getIndices().getType().getElementType() : Type();
}

static void normalize(AdaptiveAvgPoolOp op,
                      AdaptiveAvgPoolOp::Properties &properties) {
  if (isa<FloatType>(op.getInput().getType().getElementType()))
    properties.integer_rounding = IntegerRounding::HalfEven;
}

static void normalize(AdaptiveMaxPoolOp op,
                      AdaptiveMaxPoolOp::Properties &properties) {
  properties.axis = op.getIndices() ? op.getNormalizedAxis() : 0;
  if (!isa<FloatType>(op.getInput().getType().getElementType()))
    properties.nan_mode = NanMode::Ignore;
}

/// The result types for an input of type `input`.
static FailureOr<SmallVector<Type>> inferTypes(AdaptiveAvgPoolOp op,
                                               TensorType input) {
  FailureOr<RankedTensorType> output =
      inferAdaptiveAvgPool(fail, input, op.getOutputSize(), op.getLayout(),
                           op.getInputZp(), op.getOutputZp());
  if (failed(output))
    return failure();
  return SmallVector<Type>{*output};
}

static FailureOr<SmallVector<Type>> inferTypes(AdaptiveMaxPoolOp op,
                                               TensorType input) {
  Type indexElementType = getIndexElementType(op);
  FailureOr<RankedTensorType> values =
      inferAdaptiveMaxPool(fail, input, op.getOutputSize(), op.getLayout(),
                           op.getAxis(), indexElementType);
  if (failed(values))
    return failure();
  SmallVector<Type> types = {*values};
  if (indexElementType)
    types.push_back(values->clone(indexElementType));
  return types;
}

namespace {
/// The windows of an ordinary pooling.
struct StridedWindows {
  SmallVector<int64_t> kernel, strides;
  Layout layout;

  WindowAttrs get() const {
    WindowAttrs window;
    window.kernel = kernel;
    window.strides = strides;
    window.layout = layout;
    return window;
  }
};
} // namespace

/// The ordinary pooling with the same windows; failure if there is none or an
/// extent is unknown.
template <typename Op>
static FailureOr<StridedWindows> getStridedWindows(Op op) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!input)
    return failure();
  StridedWindows windows;
  windows.layout = op.getLayout();
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  for (auto [i, output] : llvm::enumerate(op.getOutputSize())) {
    int64_t extent = input.getDimSize(dims.getSpatialDim(i));
    AdaptiveDim dim{extent, output};
    if (ShapedType::isDynamic(extent) || !dim.hasStride())
      return failure();
    windows.kernel.push_back(dim.getMaxSize());
    windows.strides.push_back(extent / output);
  }
  // A window must have a countable number of positions.
  if (!getProduct(windows.kernel))
    return failure();
  return windows;
}

namespace {
template <typename Op>
struct NormalizeAdaptive : OpRewritePattern<Op> {
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

/// Takes the operand of a `tensor.cast` that hides extents or the rank, and
/// gives the results the types that the rule knows for the operand.
template <typename Op>
struct RefineAdaptive : OpRewritePattern<Op> {
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

    Location loc = op.getLoc();
    auto refined =
        Op::create(rewriter, loc, TypeRange(*types), ValueRange(input),
                   op.getProperties(), getDiscardableAttrs(op));
    replaceOpWithCasts(rewriter, op, refined->getResults());
    return success();
  }
};

struct DropUnusedIndices : OpRewritePattern<AdaptiveMaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AdaptiveMaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIndices() || !op.getIndices().use_empty())
      return rewriter.notifyMatchFailure(op, "no unused indices");
    auto values = AdaptiveMaxPoolOp::create(
        rewriter, op.getLoc(), TypeRange(op.getValues().getType()),
        op->getOperands(), op.getProperties(), getDiscardableAttrs(op));
    rewriter.replaceAllUsesWith(op.getValues(), values.getValues());
    rewriter.eraseOp(op);
    return success();
  }
};

struct RegularAvgPool : OpRewritePattern<AdaptiveAvgPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AdaptiveAvgPoolOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<StridedWindows> windows = getStridedWindows(op);
    if (failed(windows))
      return rewriter.notifyMatchFailure(op, "windows are not regular");
    AvgPoolOp::Properties properties;
    setWindow(properties, windows->get());
    properties.integer_rounding = op.getIntegerRounding();
    properties.input_zp = op.getInputZp();
    properties.output_zp = op.getOutputZp();
    rewriter.replaceOpWithNewOp<AvgPoolOp>(op, op->getResultTypes(),
                                           op->getOperands(), properties,
                                           getDiscardableAttrs(op));
    return success();
  }
};

struct RegularMaxPool : OpRewritePattern<AdaptiveMaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AdaptiveMaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<StridedWindows> windows = getStridedWindows(op);
    if (failed(windows))
      return rewriter.notifyMatchFailure(op, "windows are not regular");
    MaxPoolOp::Properties properties;
    setWindow(properties, windows->get());
    properties.axis = op.getAxis();
    properties.nan_mode = op.getNanMode();
    rewriter.replaceOpWithNewOp<MaxPoolOp>(op, op->getResultTypes(),
                                           op->getOperands(), properties,
                                           getDiscardableAttrs(op));
    return success();
  }
};
} // namespace

void pool::populateRegularAdaptivePatterns(RewritePatternSet &patterns) {
  patterns.add<RegularAvgPool, RegularMaxPool>(patterns.getContext());
}

void AdaptiveAvgPoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                    MLIRContext *context) {
  patterns.add<NormalizeAdaptive<AdaptiveAvgPoolOp>,
               RefineAdaptive<AdaptiveAvgPoolOp>, RegularAvgPool>(context);
}

void AdaptiveMaxPoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                    MLIRContext *context) {
  patterns.add<DropUnusedIndices, NormalizeAdaptive<AdaptiveMaxPoolOp>,
               RefineAdaptive<AdaptiveMaxPoolOp>, RegularMaxPool>(context);
}
