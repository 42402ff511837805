// A window's reduction on vectors whose lanes are outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneReduction.h"

#include "Emit/LaneMask.h"
#include "Emit/WideSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

Accumulator pool::selectLanes(OpBuilder &b, Location loc, Value mask,
                              Accumulator then, Accumulator otherwise) {
  auto select = [&](Value lhs, Value rhs) -> Value {
    return lhs ? arith::SelectOp::create(b, loc, mask, lhs, rhs).getResult()
               : Value();
  };
  return {select(then.value, otherwise.value),
          select(then.index, otherwise.index)};
}

bool pool::isVectorElement(Type type) { return isPoolElementType(type); }

/// Returns the narrowest type for the sums of a window. A sum of at most 2^w
/// elements of w bits has 2 w bits.
static Type getSumType(const ElementReduction &elements) {
  unsigned width = elements.inputType.getIntOrFloatBitWidth();
  if (elements.kind != Reduction::Sum || !elements.accType.isInteger() ||
      !elements.maxCount || width >= 32 ||
      *elements.maxCount > int64_t(1) << width ||
      elements.accType.getIntOrFloatBitWidth() <= 2 * width)
    return elements.accType;
  return IntegerType::get(elements.accType.getContext(), 2 * width);
}

FailureOr<LaneReduction> LaneReduction::get(ElementReduction elements,
                                            int64_t vectorBits) {
  // Elements of fewer than 64 bits are extended to halves.
  Type finished = getSignless(elements.accType);
  elements.accType = getSumType(elements);
  bool isWide =
      elements.kind == Reduction::Sum && elements.accType.isInteger(128);
  if (isWide)
    elements.accType = IntegerType::get(elements.accType.getContext(), 64);
  Type stored = elements.inputType, result = elements.accType;
  if (!isVectorElement(stored) || !isVectorElement(result))
    return failure();
  bool isNarrow = elements.isExtremum() && isa<FloatType>(stored) &&
                  stored.getIntOrFloatBitWidth() < 32;
  bool usesKeys = isNarrow && !elements.hasPositions;
  Type computed = getSignless(result);
  if (isNarrow)
    computed = usesKeys ? Type(IntegerType::get(result.getContext(),
                                                result.getIntOrFloatBitWidth()))
                        : Type(Float32Type::get(result.getContext()));
  int64_t length = getNumLanes(vectorBits, computed.getIntOrFloatBitWidth());
  return LaneReduction(elements, VectorType::get(length, stored),
                       VectorType::get(length, computed), finished, usesKeys,
                       isWide);
}

LaneReduction LaneReduction::withLength(int64_t length) const {
  LaneReduction other(*this);
  other.storedType = VectorType::get(length, storedType.getElementType());
  other.type = VectorType::get(length, type.getElementType());
  return other;
}

VectorType LaneReduction::getPositionType() const {
  return type.clone(IntegerType::get(type.getContext(), positionBits));
}

Value LaneReduction::getWidePositions(OpBuilder &b, Location loc,
                                      Value positions) const {
  return positionBits == 64
             ? positions
             : arith::ExtSIOp::create(b, loc, type.clone(b.getI64Type()),
                                      positions);
}

VectorType LaneReduction::getIndexType() const {
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
  // Where a maximum never looks, a minimum always does.
  bool isBelow = (elements.nanMode == NanMode::Ignore) ==
                 (elements.kind == Reduction::Max);
  return isBelow ? numNaNs : -numNaNs;
}

Value LaneReduction::combineKeys(OpBuilder &b, Location loc, Value key,
                                 Value acc) const {
  Type integer = type.getElementType();
  return getExtremum(b, loc, {elements.kind, integer, NanMode::Propagate}, key,
                     acc);
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
  return getWindowPadding(b, elements);
}

Value LaneReduction::getStoredPadding(OpBuilder &b, Location loc) const {
  TypedAttr fill = getStoredFill(b);
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(storedType.clone(fill.getType()), fill));
}

Value LaneReduction::load(OpBuilder &b, Location loc, Value buffer,
                          ValueRange indices, Value mask) const {
  if (!mask)
    return vector::LoadOp::create(b, loc, storedType, buffer, indices);
  return vector::MaskedLoadOp::create(
      b, loc, storedType, buffer, indices, mask,
      castFromSignless(b, loc, getStoredPadding(b, loc), storedType));
}

Value LaneReduction::loadWhole(OpBuilder &b, Location loc, Value buffer,
                               ValueRange indices, Value mask) const {
  Value lanes = load(b, loc, buffer, indices, /*mask=*/{});
  if (!mask)
    return lanes;
  lanes = arith::SelectOp::create(b, loc, mask, castToSignless(b, loc, lanes),
                                  getStoredPadding(b, loc));
  return castFromSignless(b, loc, lanes, storedType);
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
  // Padding is infinity or zero.
  return getSplat(
      b, loc, b.getFloatAttr(type.getElementType(), value.convertToDouble()));
}

