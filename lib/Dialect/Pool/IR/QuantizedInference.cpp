// Checks the constraints of pooling on uniform quantized types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/TypeInference.h"

#include "pool/Dialect/Pool/IR/Quantization.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;
using quant::UniformQuantizedPerAxisType;
using quant::UniformQuantizedType;

LogicalResult pool::verifyQuantizedExtremum(ErrorFn emitError, Type elementType,
                                            const WindowAttrs &window,
                                            PadValue padValue) {
  auto perAxis = dyn_cast<UniformQuantizedPerAxisType>(elementType);
  if (perAxis) {
    int32_t axis = perAxis.getQuantizedDimension();
    for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
      if (window.getSpatialDim(i) == static_cast<unsigned>(axis))
        return emitError(formatv("(Quant.C1) {0} is quantised along dimension "
                                 "{1}, which the window spans",
                                 elementType, axis)
                             .str());
  }
  bool hasZeroPoint =
      getZeroPoint(elementType) != 0 ||
      (perAxis && llvm::any_of(perAxis.getZeroPoints(),
                               [](int64_t zeroPoint) { return zeroPoint; }));
  if (isZero(padValue) && hasZeroPoint)
    return emitError(
        formatv("(Quant.C2) pad_value is zero, which {0} does not store as 0",
                elementType)
            .str());
  return success();
}

LogicalResult pool::verifyQuantizedAvgPool(ErrorFn emitError,
                                           Type elementType) {
  if (isa<UniformQuantizedPerAxisType>(elementType))
    return emitError(formatv("(Quant.C3) {0} is quantised per axis, an average "
                             "takes one scale and one zero point",
                             elementType)
                         .str());
  auto quantized = dyn_cast<UniformQuantizedType>(elementType);
  if (!quantized)
    return success();
  int64_t zeroPoint = quantized.getZeroPoint();
  if (zeroPoint < quantized.getStorageTypeMin() ||
      zeroPoint > quantized.getStorageTypeMax())
    return emitError(formatv("(Quant.C4) the zero point of {0} is none of its "
                             "stored values, [{1}, {2}]",
                             elementType, quantized.getStorageTypeMin(),
                             quantized.getStorageTypeMax())
                         .str());
  return success();
}

LogicalResult pool::verifyRequantizedAvgPool(ErrorFn emitError, Type input,
                                             Type output) {
  if (failed(verifyQuantizedAvgPool(emitError, output)))
    return failure();
  auto from = cast<UniformQuantizedType>(input);
  auto to = cast<UniformQuantizedType>(output);
  if (getStoredType(from) != getStoredType(to))
    return emitError(formatv("(Quant.C5) the input stores {0}, the output {1}; "
                             "they must store the same",
                             getStoredType(from), getStoredType(to))
                         .str());
  if (!Rescale::get(input, output))
    return emitError(
        formatv("(Quant.C6) the ratio of the scales {0:e} and {1:e} is beyond "
                "the multipliers and shifts of TOSA",
                from.getScale(), to.getScale())
            .str());
  return success();
}
