// Masks as prefixes of lanes, or constants where they are known, and shuffles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::createLaneMask(KernelBuilder &at, int64_t length, int64_t begin,
                           int64_t end) {
  SmallVector<bool> bits(length);
  for (int64_t lane = 0; lane < length; ++lane)
    bits[lane] = begin <= lane && lane < end;
  return at.constant(VectorType::get(length, at.getI1Type()),
                     ArrayRef<bool>(bits));
}

Value pool::createLaneMask(KernelBuilder &at, int64_t length, Value begin,
                           Value end) {
  auto type = VectorType::get(length, at.getI1Type());
  auto create = [&](Value bound) -> Value {
    // Bounds are compared as 32-bit integers.
    bound = at.max(at.min(bound, length), 0);
    return vector::CreateMaskOp::create(at, type, bound);
  };
  Value mask = create(end);
  std::optional<int64_t> knownBegin;
  if (begin)
    knownBegin = getConstantIntValue(begin);
  if (!begin || knownBegin.value_or(1) <= 0)
    return mask;
  if (knownBegin)
    return at.bitAnd(mask, createLaneMask(at, length, *knownBegin, length));
  Value all = at.constant(type, true);
  Value from = arith::XOrIOp::create(at, create(begin), all);
  return at.bitAnd(mask, from);
}

Value pool::createPrefixMask(KernelBuilder &at, int64_t length,
                             Value numLanes) {
  std::optional<int64_t> known = getConstantIntValue(numLanes);
  if (!known)
    return createLaneMask(at, length, /*begin=*/Value(), numLanes);
  return *known < length ? createLaneMask(at, length, 0, *known) : Value();
}

void pool::forEachVector(KernelBuilder &at, Value count, int64_t length,
                         MutableArrayRef<Value> carried,
                         function_ref<void(Value first, Value numLanes)> body) {
  Value rest = at.rem(count, length), end = at.sub(count, rest);
  at.forEach(at.index(0), end, length, carried,
             [&](Value first) { body(first, at.index(length)); });
  if (!isConstantIntValue(rest, 0))
    body(end, rest);
}

/// The range of a constant; an empty one begins and ends at 0.
static std::optional<LaneRange> getConstantRange(Builder b,
                                                 DenseElementsAttr lanes) {
  std::optional<int64_t> begin;
  int64_t end = 0;
  for (auto [lane, isSet] : llvm::enumerate(lanes.getValues<bool>())) {
    if (!isSet)
      continue;
    if (begin && end != int64_t(lane))
      return std::nullopt;
    begin = begin.value_or(lane);
    end = lane + 1;
  }
  return LaneRange{b.getIndexAttr(begin.value_or(0)), b.getIndexAttr(end)};
}

