// max_unpool and the gradients: verification, type inference, reification. What
// is right is decided in ScatterInference; this file connects it to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"

using namespace mlir;
using namespace mlir::pool;

/// The extents of a result whose type and operands give them.
static SmallVector<OpFoldResult> getMixedShape(RankedTensorType type,
                                               ValueRange dynamicExtents) {
  Builder b(type.getContext());
  return getMixedValues(type.getShape(), dynamicExtents, b);
}

static int64_t normalizeAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

LogicalResult MaxUnpoolOp::verify() {
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  return verifyMaxUnpool(
      [&](const Twine &message) -> LogicalResult {
        return emitOpError(message);
      },
      getValues().getType(), getIndices().getType(), getDynamicExtents().size(),
      getAxis(), getOutput().getType());
}

int64_t MaxUnpoolOp::getNormalizedAxis() {
  return normalizeAxis(getAxis(), getOutput().getType().getRank());
}

SmallVector<OpFoldResult> MaxUnpoolOp::getMixedSizes() {
  return getMixedShape(getOutput().getType(), getDynamicExtents());
}

LogicalResult MaxUnpoolOp::reifyResultShapes(
    OpBuilder &b, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes.push_back(getMixedSizes());
  return success();
}

//===----------------------------------------------------------------------===//
// MaxPoolGradOp
//===----------------------------------------------------------------------===//

LogicalResult
MaxPoolGradOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                Adaptor adaptor,
                                SmallVectorImpl<Type> &inferredReturnTypes) {
  inferredReturnTypes.push_back(adaptor.getInput().getType());
  return success();
}

bool MaxPoolGradOp::isCompatibleReturnTypes(TypeRange inferred,
                                            TypeRange declared) {
  return inferred.size() == 1 && declared.size() == 1 &&
         isLessStatic(declared[0], inferred[0]);
}

LogicalResult MaxPoolGradOp::verify() {
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  return verifyMaxPoolGrad(
      [&](const Twine &message) -> LogicalResult {
        return emitOpError(message);
      },
      getInput().getType(), getOutputGrad().getType(),
      getIndices() ? TensorType(getIndices().getType()) : TensorType(),
      getWindow(), getAxis(), getInputGrad().getType());
}

int64_t MaxPoolGradOp::getNormalizedAxis() {
  return normalizeAxis(getAxis(), getWindow().getRank());
}

LogicalResult MaxPoolGradOp::reifyResultShapes(
    OpBuilder &b, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  auto type = dyn_cast<RankedTensorType>(getInputGrad().getType());
  if (!type || !getInput().getType().hasRank())
    return failure();
  reifiedReturnShapes.push_back(detail::reifyAs(
      b, getLoc(), tensor::getMixedSizes(b, getLoc(), getInput()), type));
  return success();
}

//===----------------------------------------------------------------------===//
// AvgPoolGradOp
//===----------------------------------------------------------------------===//

LogicalResult AvgPoolGradOp::verify() {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOpError(message);
  };
  RankedTensorType inputGrad = getInputGrad().getType();
  if (failed(verifyNoStrayAttributes(*this)) ||
      failed(verifyAvgPoolGrad(emitError, getOutputGrad().getType(),
                               getDynamicExtents().size(), getWindow(),
                               getDivisorOverride(), inputGrad)))
    return failure();
  return verifyCounts(emitError, inputGrad, getWindow(), getDivisor(),
                      getDivisorOverride());
}

TensorType AvgPoolGradOp::getWindowedType() { return getInputGrad().getType(); }

bool AvgPoolGradOp::distinguishesOverhang() {
  return getDivisor() == Divisor::Padded && !getDivisorOverride();
}

SmallVector<OpFoldResult> AvgPoolGradOp::getMixedSizes() {
  return getMixedShape(getInputGrad().getType(), getDynamicExtents());
}

LogicalResult AvgPoolGradOp::reifyResultShapes(
    OpBuilder &b, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes.push_back(getMixedSizes());
  return success();
}
