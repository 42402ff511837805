// Adaptive pooling: verification, inference, reification, loops, run-time
// checks. What is right is decided in AdaptiveInference; this file connects it
// to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveForm.h"
#include "CheckBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/AdaptiveRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// The shape of every result: batch and channels of the input, the rest known.
template <typename Op>
static LogicalResult
reifyShape(OpBuilder &b, Op op,
           ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (!op.getInput().getType().hasRank() ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedTensorType>))
    return failure();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> shape = getAdaptiveShape(
      b, loc, op.getInput(), op.getOutputSize(), op.getLayout());
  for (Type type : op->getResultTypes())
    reifiedReturnShapes.push_back(pool::detail::reifyAs(b, loc, shape, type));
  return success();
}

SmallVector<Range> pool::detail::getAdaptiveDomain(OpBuilder &b, Operation *op,
                                                   Value input,
                                                   ArrayRef<int64_t> outputSize,
                                                   Layout layout) {
  // Without a rank there are no loops, and there is no tile.
  if (!isa<RankedTensorType>(input.getType()))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  return llvm::map_to_vector(
      getAdaptiveShape(b, op->getLoc(), input, outputSize, layout),
      [&](OpFoldResult extent) {
        return Range{b.getIndexAttr(0), extent, b.getIndexAttr(1)};
      });
}

/// C7 and C10 for extents that are dynamic, and the output's size.
template <typename Op>
static void generateExtentChecks(CheckBuilder &checks, OpBuilder &b, Op op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  SmallVector<OpFoldResult> shape = checks.getExtents(op.getInput());
  SmallVector<int64_t> output(type.getShape());
  WindowAttrs dims = getAdaptiveLayout(op.getOutputSize(), op.getLayout());
  unsigned channelDim = dims.getChannelDim();
  checks.checkMinimum(
      shape[channelDim], 1,
      formatv("dimension {0}: the channel extent must be at least 1",
              channelDim)
          .str());
  for (auto [i, outputSize] : llvm::enumerate(op.getOutputSize())) {
    unsigned d = dims.getSpatialDim(i);
    InputRange range = getAdaptiveInputRange(outputSize);
    checks.checkMinimum(shape[d], range.min,
                        formatv("dimension {0}: the input extent must be at "
                                "least {1}",
                                d, range.min)
                            .str());
    if (range.max < std::numeric_limits<int64_t>::max())
      checks.checkMaximum(
          shape[d], range.max,
          formatv("dimension {0}: the product of the input extent and "
                  "output_size {1} leaves a 64-bit integer above an extent of "
                  "{2}",
                  d, outputSize, range.max)
              .str());
    shape[d] = b.getIndexAttr(outputSize);
    output[d] = outputSize;
  }
  if (mayLackByteCount(output, type))
    checks.checkByteCount(shape, "the output");
}

//===----------------------------------------------------------------------===//
// AdaptiveAvgPoolOp
//===----------------------------------------------------------------------===//

LogicalResult AdaptiveAvgPoolOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<RankedTensorType> output = inferAdaptiveAvgPool(
      [&](const Twine &message) {
        return emitOptionalError(location, "'", getOperationName(), "' op ",
                                 message);
      },
      cast<TensorType>(adaptor.getInput().getType()), adaptor.getOutputSize(),
      adaptor.getLayout(), adaptor.getInputZp(), adaptor.getOutputZp());
  if (failed(output))
    return failure();
  inferredReturnTypes.push_back(*output);
  return success();
}

bool AdaptiveAvgPoolOp::isCompatibleReturnTypes(TypeRange inferred,
                                                TypeRange declared) {
  return inferred.size() == 1 && declared.size() == 1 &&
         isLessStatic(declared[0], inferred[0]);
}

LogicalResult AdaptiveAvgPoolOp::verify() {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOpError(message);
  };
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  FailureOr<RankedTensorType> output =
      inferAdaptiveAvgPool(emitError, getInput().getType(), getOutputSize(),
                           getLayout(), getInputZp(), getOutputZp());
  if (failed(output))
    return failure();
  return verifyAdaptiveResult(emitError, "output", getOutput().getType(),
                              *output);
}

LogicalResult AdaptiveAvgPoolOp::reifyResultShapes(
    OpBuilder &b, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  return reifyShape(b, *this, reifiedReturnShapes);
}

void AdaptiveAvgPoolOp::generateRuntimeVerification(
    OpBuilder &b, Location loc, MessageFn generateErrorMessage) {
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  generateExtentChecks(checks, b, *this);
}

//===----------------------------------------------------------------------===//
// AdaptiveMaxPoolOp
//===----------------------------------------------------------------------===//

LogicalResult AdaptiveMaxPoolOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<RankedTensorType> values = inferAdaptiveMaxPool(
      [&](const Twine &message) {
        return emitOptionalError(location, "'", getOperationName(), "' op ",
                                 message);
      },
      cast<TensorType>(adaptor.getInput().getType()), adaptor.getOutputSize(),
      adaptor.getLayout(), adaptor.getAxis(), /*indexElementType=*/{});
  if (failed(values))
    return failure();
  inferredReturnTypes.push_back(*values);
  return success();
}

bool AdaptiveMaxPoolOp::isCompatibleReturnTypes(TypeRange inferred,
                                                TypeRange declared) {
  if (inferred.empty() || declared.empty() || declared.size() > 2 ||
      !isLessStatic(declared[0], inferred[0]))
    return false;
  auto values = cast<RankedTensorType>(inferred[0]);
  return llvm::all_of(declared.drop_front(), [&](Type type) {
    return isLessStatic(type, values.clone(getElementTypeOrSelf(type)));
  });
}

LogicalResult AdaptiveMaxPoolOp::verify() {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return emitOpError(message);
  };
  if (failed(verifyNoStrayAttributes(*this)))
    return failure();
  Type indexElementType =
      getIndices() ? getIndices().getType().getElementType() : Type();
  FailureOr<RankedTensorType> values =
      inferAdaptiveMaxPool(emitError, getInput().getType(), getOutputSize(),
                           getLayout(), getAxis(), indexElementType);
  if (failed(values) ||
      failed(verifyAdaptiveResult(emitError, "values", getValues().getType(),
                                  *values)))
    return failure();
  if (!getIndices())
    return success();
  return verifyAdaptiveResult(emitError, "indices", getIndices().getType(),
                              values->clone(indexElementType));
}

int64_t AdaptiveMaxPoolOp::getNormalizedAxis() {
  int64_t rank = getOutputSize().size() + 2;
  return getAxis() < 0 ? getAxis() + rank : getAxis();
}

LogicalResult AdaptiveMaxPoolOp::reifyResultShapes(
    OpBuilder &b, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  return reifyShape(b, *this, reifiedReturnShapes);
}

void AdaptiveMaxPoolOp::generateRuntimeVerification(
    OpBuilder &b, Location loc, MessageFn generateErrorMessage) {
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  generateExtentChecks(checks, b, *this);
  if (getIndices() && getInput().getType().hasRank())
    checks.checkIndexBound(checks.getExtents(getInput()), getNormalizedAxis(),
                           getIndices().getType().getElementType());
}
