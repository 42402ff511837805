// Emits ranges of lanes as masks, and loads and stores of such ranges.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

using namespace mlir;
using namespace mlir::pool;

std::optional<std::pair<int64_t, int64_t>>
LaneRange::getKnown(int64_t length) const {
  std::optional<int64_t> first = begin.getKnown(), last = end.getKnown();
  if (!first || !last)
    return std::nullopt;
  *first = std::clamp<int64_t>(*first, 0, length);
  return std::pair(*first, std::clamp<int64_t>(*last, *first, length));
}

Value pool::createLaneMask(KernelBuilder &b, int64_t length,
                           const LaneRange &range) {
  if (range.areAll(length))
    return {};
  auto type = VectorType::get(length, b.getI1Type());
  if (auto known = range.getKnown(length))
    return b.lanes(type, [&](int64_t lane) {
      return known->first <= lane && lane < known->second;
    });
  auto createPrefix = [&](Operand bound) -> Value {
    // vector.create_mask compares 32-bit integers, so clamp the bounds.
    Value inside = b.max(b.min(bound, length), 0);
    return b.createOrFold<vector::CreateMaskOp>(type, inside);
  };
  bool endsInside = range.end.getKnown().value_or(0) < length;
  Value mask = endsInside ? createPrefix(range.end) : Value();
  if (range.begin.getKnown().value_or(1) <= 0)
    return mask;
  Value from = arith::XOrIOp::create(b, createPrefix(range.begin),
                                     b.constant(type, true));
  return b.both(mask, from);
}

Value pool::selectRange(KernelBuilder &b, const LaneRange &range, Value then,
                        Value otherwise) {
  int64_t length = cast<VectorType>(then.getType()).getNumElements();
  return b.select(createLaneMask(b, length, range), then, otherwise);
}

