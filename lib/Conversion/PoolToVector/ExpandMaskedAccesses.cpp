// Expands masked loads and stores for machines without fast masked instructions
// for their lanes. LLVM would test the mask and move the elements lane by lane.
// A known range of lanes becomes two overlapping parts of a power of two lanes.
// For an unknown range, a load reads the whole vector if the buffer has it; a
// store becomes one store for each bit of the range's length.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pool/Conversion/Passes.h"
#include "pool/Target/ResolveTarget.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLEXPANDMASKEDACCESSES
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Builds what stands for one access to `buffer`, of a vector of `length`
/// elements from `indices` on. Lanes are signless.
class LaneAccess {
public:
  LaneAccess(KernelBuilder &at, Value buffer, ValueRange indices,
             VectorType type)
      : at(at), buffer(buffer), indices(indices), stored(type.getElementType()),
        element(getSignless(stored)), length(type.getNumElements()) {}

  /// The lanes of `range`, with `others` elsewhere.
  Value load(const LaneRange &range, Value others);
  /// Stores the lanes of `range`, which is known or begins with the first.
  void store(const LaneRange &range, Value lanes);

private:
  /// The indices of lane `offset`.
  SmallVector<Value> getIndices(Value offset) {
    SmallVector<Value> result(indices);
    result.back() = at.add(result.back(), offset);
    return result;
  }
  Value loadPart(Value offset, int64_t numLanes) {
    auto type = VectorType::get(numLanes, stored);
    return castToSignless(at, at.load(type, buffer, getIndices(offset)));
  }
  void storePart(Value part, Value offset) {
    auto type = cast<VectorType>(part.getType()).clone(stored);
    at.store(castFromSignless(at, part, type), buffer, getIndices(offset));
  }
  /// Lanes [begin, begin + numLanes).
  Value extract(Value lanes, int64_t begin, int64_t numLanes) {
    return at.shuffle(lanes, lanes,
                      llvm::to_vector(llvm::seq(begin, begin + numLanes)));
  }
  /// The bounds of a range, moved into the vector, if they are known.
  std::optional<std::pair<int64_t, int64_t>> getKnown(const LaneRange &range) {
    std::optional<int64_t> begin = getConstantIntValue(range.begin);
    std::optional<int64_t> end = getConstantIntValue(range.end);
    if (!begin || !end)
      return std::nullopt;
    return std::pair(std::clamp<int64_t>(*begin, 0, length),
                     std::clamp<int64_t>(*end, 0, length));
  }
  Value getBound(OpFoldResult bound) {
    return at.max(at.min(at.value(bound), length), 0);
  }

  Value loadKnown(int64_t begin, int64_t end, Value others);
  Value loadUnknown(Value begin, Value end, Value others);
  Value loadOneByOne(Value begin, Value end, Value others);
  /// Lanes [begin, end) as a mask.
  Value getLanesWithin(Value begin, Value end);
  void storeKnown(int64_t begin, int64_t end, Value lanes);
  void storeFirst(Value count, Value lanes);

  KernelBuilder &at;
  Value buffer;
  ValueRange indices;
  Type stored, element;
  int64_t length;
};
} // namespace

/// How long two parts are that make up `count` lanes.
static int64_t getPartLength(int64_t count) {
  return llvm::bit_floor<uint64_t>(count);
}

