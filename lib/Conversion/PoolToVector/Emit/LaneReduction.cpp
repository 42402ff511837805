// Emits the operations of a reduction on vectors whose lanes are outputs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneReduction.h"

using namespace mlir;
using namespace mlir::pool;

Accumulator pool::selectLanes(KernelBuilder &b, Value mask, Accumulator then,
                              Accumulator otherwise) {
  return {then.value ? b.select(mask, then.value, otherwise.value) : Value(),
          then.index ? b.select(mask, then.index, otherwise.index) : Value()};
}

Accumulator pool::shuffleLanes(KernelBuilder &b, Accumulator lhs,
                               Accumulator rhs, ArrayRef<int64_t> lanes) {
  return {b.shuffle(lhs.value, rhs.value, lanes),
          lhs.index ? b.shuffle(lhs.index, rhs.index, lanes) : Value()};
}

Accumulator pool::gatherLanes(KernelBuilder &b, ArrayRef<Accumulator> vectors,
                              ArrayRef<int64_t> positions) {
  constexpr int64_t kPoison = vector::ShuffleOp::kPoisonIndex;
  int64_t length = positions.size();
  SmallVector<int64_t> used;
  for (int64_t position : positions)
    if (position != kPoison)
      used.push_back(position / length);
  llvm::sort(used);
  used.erase(llvm::unique(used), used.end());
  // Each shuffle adds the lanes of one more vector to the result so far.
  Accumulator result = vectors[used[0]];
  for (size_t i = used.size() > 1 ? 1 : 0; i < used.size(); ++i) {
    SmallVector<int64_t> lanes(length, kPoison);
    for (auto [lane, position] : llvm::enumerate(positions)) {
      if (position == kPoison)
        continue;
      int64_t vector = position / length;
      if (vector == used[i] && i > 0)
        lanes[lane] = length + position % length;
      else if (vector <= used[i])
        lanes[lane] = i > 1 ? lane : position % length;
    }
    result = shuffleLanes(b, result, vectors[used[i]], lanes);
  }
  return result;
}

/// Returns the type of the accumulator of a window. That is the operation's
/// type, or for sums of integers a narrower type if it can hold every sum: a
/// sum of at most 2^w elements of w bits fits 2 * w bits.
static Type getSumType(const ElementReduction &elements) {
  unsigned width = elements.inputType.getIntOrFloatBitWidth();
  if (elements.kind != Reduction::Sum || !elements.accType.isInteger() ||
      !elements.maxCount || width >= 32 ||
      *elements.maxCount > int64_t(1) << width ||
      elements.accType.getIntOrFloatBitWidth() <= 2 * width)
    return elements.accType;
  return IntegerType::get(elements.accType.getContext(), 2 * width);
}

FailureOr<LaneReduction> LaneReduction::get(const ElementReduction &elements,
                                            int64_t vectorBits) {
  LaneReduction reduction(elements);
  Type &accType = reduction.elements.accType;
  accType = getSumType(elements);
  // A sum of 128 bits is kept as two halves, of 64 bits each. prepare() extends
  // narrower elements to 64 bits.
  if (elements.kind == Reduction::Sum && accType.isInteger(128)) {
    reduction.isWide = true;
    accType = IntegerType::get(accType.getContext(), 64);
  }
  Type stored = elements.inputType, computed = getSignless(accType);
  if (!isPoolElementType(stored) || !isPoolElementType(accType))
    return failure();
  bool isNarrow = elements.isExtremum() && isa<FloatType>(stored) &&
                  stored.getIntOrFloatBitWidth() < 32;
  reduction.usesKeys = isNarrow && !elements.hasPositions;
  if (reduction.usesKeys)
    computed = IntegerType::get(computed.getContext(),
                                computed.getIntOrFloatBitWidth());
  else if (isNarrow)
    computed = Float32Type::get(computed.getContext());
  int64_t length = getNumLanes(vectorBits, computed.getIntOrFloatBitWidth());
  reduction.storedType = VectorType::get(length, stored);
  reduction.type = VectorType::get(length, computed);
  return reduction;
}

