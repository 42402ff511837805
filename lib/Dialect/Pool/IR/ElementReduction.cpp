// Derives the ElementReduction of each operation from its attributes and types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMethods.h"

#include "pool/Dialect/Pool/IR/ElementReduction.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Support/AdaptiveRules.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

StringRef pool::getNoun(Reduction reduction) {
  return isMaximum(reduction) ? "maximum" : "minimum";
}

PadValue pool::getNeverChosen(Reduction reduction) {
  return isMaximum(reduction) ? PadValue::NegInf : PadValue::PosInf;
}

TypedAttr pool::getIdentity(OpBuilder &b, Type type, Reduction reduction) {
  bool isMax = isMaximum(reduction);
  if (auto floatType = dyn_cast<FloatType>(type))
    return b.getFloatAttr(type, APFloat::getInf(floatType.getFloatSemantics(),
                                                /*Negative=*/isMax));
  Type stored = getStoredType(type);
  unsigned width = stored.getIntOrFloatBitWidth();
  auto getAttr = [&](const APInt &value) {
    return b.getIntegerAttr(getSignless(stored), value);
  };
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    return getAttr(APInt(width,
                         isMax ? quantized.getStorageTypeMin()
                               : quantized.getStorageTypeMax(),
                         /*isSigned=*/true, /*implicitTrunc=*/true));
  if (stored.isUnsignedInteger())
    return getAttr(isMax ? APInt::getMinValue(width)
                         : APInt::getMaxValue(width));
  return getAttr(isMax ? APInt::getSignedMinValue(width)
                       : APInt::getSignedMaxValue(width));
}

Type pool::getIntegerAccumulator(Type elementType, int64_t numPositions,
                                 int64_t divisor) {
  // Add 2 bits: one for the sign, and one because an element less its zero
  // point has one bit more than the element.
  unsigned bits = elementType.getIntOrFloatBitWidth() +
                  llvm::Log2_64_Ceil(numPositions) + 2;
  bits =
      std::max<unsigned>(bits, llvm::Log2_64(llvm::AbsoluteValue(divisor)) + 2);
  unsigned width = bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
  return IntegerType::get(elementType.getContext(), width);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

ElementReduction pool::detail::getExtremumReduction(ExtremumOpInterface op) {
  Type type = getStoredType(getElementTypeOrSelf(op.getInput()));
  ElementReduction reduction(op.getReduction(), type, type);
  ExtremumModes modes = op.getModes();
  reduction.nanMode = modes.nanMode;
  if (modes.padValue != getNeverChosen(op.getReduction()))
    reduction.padValue = modes.padValue;
  reduction.hasPositions = static_cast<bool>(op.getIndices());
  reduction.maxCount = getProduct(op.getWindow().kernel);
  return reduction;
}

ElementReduction AvgPoolOp::getElementReduction() {
  Type type = getStoredType(getInput().getType().getElementType());
  int64_t numPositions = *getProduct(getKernel());
  ElementReduction reduction(
      Reduction::Sum, type,
      isa<FloatType>(type)
          ? getFloatAccumulator(type)
          : getIntegerAccumulator(type, numPositions,
                                  getDivisorOverride().value_or(1)));
  reduction.maxCount = numPositions;
  return reduction;
}

ElementReduction LpPoolOp::getElementReduction() {
  Type type = getInput().getType().getElementType();
  ElementReduction reduction(Reduction::PowerSum, type,
                             getFloatAccumulator(type));
  reduction.p = getP();
  reduction.maxCount = getProduct(getKernel());
  return reduction;
}

ElementReduction AdaptiveAvgPoolOp::getElementReduction() {
  Type element = getInput().getType().getElementType();
  if (isa<FloatType>(element))
    return {Reduction::Sum, element, getFloatAccumulator(element)};
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> shape = getFoldedShape(getInput());
  ArrayRef<int64_t> extents =
      ArrayRef(shape).drop_front(isChannelsFirst(getLayout()) ? 2 : 1);
  for (auto [input, output] : llvm::zip(extents, getOutputSize()))
    sizes.push_back(ShapedType::isDynamic(input)
                        ? kAddressable
                        : AdaptiveDim{input, output}.getMaxSize());
  int64_t maxCount =
      std::min(getProduct(sizes).value_or(kAddressable), kAddressable);
  return {Reduction::Sum, element,
          getIntegerAccumulator(element, maxCount, /*divisor=*/1)};
}

ElementReduction AdaptiveMaxPoolOp::getElementReduction() {
  Type type = getInput().getType().getElementType();
  ElementReduction reduction(Reduction::Max, type, type);
  reduction.nanMode = getNanMode();
  reduction.hasPositions = static_cast<bool>(getIndices());
  return reduction;
}

ElementReduction WindowReduceOp::getElementReduction() {
  ElementReduction reduction(getReduction(), getElementTypeOrSelf(getInput()),
                             getElementTypeOrSelf(getOuts()[0]));
  reduction.nanMode = getNanMode();
  reduction.padValue = getPadValue();
  reduction.p = getP();
  reduction.hasPositions = hasPositions();
  reduction.maxCount = getProduct(getKernel());
  return reduction;
}