void pool::forEachVector(
    KernelBuilder &b, Value count, int64_t length, const LoopState &carried,
    function_ref<void(Value first, const LaneRange &lanes)> body) {
  Value rest = b.rem(count, length), end = b.sub(count, rest);
  b.forEach(0, end, length, carried, [&](Value first) { body(first, {}); });
  b.forEach(end, count, length, carried,
            [&](Value first) { body(first, {0, rest}); });
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// Emits one load or store of `length` elements, from `indices` of `buffer` on.
/// Lanes are signless, whatever the elements are.
///
/// If the machine has fast masks, the load or store is masked; see isMasked().
/// On other machines, LLVM would make a masked operation a test and a branch
/// for each lane. So it is emitted as follows instead:
///
///   - A known range is loaded or stored as one part whose length is a power of
///     two, or as two such parts, which overlap.
///   - A load of an unknown range loads the whole vector if that is inside the
///     buffer, and then replaces the lanes outside of the range. Otherwise it
///     loads the elements of the range one by one.
///   - A store of the first n lanes, where n is unknown, is one store for each
///     bit that is set in n. A store of another unknown range is masked.
struct LaneAccess {
  KernelBuilder &b;
  Value buffer;
  ValueRange indices;
  VectorType type;
  Type stored = type.getElementType();
  int64_t length = type.getNumElements();

  Value load(const LaneRange &range, Operand otherLanes) {
    if (range.areAll(length))
      return castToSignless(b, b.load(type, buffer, indices));
    Value others = b.splat(getSignless(type), otherLanes);
    if (isMasked(b.target.leastMaskedLoadBits))
      return castToSignless(
          b, vector::MaskedLoadOp::create(b, type, buffer, indices,
                                          createLaneMask(b, length, range),
                                          castFromSignless(b, others, type)));
    if (auto known = range.getKnown(length))
      return known->first < known->second
                 ? loadKnown(known->first, known->second, others)
                 : others;
    return loadUnknown(getBound(range.begin), getBound(range.end), others);
  }

  void store(const LaneRange &range, Value lanes) {
    if (range.areAll(length))
      return storePart(lanes, 0);
    auto known = range.getKnown(length);
    if (known && known->first == known->second)
      return;
    // Store a single lane as an element, never masked. LLVM 22's X86 backend
    // widens a masked store of one truncated lane to the width before the
    // truncation, which overwrites the next elements.
    if (known && known->first + 1 == known->second)
      return b.store(
          castFromSignless(b, vector::ExtractOp::create(b, lanes, known->first),
                           stored),
          buffer, getIndices(known->first));
    bool isPrefix = range.begin.getKnown().value_or(1) <= 0;
    if (isMasked(b.target.leastMaskedStoreBits) || (!known && !isPrefix)) {
      vector::MaskedStoreOp::create(b, buffer, indices,
                                    createLaneMask(b, length, range),
                                    castFromSignless(b, lanes, type));
      return;
    }
    if (!known)
      return storeFirst(getBound(range.end), lanes);
    auto [begin, end] = *known;
    int64_t part = llvm::bit_floor<uint64_t>(end - begin);
    storePart(extract(lanes, begin, part), begin);
    if (begin + part < end)
      storePart(extract(lanes, end - part, part), end - part);
  }

private:
  /// True if the load or store is emitted with a mask. This requires elements
  /// of at least `leastBits` bits that the machine has masks for. Elements that
  /// are neither integers nor floats always get a mask, because their lanes
  /// cannot be cast to a signless type.
  bool isMasked(int64_t leastBits) const {
    if (!stored.isIntOrFloat())
      return true;
    int64_t bits = type.getElementTypeBitWidth();
    return bits >= leastBits &&
           b.target.hasMasks(bits, length, stored.isBF16());
  }

  /// Returns the indices of the element of lane `offset`.
  SmallVector<Value> getIndices(Operand offset) {
    SmallVector<Value> result(indices);
    result.back() = b.add(result.back(), offset);
    return result;
  }
  Value loadPart(int64_t offset, int64_t numLanes) {
    return castToSignless(b, b.load(VectorType::get(numLanes, stored), buffer,
                                    getIndices(offset)));
  }
  void storePart(Value part, Operand offset) {
    Type partType = cast<VectorType>(part.getType()).clone(stored);
    b.store(castFromSignless(b, part, partType), buffer, getIndices(offset));
  }
  /// Returns lanes [begin, begin + numLanes) of `lanes`.
  Value extract(Value lanes, int64_t begin, int64_t numLanes) {
    return b.shuffle(lanes, lanes,
                     llvm::to_vector(llvm::seq(begin, begin + numLanes)));
  }
  /// Returns `bound`, clamped to [0, length].
  Value getBound(Operand bound) { return b.max(b.min(bound, length), 0); }

  Value loadKnown(int64_t begin, int64_t end, Value others) {
    int64_t part = llvm::bit_floor<uint64_t>(end - begin);
    Value first = loadPart(begin, part);
    Value last = begin + part == end ? first : loadPart(end - part, part);
    SmallVector<int64_t> lanes(length, vector::ShuffleOp::kPoisonIndex);
    for (int64_t lane = begin; lane < end; ++lane)
      lanes[lane] = lane < begin + part ? lane - begin : 2 * part + lane - end;
    Value loaded = b.shuffle(first, last, lanes);
    for (int64_t lane = 0; lane < length; ++lane)
      lanes[lane] = begin <= lane && lane < end ? lane : length + lane;
    return b.shuffle(loaded, others, lanes);
  }

  Value loadUnknown(Value begin, Value end, Value others) {
    // Most vectors that pass the end of a row are still inside the buffer. Load
    // such a vector as a whole, and replace the lanes of other rows. For this,
    // lane numbers are compared as integers of the elements' width. So this
    // width must be able to represent `length`.
    int64_t width = type.getElementTypeBitWidth();
    Value flat = collapseFrom(b, buffer, 0), position;
    Value fits = arith::ConstantIntOp::create(b, 0, 1);
    if (flat && llvm::isIntN(width, /*x=*/length)) {
      SmallVector<Value> extents = b.getExtents(buffer);
      position = getElementNumber(b, extents, llvm::to_vector(indices));
      Value size = b.product(extents);
      fits = b.both(b.isAtLeast(position, 0),
                    b.isAtLeast(b.sub(size, length), position));
    }
    Value lanes = others;
    b.ifElse(fits, lanes, [&](bool inThen) {
      if (!inThen)
        return b.forEach(begin, end, 1, lanes, [&](Value lane) {
          Value loaded = castToSignless(b, b.load(buffer, getIndices(lane)));
          lanes = vector::InsertOp::create(b, loaded, lanes, lane);
        });
      lanes = castToSignless(b, b.load(type, flat, position));
      Value number = b.lanes(type.clone(b.getIntegerType(width)),
                             [](int64_t lane) { return lane; });
      Value mask = b.both(b.compare(arith::CmpIPredicate::slt, number, end),
                          b.isAtLeast(number, begin));
      lanes = b.select(mask, lanes, others);
    });
    return lanes;
  }

  void storeFirst(Value count, Value lanes) {
    b.ifElse(b.isAtLeast(count, length), [&](bool areAll) {
      if (areAll)
        return storePart(lanes, 0);
      // Store one part for each bit that is set in `count`, the longest part
      // first. `lanes` begins with the lanes that are still to be stored.
      for (int64_t part = length / 2; part > 0; part /= 2) {
        Value given = lanes, bit = b.both(count, b.index(part));
        lanes = extract(given, 0, part);
        b.ifTrue(b.compare(arith::CmpIPredicate::ne, bit, 0), lanes, [&] {
          storePart(lanes, b.both(count, b.index(-2 * part)));
          lanes = extract(given, part, part);
        });
      }
    });
  }
};
} // namespace

Value pool::loadLanes(KernelBuilder &b, int64_t length, Value buffer,
                      ValueRange indices, const LaneRange &range,
                      Operand others) {
  auto type = VectorType::get(length, getElementTypeOrSelf(buffer));
  return LaneAccess{b, buffer, indices, type}.load(range, others);
}

void pool::storeLanes(KernelBuilder &b, Value value, Value buffer,
                      ValueRange indices, const LaneRange &range) {
  LaneAccess{b, buffer, indices, cast<VectorType>(value.getType())}.store(
      range, castToSignless(b, value));
}