LaneReduction LaneReduction::withLength(int64_t length) const {
  LaneReduction other(*this);
  other.storedType = VectorType::get(length, storedType.getElementType());
  other.type = VectorType::get(length, type.getElementType());
  return other;
}

//===----------------------------------------------------------------------===//
// Keys: integers in the order of the floats that they stand for
//===----------------------------------------------------------------------===//

// A key is made of the bits of a float. In negative numbers, all bits except
// the sign are flipped. Then an offset is added. The sum may wrap around, so
// that the keys of all NaN are at one end. As signed integers, keys ascend from
// left to right:
//
//   flipped bits           -NaN  -inf ... -0  +0 ... +inf  +NaN
//   with positive offset   +NaN  -NaN  -inf ... -0  +0 ... +inf
//   with negative offset   -inf ... -0  +0 ... +inf  +NaN  -NaN
//
// With the positive offset, a maximum ignores NaN, and a minimum chooses it.

/// Flips all bits except the sign, in lanes whose sign bit is set. If `bits`
/// are those of floats, the results compare as signed integers in the same
/// order as the floats. A second call undoes the first.
Value LaneReduction::flipNegative(KernelBuilder &b, Value bits) const {
  unsigned width = type.getElementTypeBitWidth();
  Value sign = b.fold<arith::ShRSIOp>(bits, width - 1);
  Value magnitude = b.fold<arith::AndIOp>(sign, llvm::maxIntN(width));
  return b.fold<arith::XOrIOp>(bits, magnitude);
}

int64_t LaneReduction::getKeyOffset() const {
  auto floatType = cast<FloatType>(storedType.getElementType());
  APInt inf = APFloat::getInf(floatType.getFloatSemantics()).bitcastToAPInt();
  int64_t numNaNs = llvm::maxIntN(inf.getBitWidth()) - inf.getSExtValue();
  // A maximum ignores keys below all numbers, and a minimum chooses them.
  bool isBelow = (elements.nanMode == NanMode::Ignore) ==
                 (elements.kind == Reduction::Max);
  return isBelow ? numNaNs : -numNaNs;
}