std::optional<LaneRange> pool::getLaneRange(Builder b, Value mask) {
  int64_t length = cast<VectorType>(mask.getType()).getNumElements();
  DenseElementsAttr constant;
  if (matchPattern(mask, m_Constant(&constant)))
    return getConstantRange(b, constant);
  if (auto prefix = mask.getDefiningOp<vector::ConstantMaskOp>())
    return LaneRange{b.getIndexAttr(0),
                     b.getIndexAttr(prefix.getMaskDimSizes()[0])};
  if (auto prefix = mask.getDefiningOp<vector::CreateMaskOp>())
    return LaneRange{b.getIndexAttr(0), prefix.getOperand(0)};
  if (auto other = mask.getDefiningOp<arith::XOrIOp>()) {
    Value inverted = other.getLhs(), ones = other.getRhs();
    if (matchPattern(inverted, m_One()))
      std::swap(inverted, ones);
    std::optional<LaneRange> range = getLaneRange(b, inverted);
    if (!range || !isZeroInteger(range->begin) || !matchPattern(ones, m_One()))
      return std::nullopt;
    return LaneRange{range->end, b.getIndexAttr(length)};
  }
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return std::nullopt;
  std::optional<LaneRange> lhs = getLaneRange(b, both.getLhs());
  std::optional<LaneRange> rhs = getLaneRange(b, both.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  // One of the bounds on each side is the vector's own.
  auto choose = [](OpFoldResult lhs, OpFoldResult rhs,
                   int64_t own) -> std::optional<OpFoldResult> {
    if (isConstantIntValue(lhs, own))
      return rhs;
    if (isConstantIntValue(rhs, own))
      return lhs;
    return std::nullopt;
  };
  std::optional<OpFoldResult> begin = choose(lhs->begin, rhs->begin, 0);
  std::optional<OpFoldResult> end = choose(lhs->end, rhs->end, length);
  if (!begin || !end)
    return std::nullopt;
  return LaneRange{*begin, *end};
}

Value pool::createOneLaneMask(KernelBuilder &at, int64_t length, Value lane) {
  auto type = VectorType::get(length, at.getIndexType());
  Value lanes = vector::StepOp::create(at, type);
  return at.isEqual(lanes, at.broadcast(type, lane));
}

Value pool::gatherLanes(KernelBuilder &at, ArrayRef<Value> vectors,
                        ArrayRef<int64_t> positions) {
  constexpr int64_t kPoison = vector::ShuffleOp::kPoisonIndex;
  int64_t length = cast<VectorType>(vectors[0].getType()).getNumElements();
  assert(int64_t(positions.size()) == length && "one position for each lane");
  SmallVector<int64_t> used;
  for (int64_t position : positions)
    if (position != kPoison &&
        (used.empty() || used.back() != position / length))
      used.push_back(position / length);
  // Shuffle the vectors so far with one more.
  Value result = vectors[used[0]];
  for (size_t i = used.size() > 1 ? 1 : 0; i < used.size(); ++i) {
    SmallVector<int64_t> lanes(positions.size(), kPoison);
    for (auto [lane, position] : llvm::enumerate(positions)) {
      if (position == kPoison)
        continue;
      int64_t vector = position / length;
      if (vector == used[i] && i > 0)
        lanes[lane] = length + position % length;
      else if (vector <= used[i])
        lanes[lane] = i > 1 ? lane : position % length;
    }
    result = at.shuffle(result, vectors[used[i]], lanes);
  }
  return result;
}

/// The lane that is set, if it is known and there is just one.
static std::optional<int64_t> getOnlyLane(Value mask) {
  if (auto prefix = mask.getDefiningOp<vector::ConstantMaskOp>())
    return prefix.getMaskDimSizes()[0] == 1 ? std::optional<int64_t>(0)
                                            : std::nullopt;
  DenseElementsAttr lanes;
  if (!matchPattern(mask, m_Constant(&lanes)) ||
      llvm::count(lanes.getValues<bool>(), true) != 1)
    return std::nullopt;
  auto values = lanes.getValues<bool>();
  return std::distance(values.begin(), llvm::find(values, true));
}

Value pool::loadLanes(KernelBuilder &at, int64_t length, Value buffer,
                      ValueRange indices, Value mask, int64_t fill) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto type = VectorType::get(length, element);
  Value lanes;
  if (!mask) {
    lanes = at.load(type, buffer, indices);
  } else {
    auto signless = cast<VectorType>(getSignless(type));
    Type bare = signless.getElementType();
    TypedAttr attr = isa<FloatType>(bare)
                         ? TypedAttr(at.getFloatAttr(bare, fill))
                         : TypedAttr(at.getIntegerAttr(bare, fill));
    Value others = at.constant(signless, attr);
    lanes = vector::MaskedLoadOp::create(at, type, buffer, indices, mask,
                                         castFromSignless(at, others, type));
  }
  return castToSignless(at, lanes);
}

void pool::storeLanes(KernelBuilder &at, Value value, Value buffer,
                      ValueRange indices, Value mask) {
  if (!mask) {
    at.store(value, buffer, indices);
    return;
  }
  // One lane is stored as an element: LLVM 22's X86 backend makes of a masked
  // store of it, where lanes are truncated before, a store of all the bits that
  // were there before, which overwrites what follows.
  if (std::optional<int64_t> lane = getOnlyLane(mask)) {
    SmallVector<Value> place(indices);
    place.back() = at.add(place.back(), *lane);
    at.store(vector::ExtractOp::create(at, value, *lane), buffer, place);
    return;
  }
  vector::MaskedStoreOp::create(at, buffer, indices, mask, value);
}
