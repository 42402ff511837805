// Folds and canonicalizations of max_unpool and the gradients. They refine
// types from operands and reset attributes without effect to their defaults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Canonicalize.h"
#include "SharedMethods.h"
#include "WindowFolds.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::detail;

Value pool::detail::getMoreStatic(Value operand) {
  auto castOp = operand.getDefiningOp<tensor::CastOp>();
  return castOp && isLessStatic(castOp.getType(), castOp.getSource().getType())
             ? castOp.getSource()
             : operand;
}

/// Returns `type` with a static extent for each constant among
/// `dynamicExtents`. Appends all other operands to `remaining`, and also
/// illegal constants, so that the run-time check reports them.
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

static LogicalResult refineMaxUnpool(MaxUnpoolOp op,
                                     PatternRewriter &rewriter) {
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
  replaceRefined(rewriter, op, Type(type), operands);
  return success();
}

void MaxUnpoolOp::normalize(Properties &properties) {
  properties.axis = getNormalizedAxis();
}

void MaxUnpoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<NormalizeAttributes<MaxUnpoolOp>>(context).add(refineMaxUnpool);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

void AvgPoolGradOp::normalize(Properties &properties) {
  WindowAttrs window = getWindow();
  normalizeWindow(properties, window, getWindowedType());
  if (getDivisorOverride() || touchesNoPadding(window))
    properties.divisor = Divisor::Valid;
}

static LogicalResult refineAvgPoolGrad(AvgPoolGradOp op,
                                       PatternRewriter &rewriter) {
  SmallVector<Value> operands = {getMoreStatic(op.getOutputGrad())};
  RankedTensorType type = foldExtents(op.getInputGrad().getType(),
                                      op.getDynamicExtents(), operands);
  if (llvm::equal(operands, op->getOperands()))
    return rewriter.notifyMatchFailure(op, "types are as static as known");
  if (failed(verifyAvgPoolGrad(fail, getTensorType(operands[0]),
                               operands.size() - 1, op.getWindow(),
                               op.getModes(), type)) ||
      failed(verifyCounts(fail, type, op.getWindow(), op.getModes())))
    return rewriter.notifyMatchFailure(op, "known extents break the rule");
  replaceRefined(rewriter, op, Type(type), operands);
  return success();
}

void AvgPoolGradOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<NormalizeAttributes<AvgPoolGradOp>>(context).add(
      refineAvgPoolGrad);
}

/// True if no extent needs a run-time check. A run-time check compares all
/// extents of the operands, so even the batch must be known.
static bool hasCheckedShape(Value gradient) {
  return cast<TensorType>(gradient.getType()).hasStaticShape();
}

/// If windows are single elements, each window chooses its element, so the
/// element's gradient is the output's gradient.
OpFoldResult pool::detail::foldExtremumGrad(ExtremumGradOpInterface op) {
  if (op.getIndices() ||
      op.getOutputGrad().getType() != op->getResult(0).getType() ||
      !isIdentityWindow(op.getWindow()) || !hasCheckedShape(op->getResult(0)))
    return {};
  return op.getOutputGrad();
}

/// If windows are single elements, the average is the element, so the element's
/// gradient is the output's gradient.
OpFoldResult AvgPoolGradOp::fold(FoldAdaptor) {
  if (getDivisorOverride().value_or(1) != 1 ||
      getOutputGrad().getType() != getInputGrad().getType() ||
      !isIdentityWindow(getWindow()) || !hasCheckedShape(getInputGrad()))
    return {};
  return getOutputGrad();
}