Value LaneReduction::getFill(OpBuilder &b, Location loc) const {
  return isIdempotent() ? getElement(b, loc, getWindowPadding(b, elements))
                        : getSplat(b, loc, getWindowIdentity(b, elements));
}

Value LaneReduction::getIdentity(OpBuilder &b, Location loc) const {
  return getElement(b, loc, getWindowIdentity(b, elements));
}

Value LaneReduction::prepare(OpBuilder &b, Location loc, Value stored) const {
  if (!usesKeys) {
    Value element = prepareElement(b, loc, elements, stored);
    if (element.getType() == type)
      return element;
    return arith::ExtFOp::create(b, loc, type, element);
  }
  Value bits = arith::BitcastOp::create(b, loc, type, stored);
  Value offset =
      getSplat(b, loc, b.getIntegerAttr(type.getElementType(), getKeyOffset()));
  return arith::AddIOp::create(b, loc, flipNegative(b, loc, bits), offset);
}

int64_t LaneReduction::getNumPrepareOps() const {
  if (usesKeys)
    return 4;
  bool isExtended =
      storedType.getElementTypeBitWidth() != type.getElementTypeBitWidth();
  return isExtended + (elements.kind == Reduction::PowerSum);
}

Value LaneReduction::begin(OpBuilder &b, Location loc, Value element) const {
  if (!isIdempotent() || !isFloat() || elements.nanMode == NanMode::Propagate)
    return element;
  // A NaN would stay: no comparison with it is true.
  Value identity = getIdentity(b, loc);
  if (usesKeys)
    return combineKeys(b, loc, element, identity);
  return combineElements(b, loc, elements, element, identity);
}

Accumulator LaneReduction::combine(OpBuilder &b, Location loc, Accumulator acc,
                                   Accumulator later) const {
  assert(!isWide && "choose() is for sums of 128 bits");
  if (!acc.index) {
    if (usesKeys)
      return {combineKeys(b, loc, later.value, acc.value), {}};
    return {combineElements(b, loc, elements, later.value, acc.value), {}};
  }
  Value chosen =
      isPreferred(b, loc, elements.getPreference(), later.value, acc.value);
  return selectLanes(b, loc, chosen, later, acc);
}

Accumulator LaneReduction::choose(OpBuilder &b, Location loc, Accumulator acc,
                                  Accumulator other) const {
  if (isWide)
    return addWideSums(b, loc, acc, other);
  if (!acc.index)
    return combine(b, loc, acc, other);
  Value chosen = isChosen(b, loc, elements.getPreference(), other.value,
                          other.index, acc.value, acc.index);
  return selectLanes(b, loc, chosen, other, acc);
}

Accumulator LaneReduction::getEmpty(OpBuilder &b, Location loc) const {
  Accumulator lanes{getIdentity(b, loc), {}};
  if (hasIndices())
    lanes.index = getSplat(b, loc,
                           b.getIntegerAttr(getPositionType().getElementType(),
                                            isWide ? 0 : kNoPosition));
  return lanes;
}

Accumulator LaneReduction::getLanes(OpBuilder &b, Location loc, Value element,
                                    Value positions) const {
  if (isWide)
    return getWideSum(b, loc, element, elements.inputType.isUnsignedInteger());
  return {element, positions};
}

Value LaneReduction::finish(OpBuilder &b, Location loc,
                            Accumulator lanes) const {
  if (isWide)
    return joinWideSum(b, loc, lanes);
  Value acc = lanes.value;
  if (!usesKeys) {
    if (isIdempotent() && isFloat() && storedType != type)
      return arith::TruncFOp::create(b, loc, storedType, acc);
    if (!isa<IntegerType>(finishedType) ||
        type.getElementType() == finishedType)
      return acc;
    VectorType extended = type.clone(finishedType);
    if (elements.inputType.isUnsignedInteger())
      return arith::ExtUIOp::create(b, loc, extended, acc);
    return arith::ExtSIOp::create(b, loc, extended, acc);
  }
  Value offset =
      getSplat(b, loc, b.getIntegerAttr(type.getElementType(), getKeyOffset()));
  Value bits = flipNegative(b, loc, arith::SubIOp::create(b, loc, acc, offset));
  return arith::BitcastOp::create(b, loc, storedType, bits);
}

Value LaneReduction::getNeedsRecomputing(OpBuilder &b, Location loc,
                                         Value acc) const {
  if (!hasPositions() || !isFloat() || elements.nanMode == NanMode::Propagate)
    return {};
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, acc,
                               getIdentity(b, loc));
}
