// Adaptive pooling: verification, inference, reification, loops and run-time
// checks. The rules are in AdaptiveInference; this file connects them to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/AdaptiveForm.h"

#include "CheckBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Support/AdaptiveRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// Computes the shape of every result: batch and channels of the input, and the
/// output size. Fails for an unranked input or result.
LogicalResult pool::detail::reifyAdaptiveShape(
    OpBuilder &b, AdaptiveOpInterface op,
    ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (!isa<RankedTensorType>(op.getInput().getType()) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedTensorType>))
    return failure();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> shape = getAdaptiveShape(
      b, loc, op.getInput(), op.getOutputSize(), op.getLayout());
  for (Type type : op->getResultTypes())
    reifiedReturnShapes.push_back(reifyAs(b, loc, shape, type));
  return success();
}

FailureOr<TilingResult> pool::detail::createTile(OpBuilder &b,
                                                 AdaptiveOpInterface op,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return op.emitOpError("cannot be tiled: the input is unranked");
  return AdaptiveForm(b, op, offsets, sizes).create();
}

SmallVector<Range> pool::detail::getAdaptiveDomain(OpBuilder &b,
                                                   AdaptiveOpInterface op) {
  // Without a rank there is no iteration space to tile.
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  return getDomainOf(b, getAdaptiveShape(b, op.getLoc(), op.getInput(),
                                         op.getOutputSize(), op.getLayout()));
}

/// Checks Adaptive.C3 and Adaptive.C5 for dynamic extents, and the byte count
/// of the output.
static void generateExtentChecks(CheckBuilder &checks, OpBuilder &b,
                                 AdaptiveOpInterface op) {
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
              channelDim));
  for (auto [i, outputSize] : llvm::enumerate(op.getOutputSize())) {
    unsigned d = dims.getSpatialDim(i);
    InputRange range = getAdaptiveInputRange(outputSize);
    checks.checkMinimum(shape[d], range.min,
                        formatv("dimension {0}: the input extent must be at "
                                "least {1}",
                                d, range.min));
    if (range.max < std::numeric_limits<int64_t>::max())
      checks.checkMaximum(
          shape[d], range.max,
          formatv("dimension {0}: the product of the input extent and "
                  "output_size {1} leaves a 64-bit integer above an extent of "
                  "{2}",
                  d, outputSize, range.max));
    shape[d] = b.getIndexAttr(outputSize);
    output[d] = outputSize;
  }
  if (mayLackByteCount(output, type))
    checks.checkByteCount(shape, "the output");
}

void pool::detail::generateAdaptiveChecks(OpBuilder &b, Location loc,
                                          AdaptiveOpInterface op,
                                          MessageFn generateErrorMessage) {
  CheckBuilder checks(b, loc, op, generateErrorMessage);
  generateExtentChecks(checks, b, op);
  auto maximum = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  if (maximum && maximum.getIndices() &&
      isa<RankedTensorType>(op.getInput().getType()))
    checks.checkIndexBound(checks.getExtents(op.getInput()),
                           maximum.getNormalizedAxis(),
                           getElementTypeOrSelf(maximum.getIndices()));
}

FailureOr<RankedTensorType>
AdaptiveAvgPoolOp::inferRule(ErrorFn emitError, TensorType input,
                             const Properties &properties, Type) {
  return inferAdaptiveAvgPool(emitError, input, properties.output_size,
                              properties.layout, properties.input_zp,
                              properties.output_zp);
}

FailureOr<RankedTensorType>
AdaptiveMaxPoolOp::inferRule(ErrorFn emitError, TensorType input,
                             const Properties &properties,
                             Type indexElementType) {
  return inferAdaptiveMaxPool(emitError, input, properties.output_size,
                              properties.layout, properties.axis,
                              indexElementType);
}
