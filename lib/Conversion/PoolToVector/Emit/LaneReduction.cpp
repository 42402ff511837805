// A window's reduction on vectors whose lanes are outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneReduction.h"

using namespace mlir;
using namespace mlir::pool;

Accumulator pool::selectLanes(KernelBuilder &at, Value mask, Accumulator then,
                              Accumulator otherwise) {
  auto select = [&](Value lhs, Value rhs) -> Value {
    return lhs ? at.select(mask, lhs, rhs) : Value();
  };
  return {select(then.value, otherwise.value),
          select(then.index, otherwise.index)};
}

Accumulator pool::shuffleLanes(KernelBuilder &at, Accumulator lhs,
                               Accumulator rhs, ArrayRef<int64_t> lanes) {
  return {at.shuffle(lhs.value, rhs.value, lanes),
          lhs.index ? at.shuffle(lhs.index, rhs.index, lanes) : Value()};
}

Accumulator pool::gatherLanes(KernelBuilder &at, ArrayRef<Accumulator> vectors,
                              ArrayRef<int64_t> positions) {
  SmallVector<Value> values, indices;
  for (const Accumulator &lanes : vectors) {
    values.push_back(lanes.value);
    indices.push_back(lanes.index);
  }
  return {gatherLanes(at, values, positions),
          indices[0] ? gatherLanes(at, indices, positions) : Value()};
}

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
  if (!isPoolElementType(stored) || !isPoolElementType(result))
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

//===----------------------------------------------------------------------===//
// Keys: bits of a float as an integer of the same order
//===----------------------------------------------------------------------===//

