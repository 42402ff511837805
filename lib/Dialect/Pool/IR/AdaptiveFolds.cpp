// Canonicalizes adaptive pooling. If all windows have the same size, and all
// neighbors the same distance, ordinary pooling replaces it. Attributes without
// effect are reset to their defaults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpRules.h"

#include "pool/Dialect/Pool/IR/WindowProperties.h"
#include "pool/Support/AdaptiveRules.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::detail;

void AdaptiveAvgPoolOp::normalize(Properties &properties) {
  if (isa<FloatType>(getInput().getType().getElementType()))
    properties.integer_rounding = IntegerRounding::HalfEven;
}

void AdaptiveMaxPoolOp::normalize(Properties &properties) {
  normalizeChoice(*this, properties);
}

/// Returns the window with which ordinary pooling gives the same result as
/// `op`. Fails if sizes or distances of windows differ, if the rank or a
/// spatial extent is unknown, or if the number of positions of a window does
/// not fit int64.
static FailureOr<OwnedWindow> getRegularWindow(AdaptiveOpInterface op) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!input)
    return failure();
  OwnedWindow window;
  window.layout = op.getLayout();
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  for (auto [i, output] : llvm::enumerate(op.getOutputSize())) {
    int64_t extent = input.getDimSize(dims.getSpatialDim(i));
    AdaptiveDim dim{extent, output};
    if (ShapedType::isDynamic(extent) || !dim.hasStride())
      return failure();
    window.kernel.push_back(dim.getMaxSize());
    window.strides.push_back(extent / output);
  }
  // An ordinary window must have a number of positions that fits int64.
  if (!getProduct(window.kernel))
    return failure();
  return window;
}

bool pool::hasRegularWindows(AdaptiveOpInterface op) {
  return succeeded(getRegularWindow(op));
}

/// Replaces `op` by an operation of class `To` with the same types.
template <typename To, typename From>
static void replaceWith(PatternRewriter &rewriter, From op,
                        const typename To::Properties &properties) {
  rewriter.replaceOpWithNewOp<To>(op, op->getResultTypes(), op->getOperands(),
                                  properties,
                                  llvm::to_vector(op->getDiscardableAttrs()));
}

static LogicalResult makeAvgPool(AdaptiveAvgPoolOp op,
                                 PatternRewriter &rewriter) {
  FailureOr<OwnedWindow> window = getRegularWindow(op);
  if (failed(window))
    return rewriter.notifyMatchFailure(op, "windows are not regular");
  AvgPoolOp::Properties properties;
  setWindow(properties, window->getAttrs());
  properties.integer_rounding = op.getIntegerRounding();
  properties.input_zp = op.getInputZp();
  properties.output_zp = op.getOutputZp();
  replaceWith<AvgPoolOp>(rewriter, op, properties);
  return success();
}

static LogicalResult makeMaxPool(AdaptiveMaxPoolOp op,
                                 PatternRewriter &rewriter) {
  FailureOr<OwnedWindow> window = getRegularWindow(op);
  if (failed(window))
    return rewriter.notifyMatchFailure(op, "windows are not regular");
  MaxPoolOp::Properties properties;
  setWindow(properties, window->getAttrs());
  setModes(properties, op.getModes());
  replaceWith<MaxPoolOp>(rewriter, op, properties);
  return success();
}

template <>
void pool::detail::addRegularPattern<AdaptiveAvgPoolOp>(
    RewritePatternSet &patterns) {
  patterns.add(makeAvgPool);
}

template <>
void pool::detail::addRegularPattern<AdaptiveMaxPoolOp>(
    RewritePatternSet &patterns) {
  patterns.add(makeMaxPool);
}

void pool::populateRegularAdaptivePatterns(RewritePatternSet &patterns) {
  patterns.add(makeAvgPool).add(makeMaxPool);
}
