// Loads and stores of some lanes of a vector, for machines that have no
// instructions with masks for lanes as narrow. LLVM would test the mask and
// move an element lane by lane; a range of lanes is two overlapping parts of a
// power of two where it is known, else a part for each bit of its length.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/IndexArithmetic.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Target/ResolveTarget.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLEXPANDMASKEDACCESSES
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Ranges of lanes
//===----------------------------------------------------------------------===//

namespace {
/// The lanes [begin, end) that a mask sets, each bound in [0, lanes] or, where
/// it is a value, anything.
struct LaneRange {
  OpFoldResult begin, end;
};
} // namespace

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

/// What createLaneMask() and its folds make.
static std::optional<LaneRange> getRange(OpBuilder &b, Value mask) {
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
    std::optional<LaneRange> range = getRange(b, other.getLhs());
    if (!range || !isZeroInteger(range->begin) ||
        !matchPattern(other.getRhs(), m_One()))
      return std::nullopt;
    return LaneRange{range->end, b.getIndexAttr(length)};
  }
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return std::nullopt;
  std::optional<LaneRange> lhs = getRange(b, both.getLhs());
  std::optional<LaneRange> rhs = getRange(b, both.getRhs());
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

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Builds what stands for one access to `buffer`, of a vector of `length`
/// elements from `indices` on. Lanes are signless.
class LaneAccess {
public:
  LaneAccess(OpBuilder &b, Location loc, Value buffer, ValueRange indices,
             VectorType type)
      : b(b), at(b, loc), loc(loc), buffer(buffer), indices(indices),
        stored(type.getElementType()), element(getSignless(stored)),
        length(type.getNumElements()) {}

  /// The lanes of `range`, with `others` elsewhere; fails if neither the range
  /// nor that these are all one value is known.
  FailureOr<Value> load(const LaneRange &range, Value others);
  /// Stores the lanes of `range`; fails if it may begin after the first and is
  /// not known.
  LogicalResult store(const LaneRange &range, Value lanes);

private:
  VectorType getType(int64_t numLanes) {
    return VectorType::get(numLanes, element);
  }
  /// The indices of lane `offset`.
  SmallVector<Value> getIndices(Value offset) {
    SmallVector<Value> result(indices);
    result.back() = at.add(result.back(), offset);
    return result;
  }
  Value loadPart(Value offset, int64_t numLanes) {
    auto type = VectorType::get(numLanes, stored);
    return castToSignless(
        b, loc,
        vector::LoadOp::create(b, loc, type, buffer, getIndices(offset)));
  }
  void storePart(Value part, Value offset) {
    auto type = cast<VectorType>(part.getType()).clone(stored);
    vector::StoreOp::create(b, loc, castFromSignless(b, loc, part, type),
                            buffer, getIndices(offset));
  }
  Value shuffle(Value lhs, Value rhs, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(b, loc, lhs, rhs, lanes);
  }
  /// Lanes [begin, begin + numLanes).
  Value extract(Value lanes, int64_t begin, int64_t numLanes);
  Value splat(TypedAttr value, int64_t numLanes) {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(getType(numLanes), value));
  }
  /// `lhs`, then `rhs`, which have equal lengths.
  Value concat(Value lhs, Value rhs);
  /// A value that `then` and `otherwise` give where the condition holds or not.
  Value choose(Value condition, function_ref<Value()> then,
               function_ref<Value()> otherwise);
  /// A bound of a range as a lane.
  Value getBound(OpFoldResult bound) {
    Value value = getValueOrCreateConstantIndexOp(b, loc, bound);
    return at.max(at.min(value, length), 0);
  }
  /// Whether the bit of `count` is set that is worth `part`.
  Value hasPart(Value count, int64_t part);
  /// Where the part of a range of `count` lanes begins that is for this bit:
  /// longer ones come first.
  Value getPartOffset(Value count, int64_t part);

  Value loadKnown(int64_t begin, int64_t end, Value others);
  /// Lanes [begin, begin + count) of the access, then `fill`.
  Value loadFirst(Value begin, Value count, TypedAttr fill);
  /// `count` lanes of `fill`, then `lanes`.
  Value moveBehind(Value lanes, Value count, TypedAttr fill);
  Value moveBehind(Value lanes, int64_t count, TypedAttr fill);
  void storeKnown(int64_t begin, int64_t end, Value lanes);
  void storeFirst(Value count, Value lanes);

  OpBuilder &b;
  IndexArithmetic at;
  Location loc;
  Value buffer;
  ValueRange indices;
  Type stored, element;
  int64_t length;
};
} // namespace

Value LaneAccess::extract(Value lanes, int64_t begin, int64_t numLanes) {
  return shuffle(lanes, lanes,
                 llvm::to_vector(llvm::seq(begin, begin + numLanes)));
}