Value LaneAccess::loadKnown(int64_t begin, int64_t end, Value others) {
  int64_t part = getPartLength(end - begin);
  Value first = loadPart(at.index(begin), part);
  if (part == length)
    return first;
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

Value LaneAccess::getLanesWithin(Value begin, Value end) {
  // Compared in lanes as wide as the elements.
  auto type = VectorType::get(
      length, at.getIntegerType(element.getIntOrFloatBitWidth()));
  Value lanes = at.lanes(type, llvm::to_vector(llvm::seq(length)));
  auto compare = [&](arith::CmpIPredicate predicate, Value bound) -> Value {
    return arith::CmpIOp::create(at, predicate, lanes, at.splat(type, bound));
  };
  Value before = compare(arith::CmpIPredicate::slt, end);
  if (isConstantIntValue(begin, 0))
    return before;
  return at.bitAnd(before, compare(arith::CmpIPredicate::sge, begin));
}

Value LaneAccess::loadOneByOne(Value begin, Value end, Value others) {
  Value lanes = others;
  at.forEach(begin, end, 1, lanes, [&](Value lane) {
    Value loaded = castToSignless(at, at.load(buffer, getIndices(lane)));
    lanes = vector::InsertOp::create(at, loaded, lanes, lane);
  });
  return lanes;
}

Value LaneAccess::loadUnknown(Value begin, Value end, Value others) {
  // Most vectors that exceed a row do not exceed the buffer. Load the whole
  // vector, and ignore the lanes of other rows.
  auto type = cast<MemRefType>(buffer.getType());
  bool canCompare = llvm::isIntN(element.getIntOrFloatBitWidth(), /*x=*/length);
  if (!type.getLayout().isIdentity() || !canCompare)
    return loadOneByOne(begin, end, others);
  Value size = at.index(1), position = at.index(0);
  for (int64_t d = type.getRank(); d-- > 0;) {
    position = at.add(position, at.mul(indices[d], size));
    size = at.mul(size, at.createOrFold<memref::DimOp>(buffer, d));
  }
  Value fits = at.both(at.isAtLeast(position, at.index(0)),
                       at.isAtLeast(at.sub(size, length), position));
  return at.select(
      fits,
      [&] {
        auto flat = memref::ReinterpretCastOp::create(
            at,
            MemRefType::get({ShapedType::kDynamic}, stored,
                            MemRefLayoutAttrInterface(), type.getMemorySpace()),
            buffer, /*offset=*/at.getIndexAttr(0),
            /*sizes=*/ArrayRef<OpFoldResult>(size),
            /*strides=*/ArrayRef<OpFoldResult>(at.getIndexAttr(1)));
        Value lanes = castToSignless(
            at, at.load(VectorType::get(length, stored), flat, position));
        return at.select(getLanesWithin(begin, end), lanes, others);
      },
      [&] { return loadOneByOne(begin, end, others); });
}

Value LaneAccess::load(const LaneRange &range, Value others) {
  auto known = getKnown(range);
  if (!known)
    return loadUnknown(getBound(range.begin), getBound(range.end), others);
  auto [begin, end] = *known;
  return begin < end ? loadKnown(begin, end, others) : others;
}

void LaneAccess::storeKnown(int64_t begin, int64_t end, Value lanes) {
  int64_t part = getPartLength(end - begin);
  storePart(extract(lanes, begin, part), at.index(begin));
  if (begin + part < end)
    storePart(extract(lanes, end - part, part), at.index(end - part));
}

void LaneAccess::storeFirst(Value count, Value lanes) {
  at.ifElse(at.isAtLeast(count, at.index(length)), [&](bool areAll) {
    if (areAll)
      return storePart(lanes, at.index(0));
    // One part for each bit of `count`, longer ones first. The lowest lanes are
    // those still to be stored.
    for (int64_t part = length / 2; part > 0; part /= 2) {
      Value given = lanes, offset = at.bitAnd(count, at.index(-2 * part));
      Value bit = at.bitAnd(count, at.index(part));
      lanes = at.select(
          arith::CmpIOp::create(at, arith::CmpIPredicate::ne, bit, at.index(0)),
          [&] {
            storePart(extract(given, 0, part), offset);
            return extract(given, part, part);
          },
          [&] { return extract(given, 0, part); });
    }
  });
}

void LaneAccess::store(const LaneRange &range, Value lanes) {
  auto known = getKnown(range);
  if (!known)
    return storeFirst(getBound(range.end), lanes);
  if (known->first < known->second)
    storeKnown(known->first, known->second, lanes);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PoolExpandMaskedAccessesPass
    : pool::impl::PoolExpandMaskedAccessesBase<PoolExpandMaskedAccessesPass> {
  using PoolExpandMaskedAccessesBase::PoolExpandMaskedAccessesBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<Target> named =
        resolveTarget({triple, cpu, features}, vectorBits, context);
    if (failed(named))
      return failure();
    target = *named;
    return success();
  }

  void runOnOperation() override;

private:
  /// The lanes that `access` moves, if they are known to be a range and the
  /// machine has masks for wider ones at most, from `leastBits` on.
  template <typename AccessOp>
  std::optional<LaneRange> getExpanded(AccessOp access, int64_t leastBits);
  bool expand(vector::MaskedLoadOp load);
  bool expand(vector::MaskedStoreOp store);

  Target target;
};
} // namespace

