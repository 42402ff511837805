// Implements the arithmetic of extrema and averages on elements or vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Reductions.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

static Value compare(ElementBuilder &b, arith::CmpFPredicate predicate,
                     Value lhs, Value rhs) {
  return b.fold<arith::CmpFOp>(lhs, rhs, predicate);
}

/// Returns an i1 that is true if `lhs` beats `rhs`. It is false if either is
/// NaN.
static Value isBetter(ElementBuilder &b, const Preference &preference,
                      Value lhs, Value rhs) {
  // A minimum prefers the smaller element, so swap the operands.
  if (!isMaximum(preference.reduction))
    std::swap(lhs, rhs);
  if (preference.isFloat())
    return compare(b, arith::CmpFPredicate::OGT, lhs, rhs);
  return b.compare(preference.elementType.isUnsignedInteger()
                       ? arith::CmpIPredicate::ugt
                       : arith::CmpIPredicate::sgt,
                   lhs, rhs);
}

Value pool::getExtremum(ElementBuilder &b, const Preference &preference,
                        Value element, Value acc) {
  bool isMax = isMaximum(preference.reduction);
  if (preference.prefersNaN())
    return isMax ? b.fold<arith::MaximumFOp>(acc, element)
                 : b.fold<arith::MinimumFOp>(acc, element);
  if (preference.isFloat())
    return b.select(isBetter(b, preference, element, acc), element, acc);
  if (preference.elementType.isUnsignedInteger())
    return isMax ? b.fold<arith::MaxUIOp>(acc, element)
                 : b.fold<arith::MinUIOp>(acc, element);
  return isMax ? b.max(acc, element) : b.min(acc, element);
}

Value pool::isPreferred(ElementBuilder &b, const Preference &preference,
                        Value element, Value acc) {
  if (!preference.prefersNaN())
    return isBetter(b, preference, element, acc);
  // A NaN replaces every number, but no other NaN.
  auto predicate = isMaximum(preference.reduction) ? arith::CmpFPredicate::UGT
                                                   : arith::CmpFPredicate::ULT;
  Value better = compare(b, predicate, element, acc);
  return b.both(better, compare(b, arith::CmpFPredicate::ORD, acc, acc));
}

Value pool::isChosen(ElementBuilder &b, const Preference &preference,
                     Value element, Value position, Value acc,
                     Value accPosition) {
  Value earlier = b.isBelow(position, accPosition);
  Value equal = preference.isFloat()
                    ? compare(b, arith::CmpFPredicate::OEQ, element, acc)
                    : b.isEqual(element, acc);
  Value chosen =
      b.bitOr(isBetter(b, preference, element, acc), b.both(equal, earlier));
  if (!preference.prefersNaN())
    return chosen;
  // A NaN replaces every number, and a NaN at a later position.
  Value first =
      b.bitOr(compare(b, arith::CmpFPredicate::ORD, acc, acc), earlier);
  Value isNaN = compare(b, arith::CmpFPredicate::UNO, element, element);
  return b.bitOr(chosen, b.both(isNaN, first));
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

Value pool::castCount(ElementBuilder &b, OpFoldResult count, int64_t maxCount,
                      Type accType) {
  if (std::optional<int64_t> known = getConstantIntValue(count))
    return b.splat(accType, *known);
  // Convert the count to i32 if it fits. AVX2 has no instruction that converts
  // vectors of i64 to floats, and few instructions that compute with them.
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
