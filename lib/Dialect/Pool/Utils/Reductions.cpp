// Extrema and averages, element by element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

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

static Value compare(OpBuilder &b, Location loc, arith::CmpFPredicate predicate,
                     Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, loc, predicate, lhs, rhs);
}

/// True if `lhs` beats `rhs`; false if either is NaN.
static Value isBetter(OpBuilder &b, Location loc, const Preference &preference,
                      Value lhs, Value rhs) {
  // A minimum prefers the smaller element, so swap the operands.
  if (!isMaximum(preference.reduction))
    std::swap(lhs, rhs);
  if (isa<FloatType>(preference.elementType))
    return compare(b, loc, arith::CmpFPredicate::OGT, lhs, rhs);
  return arith::CmpIOp::create(b, loc,
                               preference.elementType.isUnsignedInteger()
                                   ? arith::CmpIPredicate::ugt
                                   : arith::CmpIPredicate::sgt,
                               lhs, rhs);
}

static Value isEqual(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return compare(b, loc, arith::CmpFPredicate::OEQ, lhs, rhs);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lhs, rhs);
}

/// Builds `Max` or `Min` of accumulator and element, depending on `reduction`.
template <typename Max, typename Min>
static Value combine(OpBuilder &b, Location loc, Reduction reduction,
                     Value element, Value acc) {
  if (isMaximum(reduction))
    return Max::create(b, loc, acc, element);
  return Min::create(b, loc, acc, element);
}

Value pool::getExtremum(OpBuilder &b, Location loc,
                        const Preference &preference, Value element,
                        Value acc) {
  Reduction reduction = preference.reduction;
  if (isa<FloatType>(preference.elementType)) {
    if (!ignoresNaN(preference.nanMode))
      return combine<arith::MaximumFOp, arith::MinimumFOp>(b, loc, reduction,
                                                           element, acc);
    Value better = isBetter(b, loc, preference, element, acc);
    return arith::SelectOp::create(b, loc, better, element, acc);
  }
  if (preference.elementType.isUnsignedInteger())
    return combine<arith::MaxUIOp, arith::MinUIOp>(b, loc, reduction, element,
                                                   acc);
  return combine<arith::MaxSIOp, arith::MinSIOp>(b, loc, reduction, element,
                                                 acc);
}

Value pool::isPreferred(OpBuilder &b, Location loc,
                        const Preference &preference, Value element,
                        Value acc) {
  if (!isa<FloatType>(preference.elementType) || ignoresNaN(preference.nanMode))
    return isBetter(b, loc, preference, element, acc);
  // NaN beats all numbers, but no other NaN.
  Value better =
      compare(b, loc,
              isMaximum(preference.reduction) ? arith::CmpFPredicate::UGT
                                              : arith::CmpFPredicate::ULT,
              element, acc);
  Value isNumber = compare(b, loc, arith::CmpFPredicate::ORD, acc, acc);
  return arith::AndIOp::create(b, loc, better, isNumber);
}

Value pool::isChosen(OpBuilder &b, Location loc, const Preference &preference,
                     Value element, Value position, Value acc,
                     Value accPosition) {
  Value earlier = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        position, accPosition);
  Value equal = isEqual(b, loc, element, acc);
  Value chosen =
      arith::OrIOp::create(b, loc, isBetter(b, loc, preference, element, acc),
                           arith::AndIOp::create(b, loc, equal, earlier));
  if (!isa<FloatType>(preference.elementType) || ignoresNaN(preference.nanMode))
    return chosen;
  // NaN beats every number, and a NaN at a later position.
  Value first = arith::OrIOp::create(
      b, loc, compare(b, loc, arith::CmpFPredicate::ORD, acc, acc), earlier);
  Value nan = arith::AndIOp::create(
      b, loc, compare(b, loc, arith::CmpFPredicate::UNO, element, element),
      first);
  return arith::OrIOp::create(b, loc, chosen, nan);
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

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

Value pool::castCount(ElementBuilder &b, OpFoldResult count, int64_t maxCount,
                      Type accType) {
  if (std::optional<int64_t> known = getConstantIntValue(count))
    return b.splat(accType, *known);
  // AVX2 has no instruction that converts vectors of i64 to floats, and few
  // that compute with them.
  Type type = llvm::isInt<32>(maxCount) ? b.getI32Type() : b.getI64Type();
  Value integer = b.convert<arith::IndexCastOp>(type, cast<Value>(count));
  if (isa<FloatType>(accType))
    return b.convert<arith::SIToFPOp>(accType, integer);
  return type.getIntOrFloatBitWidth() < accType.getIntOrFloatBitWidth()
             ? b.convert<arith::ExtSIOp>(accType, integer)
             : b.convert<arith::TruncIOp>(accType, integer);
}

Value pool::clampInteger(ElementBuilder &b, Value value, Type elementType,
                         int64_t offset) {
  Type type = getElementTypeOrSelf(value);
  unsigned width = type.getIntOrFloatBitWidth();
  APInt min, max;
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType)) {
    min = APInt(width, quantized.getStorageTypeMin(), /*isSigned=*/true);
    max = APInt(width, quantized.getStorageTypeMax(), /*isSigned=*/true);
  } else {
    unsigned bits = elementType.getIntOrFloatBitWidth();
    bool isUnsigned = elementType.isUnsignedInteger();
    min = isUnsigned ? APInt::getMinValue(bits).zext(width)
                     : APInt::getSignedMinValue(bits).sext(width);
    max = isUnsigned ? APInt::getMaxValue(bits).zext(width)
                     : APInt::getSignedMaxValue(bits).sext(width);
  }
  auto getConstant = [&](const APInt &bound) -> Value {
    APInt shifted = bound + APInt(width, offset, /*isSigned=*/true);
    return b.constant(b.getIntegerAttr(type, shifted));
  };
  return b.min(b.max(value, getConstant(min)), getConstant(max));
}

Value pool::truncateInteger(ElementBuilder &b, Value value, Type elementType) {
  return b.convert<arith::TruncIOp>(getSignless(elementType), value);
}