Value LaneReduction::combineValues(KernelBuilder &b, Value later,
                                   Value acc) const {
  if (!usesKeys)
    return combineElements(b, elements, later, acc);
  return getExtremum(b,
                     {elements.kind, type.getElementType(), NanMode::Propagate},
                     later, acc);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value LaneReduction::load(KernelBuilder &b, Value buffer, ValueRange indices,
                          const LaneRange &range) const {
  // The buffer of a quantized tensor has signless elements. Cast them, because
  // the reduction's elements may be unsigned.
  if (range.areAll(getLength()))
    return castFromSignless(
        b,
        b.load(storedType.clone(getElementTypeOrSelf(buffer)), buffer, indices),
        storedType);
  TypedAttr padding = getWindowPadding(b, elements);
  Value fill = b.constant(storedType.clone(padding.getType()), padding);
  Value lanes = loadLanes(b, getLength(), buffer, indices, range, fill);
  return castFromSignless(b, lanes, storedType);
}

Value LaneReduction::getElement(KernelBuilder &b, TypedAttr element) const {
  auto floatAttr = dyn_cast<FloatAttr>(element);
  if (!floatAttr || element.getType() == type.getElementType())
    return b.constant(type, element);
  APFloat value = floatAttr.getValue();
  if (!usesKeys)
    // Padding is infinite or zero, so converting it is exact.
    return b.constant(
        type, b.getFloatAttr(type.getElementType(), value.convertToDouble()));
  int64_t bits = value.bitcastToAPInt().getSExtValue();
  if (bits < 0)
    bits ^= llvm::maxIntN(type.getElementTypeBitWidth());
  return b.splat(type, bits + getKeyOffset());
}

Value LaneReduction::prepare(KernelBuilder &b, Value stored) const {
  if (!usesKeys)
    return b.convert<arith::ExtFOp>(type.getElementType(),
                                    prepareElement(b, elements, stored));
  Value bits = arith::BitcastOp::create(b, type, stored);
  return b.add(flipNegative(b, bits), getKeyOffset());
}

int64_t LaneReduction::getNumPrepareOps() const {
  if (usesKeys)
    return 4;
  bool isExtended =
      storedType.getElementTypeBitWidth() != type.getElementTypeBitWidth();
  return isExtended + (elements.kind == Reduction::PowerSum);
}

Value LaneReduction::begin(KernelBuilder &b, Value element) const {
  if (!isIdempotent() || !isFloat() || elements.nanMode == NanMode::Propagate)
    return element;
  // An ignored NaN must not be the first value. It would stay, because no
  // comparison with it is true.
  return combineValues(b, element, getIdentity(b));
}

Accumulator LaneReduction::combine(KernelBuilder &b, Accumulator acc,
                                   Accumulator later) const {
  assert(!isWide && "choose() is for sums of 128 bits");
  if (!acc.value)
    return later;
  if (!acc.index)
    return {combineValues(b, later.value, acc.value), {}};
  Value chosen =
      isPreferred(b, elements.getPreference(), later.value, acc.value);
  return selectLanes(b, chosen, later, acc);
}

Accumulator LaneReduction::choose(KernelBuilder &b, Accumulator acc,
                                  Accumulator other) const {
  if (!acc.value)
    return other;
  if (isWide) {
    Value low = b.add(acc.value, other.value);
    Value carry =
        arith::ExtUIOp::create(b, low.getType(), b.isBelow(low, acc.value));
    return {low, b.add(b.add(acc.index, other.index), carry)};
  }
  if (!acc.index)
    return combine(b, acc, other);
  Value chosen = isChosen(b, elements.getPreference(), other.value, other.index,
                          acc.value, acc.index);
  return selectLanes(b, chosen, other, acc);
}

Accumulator LaneReduction::getEmpty(KernelBuilder &b) const {
  Accumulator lanes{getIdentity(b), {}};
  if (hasIndices())
    lanes.index = b.splat(getPositionType(), isWide ? 0 : kNoPosition);
  return lanes;
}

Accumulator LaneReduction::getLanes(KernelBuilder &b, Value element,
                                    Value positions) const {
  if (!isWide)
    return {element, positions};
  if (elements.inputType.isUnsignedInteger())
    return {element, b.splat(type, 0)};
  return {element, b.fold<arith::ShRSIOp>(element, 63)};
}

Value LaneReduction::finish(KernelBuilder &b, Accumulator lanes) const {
  Value acc = lanes.value;
  if (usesKeys) {
    Value bits = flipNegative(b, b.sub(acc, getKeyOffset()));
    return arith::BitcastOp::create(b, storedType, bits);
  }
  if (isIdempotent() && isFloat() && storedType != type)
    return arith::TruncFOp::create(b, storedType, acc);
  if (!isa<IntegerType>(finishedType) || type.getElementType() == finishedType)
    return acc;
  acc = isWide || elements.inputType.isUnsignedInteger()
            ? b.convert<arith::ExtUIOp>(finishedType, acc)
            : b.convert<arith::ExtSIOp>(finishedType, acc);
  if (!isWide)
    return acc;
  Value high = b.convert<arith::ExtSIOp>(finishedType, lanes.index);
  return b.bitOr(b.fold<arith::ShLIOp>(high, 64), acc);
}

Value LaneReduction::getNeedsRecomputing(KernelBuilder &b, Value acc) const {
  if (!hasPositions() || !isFloat() || elements.nanMode == NanMode::Propagate)
    return {};
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, acc,
                               getIdentity(b));
}
