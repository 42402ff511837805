// Ranges of lanes as masks, shuffles, and loads and stores of ranges.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

using namespace mlir;
using namespace mlir::pool;

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

void pool::forEachVector(
    KernelBuilder &at, Value count, int64_t length, const Carried &carried,
    function_ref<void(Value first, const LaneRange &lanes)> body) {
  Value rest = at.rem(count, length), end = at.sub(count, rest);
  at.forEach(at.index(0), end, length, carried,
             [&](Value first) { body(first, {}); });
  if (!isConstantIntValue(rest, 0))
    body(end, {{}, rest});
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
    if (position != kPoison)
      used.push_back(position / length);
  llvm::sort(used);
  used.erase(llvm::unique(used), used.end());
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

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// Builds what stands for one access to `buffer`, of a vector of `type` from
/// `indices` on. Lanes are signless. The access is masked, if the machine does
/// that fast. Otherwise LLVM would test the mask and move the elements lane by
/// lane. So a known range becomes one part of a power of two lanes, or two that
/// overlap. For an unknown range, a load reads the whole vector if the buffer
/// has it. A store of an unknown number of first lanes becomes one store for
/// each bit of that number. A store of another unknown range stays masked.
///
/// No load uses, and no store touches, an element outside of the range.
class LaneAccess {
public:
  LaneAccess(KernelBuilder &at, Value buffer, ValueRange indices,
             VectorType type)
      : at(at), buffer(buffer), indices(indices), type(type),
        stored(type.getElementType()), length(type.getNumElements()) {}

  Value load(const LaneRange &range, Value others) {
    if (range.areAll())
      return castToSignless(at, at.load(type, buffer, indices));
    if (isMasked(at.target.leastMaskedLoadBits))
      return castToSignless(
          at, vector::MaskedLoadOp::create(at, type, buffer, indices,
                                           createLaneMask(at, length, range),
                                           castFromSignless(at, others, type)));
    if (auto known = range.getKnown(length))
      return known->first < known->second
                 ? loadKnown(known->first, known->second, others)
                 : others;
    return loadUnknown(getBound(range.begin, 0), getBound(range.end, length),
                       others);
  }

  void store(const LaneRange &range, Value lanes) {
    if (range.areAll())
      return storePart(lanes, at.index(0));
    auto known = range.getKnown(length);
    if (known && known->first == known->second)
      return;
    // One lane is stored as an element: LLVM 22's X86 backend makes of a masked
    // store of it, where lanes are truncated before, a store of all the bits
    // that were there before, which overwrites what follows.
    if (known && known->first + 1 == known->second)
      return at.store(
          castFromSignless(
              at, vector::ExtractOp::create(at, lanes, known->first), stored),
          buffer, getIndices(at.index(known->first)));
    bool isPrefix = !range.begin || isConstantIntValue(range.begin, 0);
    if (isMasked(at.target.leastMaskedStoreBits) || (!known && !isPrefix)) {
      vector::MaskedStoreOp::create(at, buffer, indices,
                                    createLaneMask(at, length, range),
                                    castFromSignless(at, lanes, type));
      return;
    }
    if (known)
      return storeKnown(known->first, known->second, lanes);
    storeFirst(getBound(range.end, length), lanes);
  }

private:
  /// True if the access is emitted masked: the lanes have at least `leastBits`
  /// bits and the machine masks them, or parts of the vector cannot be
  /// accessed.
  bool isMasked(int64_t leastBits) const {
    if (!stored.isIntOrFloat())
      return true;
    int64_t bits = type.getElementTypeBitWidth();
    return bits >= leastBits &&
           at.target.hasMasks(bits, length, stored.isBF16());
  }

  /// The indices of lane `offset`.
  SmallVector<Value> getIndices(Value offset) {
    SmallVector<Value> result(indices);
    result.back() = at.add(result.back(), offset);
    return result;
  }
  Value loadPart(Value offset, int64_t numLanes) {
    return castToSignless(at, at.load(VectorType::get(numLanes, stored), buffer,
                                      getIndices(offset)));
  }
  void storePart(Value part, Value offset) {
    Type partType = cast<VectorType>(part.getType()).clone(stored);
    at.store(castFromSignless(at, part, partType), buffer, getIndices(offset));
  }
  /// Lanes [begin, begin + numLanes).
  Value extract(Value lanes, int64_t begin, int64_t numLanes) {
    return at.shuffle(lanes, lanes,
                      llvm::to_vector(llvm::seq(begin, begin + numLanes)));
  }
  /// Moves a bound into the vector; null is the vector's own, `bound`.
  Value getBound(Value value, int64_t bound) {
    return value ? at.max(at.min(value, length), 0) : at.index(bound);
  }

  Value loadKnown(int64_t begin, int64_t end, Value others) {
    int64_t part = llvm::bit_floor<uint64_t>(end - begin);
    Value first = loadPart(at.index(begin), part);
    Value last =
        begin + part == end ? first : loadPart(at.index(end - part), part);
    SmallVector<int64_t> lanes(length, vector::ShuffleOp::kPoisonIndex);
    for (int64_t lane = begin; lane < end; ++lane)
      lanes[lane] = lane < begin + part ? lane - begin : 2 * part + lane - end;
    Value loaded = at.shuffle(first, last, lanes);
    for (int64_t lane = 0; lane < length; ++lane)
      lanes[lane] = begin <= lane && lane < end ? lane : length + lane;
    return at.shuffle(loaded, others, lanes);
  }

  Value loadUnknown(Value begin, Value end, Value others) {
    // Most vectors that exceed a row do not exceed the buffer. Load the whole
    // vector, and ignore the lanes of other rows.
    auto bufferType = cast<MemRefType>(buffer.getType());
    bool canCompare = llvm::isIntN(type.getElementTypeBitWidth(), /*x=*/length);
    if (!bufferType.getLayout().isIdentity() || !canCompare)
      return loadOneByOne(begin, end, others);
    Value size = at.index(1), position = at.index(0);
    for (int64_t d = bufferType.getRank(); d-- > 0;) {
      position = at.add(position, at.mul(indices[d], size));
      size = at.mul(size, at.createOrFold<memref::DimOp>(buffer, d));
    }
    Value fits = at.both(at.isAtLeast(position, 0),
                         at.isAtLeast(at.sub(size, length), position));
    return at.select(
        fits,
        [&] {
          auto flat = memref::ReinterpretCastOp::create(
              at,
              MemRefType::get({ShapedType::kDynamic}, stored,
                              MemRefLayoutAttrInterface(),
                              bufferType.getMemorySpace()),
              buffer, /*offset=*/at.getIndexAttr(0),
              /*sizes=*/ArrayRef<OpFoldResult>(size),
              /*strides=*/ArrayRef<OpFoldResult>(at.getIndexAttr(1)));
          Value lanes = castToSignless(at, at.load(type, flat, position));
          return at.select(getLanesWithin(begin, end), lanes, others);
        },
        [&] { return loadOneByOne(begin, end, others); });
  }

  Value loadOneByOne(Value begin, Value end, Value others) {
    Value lanes = others;
    at.forEach(begin, end, 1, lanes, [&](Value lane) {
      Value loaded = castToSignless(at, at.load(buffer, getIndices(lane)));
      lanes = vector::InsertOp::create(at, loaded, lanes, lane);
    });
    return lanes;
  }

  /// Lanes [begin, end) as a mask.
  Value getLanesWithin(Value begin, Value end) {
    // Compared in lanes as wide as the elements.
    VectorType integers =
        type.clone(at.getIntegerType(type.getElementTypeBitWidth()));
    Value lanes = at.lanes(integers, llvm::to_vector(llvm::seq(length)));
    auto compare = [&](arith::CmpIPredicate predicate, Value bound) -> Value {
      return arith::CmpIOp::create(at, predicate, lanes,
                                   at.splat(integers, bound));
    };
    Value before = compare(arith::CmpIPredicate::slt, end);
    if (isConstantIntValue(begin, 0))
      return before;
    return at.bitAnd(before, compare(arith::CmpIPredicate::sge, begin));
  }

  void storeKnown(int64_t begin, int64_t end, Value lanes) {
    int64_t part = llvm::bit_floor<uint64_t>(end - begin);
    storePart(extract(lanes, begin, part), at.index(begin));
    if (begin + part < end)
      storePart(extract(lanes, end - part, part), at.index(end - part));
  }

  void storeFirst(Value count, Value lanes) {
    at.ifElse(at.isAtLeast(count, length), [&](bool areAll) {
      if (areAll)
        return storePart(lanes, at.index(0));
      // One part for each bit of `count`, longer ones first. The lowest lanes
      // are those still to be stored.
      for (int64_t part = length / 2; part > 0; part /= 2) {
        Value given = lanes, offset = at.bitAnd(count, at.index(-2 * part));
        Value bit = at.bitAnd(count, at.index(part));
        lanes = at.select(
            arith::CmpIOp::create(at, arith::CmpIPredicate::ne, bit,
                                  at.index(0)),
            [&] {
              storePart(extract(given, 0, part), offset);
              return extract(given, part, part);
            },
            [&] { return extract(given, 0, part); });
      }
    });
  }

  KernelBuilder &at;
  Value buffer;
  ValueRange indices;
  VectorType type;
  Type stored;
  int64_t length;
};
} // namespace

Value pool::loadLanes(KernelBuilder &at, VectorType type, Value buffer,
                      ValueRange indices, const LaneRange &range,
                      Value others) {
  return LaneAccess(at, buffer, indices, type).load(range, others);
}

Value pool::loadLanes(KernelBuilder &at, int64_t length, Value buffer,
                      ValueRange indices, const LaneRange &range,
                      int64_t fill) {
  Type stored = getElementTypeOrSelf(buffer);
  auto type = VectorType::get(length, stored);
  Type element = getSignless(stored);
  TypedAttr attr = isa<FloatType>(element)
                       ? TypedAttr(at.getFloatAttr(element, fill))
                       : TypedAttr(at.getIntegerAttr(element, fill));
  Value others =
      range.areAll() ? Value() : at.constant(type.clone(element), attr);
  return loadLanes(at, type, buffer, indices, range, others);
}

void pool::storeLanes(KernelBuilder &at, Value value, Value buffer,
                      ValueRange indices, const LaneRange &range) {
  LaneAccess(at, buffer, indices, cast<VectorType>(value.getType()))
      .store(range, castToSignless(at, value));
}