/// `lanes`, or what they were cast from.
static Value getSignlessLanes(KernelBuilder &at, Value lanes) {
  auto cast = lanes.getDefiningOp<UnrealizedConversionCastOp>();
  if (cast && cast.getNumOperands() == 1 &&
      cast.getOperand(0).getType() == getSignless(lanes.getType()))
    return cast.getOperand(0);
  return castToSignless(at, lanes);
}

/// True if the lanes of an access are consecutive elements, and LLVM moves each
/// as it is.
template <typename AccessOp>
static bool hasPlainLanes(AccessOp access) {
  MemRefType buffer = access.getMemRefType();
  VectorType type = access.getVectorType();
  if (buffer.getRank() == 0 || !buffer.isLastDimUnitStride() ||
      type.getRank() != 1 || type.isScalable() ||
      !llvm::isPowerOf2_64(type.getNumElements()) ||
      !type.getElementType().isIntOrFloat())
    return false;
  unsigned bits = type.getElementTypeBitWidth();
  // Parts are aligned as elements are.
  return bits >= 8 && llvm::isPowerOf2_32(bits) &&
         8 * access.getAlignment().value_or(bits / 8) >= bits;
}

template <typename AccessOp>
std::optional<LaneRange>
PoolExpandMaskedAccessesPass::getExpanded(AccessOp access, int64_t leastBits) {
  if (!hasPlainLanes(access))
    return std::nullopt;
  VectorType type = access.getVectorType();
  int64_t bits = type.getElementTypeBitWidth();
  if (bits >= leastBits && target.hasMasks(bits, type.getNumElements(),
                                           type.getElementType().isBF16()))
    return std::nullopt;
  return getLaneRange(Builder(access.getContext()), access.getMask());
}

bool PoolExpandMaskedAccessesPass::expand(vector::MaskedLoadOp load) {
  std::optional<LaneRange> range =
      getExpanded(load, target.leastMaskedLoadBits);
  if (!range)
    return false;
  KernelBuilder at(OpBuilder(load), load.getLoc());
  LaneAccess access(at, load.getBase(), load.getIndices(),
                    load.getVectorType());
  Value lanes = access.load(*range, getSignlessLanes(at, load.getPassThru()));
  load.replaceAllUsesWith(castFromSignless(at, lanes, load.getVectorType()));
  load.erase();
  return true;
}

bool PoolExpandMaskedAccessesPass::expand(vector::MaskedStoreOp store) {
  std::optional<LaneRange> range =
      getExpanded(store, target.leastMaskedStoreBits);
  if (!range)
    return false;
  bool isKnown =
      getConstantIntValue(range->begin) && getConstantIntValue(range->end);
  if (!isKnown && !isZeroInteger(range->begin))
    return false;
  KernelBuilder at(OpBuilder(store), store.getLoc());
  LaneAccess(at, store.getBase(), store.getIndices(), store.getVectorType())
      .store(*range, getSignlessLanes(at, store.getValueToStore()));
  store.erase();
  return true;
}

void PoolExpandMaskedAccessesPass::runOnOperation() {
  llvm::SetVector<Operation *> masks;
  auto addMask = [&](Value mask) {
    if (Operation *op = mask.getDefiningOp())
      masks.insert(op);
  };
  auto tryToExpand = [&](auto access) {
    Value mask = access.getMask();
    if (!expand(access))
      return;
    ++numExpanded;
    addMask(mask);
  };
  getOperation()->walk([&](Operation *op) {
    if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
      tryToExpand(load);
    else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
      tryToExpand(store);
  });
  while (!masks.empty()) {
    Operation *op = masks.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    llvm::for_each(op->getOperands(), addMask);
    op->erase();
  }
}