Value LaneAccess::concat(Value lhs, Value rhs) {
  int64_t numLanes = cast<VectorType>(lhs.getType()).getNumElements();
  return shuffle(lhs, rhs,
                 llvm::to_vector(llvm::seq<int64_t>(0, 2 * numLanes)));
}

Value LaneAccess::choose(Value condition, function_ref<Value()> then,
                         function_ref<Value()> otherwise) {
  auto yield = [&](function_ref<Value()> getLanes) {
    return [&b = b, getLanes](OpBuilder &, Location loc) {
      scf::YieldOp::create(b, loc, getLanes());
    };
  };
  // `b` is the builder that the calls get.
  return scf::IfOp::create(b, loc, condition, yield(then), yield(otherwise))
      .getResult(0);
}

Value LaneAccess::hasPart(Value count, int64_t part) {
  Value bit = arith::AndIOp::create(b, loc, count, at.constant(part));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit,
                               at.constant(0));
}

Value LaneAccess::getPartOffset(Value count, int64_t part) {
  return arith::AndIOp::create(b, loc, count, at.constant(-2 * part));
}

/// The greatest power of two that is no more than `count`.
static int64_t getPartLength(int64_t count) {
  return int64_t(1) << llvm::Log2_64(count);
}

Value LaneAccess::loadKnown(int64_t begin, int64_t end, Value others) {
  int64_t part = getPartLength(end - begin);
  Value first = loadPart(at.constant(begin), part);
  if (part == length)
    return first;
  Value last =
      begin + part == end ? first : loadPart(at.constant(end - part), part);
  SmallVector<int64_t> lanes(length, vector::ShuffleOp::kPoisonIndex);
  for (int64_t lane = begin; lane < end; ++lane)
    lanes[lane] = lane < begin + part ? lane - begin : 2 * part + lane - end;
  Value loaded = shuffle(first, last, lanes);
  for (int64_t lane = 0; lane < length; ++lane)
    lanes[lane] = begin <= lane && lane < end ? lane : length + lane;
  return shuffle(loaded, others, lanes);
}

Value LaneAccess::loadFirst(Value begin, Value count, TypedAttr fill) {
  Value all = at.isAtLeast(count, at.constant(length));
  return choose(
      all, [&] { return loadPart(begin, length); },
      [&] {
        // Those of the bits so far, as many as these may be, then `fill`.
        Value lanes = splat(fill, 1);
        for (int64_t part = 1; part < length; part *= 2) {
          Value rest = lanes;
          Value offset = at.add(begin, getPartOffset(count, part));
          lanes = choose(
              hasPart(count, part),
              [&] { return concat(loadPart(offset, part), rest); },
              [&] { return concat(rest, splat(fill, part)); });
        }
        return lanes;
      });
}

Value LaneAccess::moveBehind(Value lanes, int64_t count, TypedAttr fill) {
  SmallVector<int64_t> from(length);
  for (int64_t lane = 0; lane < length; ++lane)
    from[lane] = lane < count ? lane : length + lane - count;
  return shuffle(splat(fill, length), lanes, from);
}

Value LaneAccess::moveBehind(Value lanes, Value count, TypedAttr fill) {
  if (std::optional<int64_t> known = getConstantIntValue(count))
    return *known == 0 ? lanes : moveBehind(lanes, *known, fill);
  // Padding is before the first vector of a row alone.
  Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count,
                                     at.constant(0));
  return choose(
      none, [&] { return lanes; },
      [&] {
        Value moved = lanes;
        for (int64_t part = 1; part < length; part *= 2) {
          Value given = moved;
          moved = choose(
              hasPart(count, part),
              [&] { return moveBehind(given, part, fill); },
              [&] { return given; });
        }
        return moved;
      });
}

FailureOr<Value> LaneAccess::load(const LaneRange &range, Value others) {
  std::optional<int64_t> knownBegin = getConstantIntValue(range.begin);
  std::optional<int64_t> knownEnd = getConstantIntValue(range.end);
  if (knownBegin && knownEnd)
    return *knownBegin < *knownEnd ? loadKnown(*knownBegin, *knownEnd, others)
                                   : others;
  DenseElementsAttr constant;
  if (!matchPattern(others, m_Constant(&constant)) || !constant.isSplat())
    return failure();
  auto fill = cast<TypedAttr>(constant.getSplatValue<Attribute>());
  Value begin = getBound(range.begin), end = getBound(range.end);
  Value count = at.max(at.sub(end, begin), 0);
  return moveBehind(loadFirst(begin, count, fill), begin, fill);
}

void LaneAccess::storeKnown(int64_t begin, int64_t end, Value lanes) {
  int64_t part = getPartLength(end - begin);
  storePart(extract(lanes, begin, part), at.constant(begin));
  if (begin + part < end)
    storePart(extract(lanes, end - part, part), at.constant(end - part));
}

