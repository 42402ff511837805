// Infers result types and checks constraints of adaptive pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"

#include "pool/Support/AdaptiveRules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

WindowAttrs pool::getAdaptiveLayout(ArrayRef<int64_t> outputSize,
                                    Layout layout) {
  WindowAttrs window;
  window.kernel = outputSize;
  window.layout = layout;
  return window;
}

int64_t pool::getCarriedAxis(int64_t axis, Layout layout) {
  WindowAttrs window;
  window.layout = layout;
  return std::min<int64_t>(axis, window.getSpatialDim(0));
}

/// Returns the message for a violation in dimension `d` of the input.
static std::string describeViolation(RuleViolation violation, unsigned d,
                                     int64_t input, int64_t output) {
  switch (violation) {
  case RuleViolation::InputBelowOne:
    return formatv("(Adaptive.C3) dimension {0}: input extent is {1}, must be "
                   "at least 1",
                   d, input)
        .str();
  case RuleViolation::OutputBelowOne:
    return formatv("(Adaptive.C4) dimension {0}: output_size is {1}, must be "
                   "at least 1",
                   d, output)
        .str();
  default:
    return formatv("(Adaptive.C5) dimension {0}: the product of the input "
                   "extent {1} and output_size {2} leaves a 64-bit integer",
                   d, input, output)
        .str();
  }
}

FailureOr<RankedTensorType>
pool::inferAdaptivePool(ErrorFn emitError, TensorType input,
                        ArrayRef<int64_t> outputSize, Layout layout) {
  if (outputSize.empty())
    return emitError(
        "(Adaptive.C2) output_size is empty, must name at least one dimension");
  WindowAttrs dims = getAdaptiveLayout(outputSize, layout);
  SmallVector<int64_t> shape(dims.getRank(), ShapedType::kDynamic);
  if (auto ranked = dyn_cast<RankedTensorType>(input)) {
    if (ranked.getEncoding())
      return emitError("(Adaptive.C1) tensor encodings are not supported");
    if (ranked.getRank() != static_cast<int64_t>(dims.getRank()))
      return emitError(
          formatv("(Adaptive.C1) the input has rank {0}, must have rank {1}: "
                  "batch, channels and the {2} dimensions of output_size",
                  ranked.getRank(), dims.getRank(), outputSize.size())
              .str());
    llvm::copy(ranked.getShape(), shape.begin());
    unsigned channelDim = dims.getChannelDim();
    if (shape[channelDim] == 0)
      return emitError(formatv("(Adaptive.C3) dimension {0}: channel extent is "
                               "0, must be at least 1",
                               channelDim)
                           .str());
  }
  for (auto [i, output] : llvm::enumerate(outputSize)) {
    unsigned d = dims.getSpatialDim(i);
    // Replace a dynamic extent by 1, which is valid for every `output`.
    int64_t extent = ShapedType::isDynamic(shape[d]) ? 1 : shape[d];
    RuleOr<AdaptiveDim> dim = resolveAdaptiveDim(extent, output);
    if (!dim)
      return emitError(describeViolation(dim.violation(), d, extent, output));
    shape[d] = output;
  }
  return RankedTensorType::get(shape, input.getElementType());
}

FailureOr<RankedTensorType>
pool::inferAdaptiveAvgPool(ErrorFn emitError, TensorType input,
                           ArrayRef<int64_t> outputSize, Layout layout,
                           int64_t inputZp, int64_t outputZp) {
  FailureOr<RankedTensorType> type =
      inferAdaptivePool(emitError, input, outputSize, layout);
  if (failed(type) ||
      failed(verifyZeroPoint(emitError, "input_zp", inputZp,
                             input.getElementType())) ||
      failed(verifyZeroPoint(emitError, "output_zp", outputZp,
                             input.getElementType())))
    return failure();
  return type;
}

FailureOr<RankedTensorType>
pool::inferAdaptiveMaxPool(ErrorFn emitError, TensorType input,
                           ArrayRef<int64_t> outputSize, Layout layout,
                           int64_t axis, Type indexElementType) {
  FailureOr<RankedTensorType> type =
      inferAdaptivePool(emitError, input, outputSize, layout);
  if (failed(type) || failed(verifyAxis(emitError, type->getRank(), axis)))
    return failure();
  if (indexElementType &&
      failed(verifyIndexBound(emitError, input,
                              pool::normalizeAxis(axis, type->getRank()),
                              indexElementType)))
    return failure();
  return type;
}

LogicalResult pool::verifyAdaptiveResult(ErrorFn emitError, StringRef name,
                                         TensorType declared,
                                         RankedTensorType inferred) {
  if (isLessStatic(declared, inferred))
    return success();
  return emitError(formatv("(Adaptive.C6) {0} has type {1}, must have {2} or "
                           "one that is less static",
                           name, declared, inferred)
                       .str());
}
