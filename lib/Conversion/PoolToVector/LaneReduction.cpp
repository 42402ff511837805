// A window's reduction on vectors whose lanes are outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Transforms/WindowBody.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

bool pool::isVectorElement(Type type) {
  if (isa<FloatType>(type))
    return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  auto integer = dyn_cast<IntegerType>(type);
  return integer && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
}

FailureOr<LaneReduction> LaneReduction::get(WindowReduceOp op,
                                            int64_t vectorBits) {
  Type stored = getElementTypeOrSelf(op.getInput().getType());
  Type result = getElementTypeOrSelf(op.getOuts()[0].getType());
  if (!isVectorElement(stored) || !isVectorElement(result))
    return failure();
  bool isMax = op.getReduction() == Reduction::Max;
  bool isNarrow =
      isMax && isa<FloatType>(stored) && stored.getIntOrFloatBitWidth() < 32;
  bool usesKeys = isNarrow && !op.hasPositions();
  Type computed = getSignless(result);
  if (isNarrow)
    computed = usesKeys ? Type(IntegerType::get(op.getContext(),
                                                result.getIntOrFloatBitWidth()))
                        : Type(Float32Type::get(op.getContext()));
  unsigned width = computed.getIntOrFloatBitWidth();
  int64_t length = std::max<int64_t>(vectorBits / width, 2);
  return LaneReduction(op, VectorType::get(length, stored),
                       VectorType::get(length, computed), usesKeys);
}

VectorType LaneReduction::getCodeType() const {
  return type.clone(IntegerType::get(type.getContext(), 32));
}

Value LaneReduction::getSplat(OpBuilder &b, Location loc,
                              TypedAttr element) const {
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type.clone(element.getType()), element));
}

//===----------------------------------------------------------------------===//
// Keys: bits of a float as an integer of the same order
//===----------------------------------------------------------------------===//

/// Negative numbers have their magnitude's bits flipped: an involution.
Value LaneReduction::flipNegative(OpBuilder &b, Location loc,
                                  Value bits) const {
  unsigned width = type.getElementTypeBitWidth();
  Type integer = type.getElementType();
  Value sign = arith::ShRSIOp::create(
      b, loc, bits, getSplat(b, loc, b.getIntegerAttr(integer, width - 1)));
  Value magnitude = arith::AndIOp::create(
      b, loc, sign,
      getSplat(b, loc,
               b.getIntegerAttr(integer, APInt::getSignedMaxValue(width))));
  return arith::XOrIOp::create(b, loc, bits, magnitude);
}

APInt LaneReduction::getKeyOffset() const {
  auto floatType = cast<FloatType>(storedType.getElementType());
  APInt inf = APFloat::getInf(floatType.getFloatSemantics()).bitcastToAPInt();
  APInt numNaNs = APInt::getSignedMaxValue(inf.getBitWidth()) - inf;
  return op.getNanMode() == NanMode::Ignore ? numNaNs : -numNaNs;
}

APInt LaneReduction::getKey(const APFloat &value) const {
  APInt bits = value.bitcastToAPInt();
  if (bits.isNegative())
    bits ^= APInt::getSignedMaxValue(bits.getBitWidth());
  return bits + getKeyOffset();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

TypedAttr LaneReduction::getStoredFill(OpBuilder &b) const {
  return getWindowPadding(b, op);
}

Value LaneReduction::getElement(OpBuilder &b, Location loc,
                                TypedAttr element) const {
  auto floatAttr = dyn_cast<FloatAttr>(element);
  if (!floatAttr || element.getType() == type.getElementType())
    return getSplat(b, loc, element);
  APFloat value = floatAttr.getValue();
  if (usesKeys)
    return getSplat(b, loc,
                    b.getIntegerAttr(type.getElementType(), getKey(value)));
  // Of padding: infinity or zero.
  return getSplat(
      b, loc, b.getFloatAttr(type.getElementType(), value.convertToDouble()));
}

Value LaneReduction::getFill(OpBuilder &b, Location loc) const {
  return isIdempotent() ? getElement(b, loc, getWindowPadding(b, op))
                        : getSplat(b, loc, getWindowIdentity(b, op));
}

Value LaneReduction::getIdentity(OpBuilder &b, Location loc) const {
  return getElement(b, loc, getWindowIdentity(b, op));
}

Value LaneReduction::prepare(OpBuilder &b, Location loc, Value stored) const {
  if (!usesKeys) {
    Value element = prepareElement(b, loc, op, stored);
    if (element.getType() == type)
      return element;
    return arith::ExtFOp::create(b, loc, type, element);
  }
  Value bits = arith::BitcastOp::create(b, loc, type, stored);
  Value offset =
      getSplat(b, loc, b.getIntegerAttr(type.getElementType(), getKeyOffset()));
  return arith::AddIOp::create(b, loc, flipNegative(b, loc, bits), offset);
}

Value LaneReduction::begin(OpBuilder &b, Location loc, Value element) const {
  if (!isIdempotent() || !isFloat() || op.getNanMode() == NanMode::Propagate)
    return element;
  // A NaN would stay: no comparison with it is true.
  Value lowest = getIdentity(b, loc);
  if (usesKeys)
    return arith::MaxSIOp::create(b, loc, element, lowest);
  return combineElements(b, loc, op, element, lowest);
}

Lanes LaneReduction::combine(OpBuilder &b, Location loc, Lanes acc,
                             Lanes later) const {
  if (!acc.code) {
    if (usesKeys)
      return {arith::MaxSIOp::create(b, loc, acc.value, later.value), {}};
    return {combineElements(b, loc, op, later.value, acc.value), {}};
  }
  Value chosen;
  if (!isFloat()) {
    bool isUnsigned = storedType.getElementType().isUnsignedInteger();
    chosen = arith::CmpIOp::create(b, loc,
                                   isUnsigned ? arith::CmpIPredicate::ugt
                                              : arith::CmpIPredicate::sgt,
                                   later.value, acc.value);
  } else if (op.getNanMode() == NanMode::Ignore) {
    chosen = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                   later.value, acc.value);
  } else {
    // NaN is greater than all numbers, and no greater than another.
    Value greater = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UGT,
                                          later.value, acc.value);
    Value isNumber = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD,
                                           acc.value, acc.value);
    chosen = arith::AndIOp::create(b, loc, greater, isNumber);
  }
  return {arith::SelectOp::create(b, loc, chosen, later.value, acc.value),
          arith::SelectOp::create(b, loc, chosen, later.code, acc.code)};
}

Value LaneReduction::finish(OpBuilder &b, Location loc, Value acc) const {
  if (!usesKeys) {
    if (isIdempotent() && isFloat() && storedType != type)
      return arith::TruncFOp::create(b, loc, storedType, acc);
    return acc;
  }
  Value offset =
      getSplat(b, loc, b.getIntegerAttr(type.getElementType(), getKeyOffset()));
  Value bits = flipNegative(b, loc, arith::SubIOp::create(b, loc, acc, offset));
  return arith::BitcastOp::create(b, loc, storedType, bits);
}

Value LaneReduction::getDoubtful(OpBuilder &b, Location loc, Value acc) const {
  if (!hasPositions() || !isFloat() || op.getNanMode() == NanMode::Propagate)
    return {};
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, acc,
                               getIdentity(b, loc));
}