void LaneAccess::storeFirst(Value count, Value lanes) {
  auto branch =
      scf::IfOp::create(b, loc, at.isAtLeast(count, at.constant(length)),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  storePart(lanes, at.constant(0));
  b.setInsertionPointToStart(branch.elseBlock());
  // What is not stored yet is in the lowest lanes.
  for (int64_t part = length / 2; part > 0; part /= 2) {
    Value given = lanes, offset = getPartOffset(count, part);
    lanes = choose(
        hasPart(count, part),
        [&] {
          storePart(extract(given, 0, part), offset);
          return extract(given, part, part);
        },
        [&] { return extract(given, 0, part); });
  }
}

LogicalResult LaneAccess::store(const LaneRange &range, Value lanes) {
  std::optional<int64_t> knownBegin = getConstantIntValue(range.begin);
  std::optional<int64_t> knownEnd = getConstantIntValue(range.end);
  if (knownBegin && knownEnd) {
    if (*knownBegin < *knownEnd)
      storeKnown(*knownBegin, *knownEnd, lanes);
    return success();
  }
  if (knownBegin != 0)
    return failure();
  storeFirst(getBound(range.end), lanes);
  return success();
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
        resolveTarget({triple, cpu, features}, vectorBits,
                      [&] { return emitError(UnknownLoc::get(context)); });
    if (failed(named))
      return failure();
    target = *named;
    return success();
  }

  void runOnOperation() override;

private:
  /// Whether the machine has no masks for such a vector, but for lanes of
  /// `leastBits`.
  bool isExpanded(VectorType type, int64_t leastBits);
  bool expand(vector::MaskedLoadOp load);
  bool expand(vector::MaskedStoreOp store);

  Target target;
};
} // namespace

/// `lanes`, or what they were cast from.
static Value getSignlessLanes(OpBuilder &b, Value lanes) {
  auto cast = lanes.getDefiningOp<UnrealizedConversionCastOp>();
  if (cast && cast.getNumOperands() == 1 &&
      cast.getOperand(0).getType() == getSignless(lanes.getType()))
    return cast.getOperand(0);
  return castToSignless(b, lanes.getLoc(), lanes);
}

bool PoolExpandMaskedAccessesPass::isExpanded(VectorType type,
                                              int64_t leastBits) {
  Type element = type.getElementType();
  if (type.getRank() != 1 || type.isScalable() ||
      !llvm::isPowerOf2_64(type.getNumElements()) ||
      !(element.isIndex() || element.isIntOrFloat()))
    return false;
  int64_t bits =
      element.isIndex() ? 64 : int64_t(element.getIntOrFloatBitWidth());
  return bits % 8 == 0 && bits < leastBits;
}

bool PoolExpandMaskedAccessesPass::expand(vector::MaskedLoadOp load) {
  if (!isExpanded(load.getVectorType(), target.leastMaskedLoadBits))
    return false;
  OpBuilder b(load);
  std::optional<LaneRange> range = getRange(b, load.getMask());
  if (!range)
    return false;
  LaneAccess access(b, load.getLoc(), load.getBase(), load.getIndices(),
                    load.getVectorType());
  FailureOr<Value> lanes =
      access.load(*range, getSignlessLanes(b, load.getPassThru()));
  if (failed(lanes))
    return false;
  load.replaceAllUsesWith(
      castFromSignless(b, load.getLoc(), *lanes, load.getVectorType()));
  load.erase();
  return true;
}

bool PoolExpandMaskedAccessesPass::expand(vector::MaskedStoreOp store) {
  if (!isExpanded(store.getVectorType(), target.leastMaskedStoreBits))
    return false;
  OpBuilder b(store);
  std::optional<LaneRange> range = getRange(b, store.getMask());
  if (!range)
    return false;
  LaneAccess access(b, store.getLoc(), store.getBase(), store.getIndices(),
                    store.getVectorType());
  if (failed(
          access.store(*range, getSignlessLanes(b, store.getValueToStore()))))
    return false;
  store.erase();
  return true;
}

void PoolExpandMaskedAccessesPass::runOnOperation() {
  llvm::SetVector<Operation *> masks;
  auto addMask = [&](Value mask) {
    if (Operation *op = mask.getDefiningOp())
      masks.insert(op);
  };
  getOperation()->walk([&](Operation *op) {
    Value mask;
    bool isExpanded = false;
    if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
      mask = load.getMask();
      isExpanded = expand(load);
    } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
      mask = store.getMask();
      isExpanded = expand(store);
    }
    if (!isExpanded)
      return;
    ++numExpanded;
    addMask(mask);
  });
  while (!masks.empty()) {
    Operation *op = masks.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    llvm::for_each(op->getOperands(), addMask);
    op->erase();
  }
}