/// Negative numbers have their magnitude's bits flipped: an involution.
Value LaneReduction::flipNegative(KernelBuilder &at, Value bits) const {
  unsigned width = type.getElementTypeBitWidth();
  Value sign = arith::ShRSIOp::create(at, bits, at.splat(type, width - 1));
  Value magnitude =
      at.bitAnd(sign, getSplat(at, APInt::getSignedMaxValue(width)));
  return arith::XOrIOp::create(at, bits, magnitude);
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

Value LaneReduction::combineValues(KernelBuilder &at, Value later,
                                   Value acc) const {
  if (!usesKeys)
    return combineElements(at, at.getLoc(), elements, later, acc);
  return getExtremum(at, at.getLoc(),
                     {elements.kind, type.getElementType(), NanMode::Propagate},
                     later, acc);
}

APInt LaneReduction::getKey(const APFloat &value) const {
  APInt bits = value.bitcastToAPInt();
  if (bits.isNegative())
    bits ^= APInt::getSignedMaxValue(bits.getBitWidth());
  return bits + getKeyOffset();
}

//===----------------------------------------------------------------------===//
// Sums of 128 bits, as two vectors of halves: LLVM takes vectors of 128-bit
// integers apart into scalars
//===----------------------------------------------------------------------===//

static Accumulator getWideSum(KernelBuilder &at, Value integers,
                              bool isUnsigned) {
  auto type = cast<VectorType>(integers.getType());
  if (isUnsigned)
    return {integers, at.splat(type, 0)};
  return {integers, arith::ShRSIOp::create(at, integers, at.splat(type, 63))};
}

static Accumulator addWideSums(KernelBuilder &at, Accumulator lhs,
                               Accumulator rhs) {
  Value low = at.add(lhs.value, rhs.value);
  Value carries = at.isBelow(low, lhs.value);
  Value carry = arith::ExtUIOp::create(at, low.getType(), carries);
  Value high = at.add(lhs.index, rhs.index);
  return {low, at.add(high, carry)};
}

static Value joinWideSum(KernelBuilder &at, Accumulator sum) {
  VectorType type =
      cast<VectorType>(sum.value.getType()).clone(at.getIntegerType(128));
  Value low = arith::ExtUIOp::create(at, type, sum.value);
  Value high = arith::ExtSIOp::create(at, type, sum.index);
  high = arith::ShLIOp::create(at, high, at.splat(type, 64));
  return at.bitOr(high, low);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value LaneReduction::getStoredPadding(KernelBuilder &at) const {
  TypedAttr fill = getWindowPadding(at, elements);
  return at.constant(storedType.clone(fill.getType()), fill);
}

Value LaneReduction::load(KernelBuilder &at, Value buffer, ValueRange indices,
                          const LaneRange &range) const {
  if (range.areAll())
    return at.load(storedType, buffer, indices);
  Value lanes =
      loadLanes(at, storedType, buffer, indices, range, getStoredPadding(at));
  return castFromSignless(at, lanes, storedType);
}

Value LaneReduction::getElement(KernelBuilder &at, TypedAttr element) const {
  auto floatAttr = dyn_cast<FloatAttr>(element);
  if (!floatAttr || element.getType() == type.getElementType())
    return getSplat(at, element);
  APFloat value = floatAttr.getValue();
  if (usesKeys)
    return getSplat(at, getKey(value));
  // Padding is infinity or zero.
  return getSplat(
      at, at.getFloatAttr(type.getElementType(), value.convertToDouble()));
}

Value LaneReduction::prepare(KernelBuilder &at, Value stored) const {
  if (!usesKeys) {
    Value element = prepareElement(at, at.getLoc(), elements, stored);
    if (element.getType() == type)
      return element;
    return arith::ExtFOp::create(at, type, element);
  }
  Value bits = arith::BitcastOp::create(at, type, stored);
  Value offset = getSplat(at, getKeyOffset());
  return at.add(flipNegative(at, bits), offset);
}

int64_t LaneReduction::getNumPrepareOps() const {
  if (usesKeys)
    return 4;
  bool isExtended =
      storedType.getElementTypeBitWidth() != type.getElementTypeBitWidth();
  return isExtended + (elements.kind == Reduction::PowerSum);
}

Value LaneReduction::begin(KernelBuilder &at, Value element) const {
  if (!isIdempotent() || !isFloat() || elements.nanMode == NanMode::Propagate)
    return element;
  // A NaN would stay: no comparison with it is true.
  return combineValues(at, element, getIdentity(at));
}

Accumulator LaneReduction::combine(KernelBuilder &at, Accumulator acc,
                                   Accumulator later) const {
  assert(!isWide && "choose() is for sums of 128 bits");
  if (!acc.value)
    return later;
  if (!acc.index)
    return {combineValues(at, later.value, acc.value), {}};
  Value chosen = isPreferred(at, at.getLoc(), elements.getPreference(),
                             later.value, acc.value);
  return selectLanes(at, chosen, later, acc);
}

Accumulator LaneReduction::choose(KernelBuilder &at, Accumulator acc,
                                  Accumulator other) const {
  if (isWide)
    return addWideSums(at, acc, other);
  if (!acc.index)
    return combine(at, acc, other);
  Value chosen = isChosen(at, at.getLoc(), elements.getPreference(),
                          other.value, other.index, acc.value, acc.index);
  return selectLanes(at, chosen, other, acc);
}

Accumulator LaneReduction::getEmpty(KernelBuilder &at) const {
  Accumulator lanes{getIdentity(at), {}};
  if (hasIndices())
    lanes.index = at.splat(getPositionType(), isWide ? 0 : kNoPosition);
  return lanes;
}

Accumulator LaneReduction::getLanes(KernelBuilder &at, Value element,
                                    Value positions) const {
  if (isWide)
    return getWideSum(at, element, elements.inputType.isUnsignedInteger());
  return {element, positions};
}

Value LaneReduction::finish(KernelBuilder &at, Accumulator lanes) const {
  if (isWide)
    return joinWideSum(at, lanes);
  Value acc = lanes.value;
  if (!usesKeys) {
    if (isIdempotent() && isFloat() && storedType != type)
      return arith::TruncFOp::create(at, storedType, acc);
    if (!isa<IntegerType>(finishedType) ||
        type.getElementType() == finishedType)
      return acc;
    VectorType extended = type.clone(finishedType);
    if (elements.inputType.isUnsignedInteger())
      return arith::ExtUIOp::create(at, extended, acc);
    return arith::ExtSIOp::create(at, extended, acc);
  }
  Value bits = flipNegative(at, at.sub(acc, getSplat(at, getKeyOffset())));
  return arith::BitcastOp::create(at, storedType, bits);
}

Value LaneReduction::getNeedsRecomputing(KernelBuilder &at, Value acc) const {
  if (!hasPositions() || !isFloat() || elements.nanMode == NanMode::Propagate)
    return {};
  return arith::CmpFOp::create(at, arith::CmpFPredicate::OEQ, acc,
                               getIdentity(at));
}
