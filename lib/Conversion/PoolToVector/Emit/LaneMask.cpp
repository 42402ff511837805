// Ranges of lanes as masks, and shuffles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

using namespace mlir;
using namespace mlir::pool;

LaneRange LaneRange::get(KernelBuilder &at, int64_t length, int64_t begin,
                         int64_t end) {
  return {begin > 0 ? at.index(begin) : Value(),
          end < length ? at.index(end) : Value()};
}

LaneRange LaneRange::getFirst(int64_t length, Value numLanes) {
  std::optional<int64_t> known = getConstantIntValue(numLanes);
  return {{}, known.value_or(0) >= length ? Value() : numLanes};
}

std::optional<std::pair<int64_t, int64_t>>
LaneRange::getKnown(int64_t length) const {
  std::optional<int64_t> first = 0, last = length;
  if (begin)
    first = getConstantIntValue(begin);
  if (end)
    last = getConstantIntValue(end);
  if (!first || !last)
    return std::nullopt;
  *first = std::clamp<int64_t>(*first, 0, length);
  return std::pair(*first, std::clamp<int64_t>(*last, *first, length));
}

Value pool::createLaneMask(KernelBuilder &at, int64_t length,
                           const LaneRange &range) {
  if (range.areAll())
    return {};
  auto type = VectorType::get(length, at.getI1Type());
  if (auto known = range.getKnown(length)) {
    SmallVector<bool> bits(length, false);
    std::fill(bits.begin() + known->first, bits.begin() + known->second, true);
    return at.constant(type, ArrayRef<bool>(bits));
  }
  auto createPrefix = [&](Value bound) -> Value {
    // Bounds are compared as 32-bit integers.
    bound = at.max(at.min(bound, length), 0);
    return at.createOrFold<vector::CreateMaskOp>(type, bound);
  };
  Value mask = range.end ? createPrefix(range.end) : Value();
  if (!range.begin || getConstantIntValue(range.begin).value_or(1) <= 0)
    return mask;
  Value from = arith::XOrIOp::create(at, createPrefix(range.begin),
                                     at.constant(type, true));
  return at.both(mask, from);
}

Value pool::selectRange(KernelBuilder &at, const LaneRange &range, Value then,
                        Value otherwise) {
  int64_t length = cast<VectorType>(then.getType()).getNumElements();
  Value mask = createLaneMask(at, length, range);
  return mask ? at.select(mask, then, otherwise) : then;
}

void pool::forEachVector(KernelBuilder &at, Value count, int64_t length,
                         const Carried &carried,
                         function_ref<void(Value first, Value numLanes)> body) {
  Value rest = at.rem(count, length), end = at.sub(count, rest);
  at.forEach(at.index(0), end, length, carried,
             [&](Value first) { body(first, at.index(length)); });
  if (!isConstantIntValue(rest, 0))
    body(end, rest);
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
