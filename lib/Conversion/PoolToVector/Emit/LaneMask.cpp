// Masks as prefixes of lanes, or constants where they are known, and shuffles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

#include "Emit/KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::createLaneMask(OpBuilder &b, Location loc, int64_t length,
                           int64_t begin, int64_t end) {
  SmallVector<bool> bits(length);
  for (int64_t lane = 0; lane < length; ++lane)
    bits[lane] = begin <= lane && lane < end;
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(VectorType::get(length, b.getI1Type()),
                             ArrayRef<bool>(bits)));
}

Value pool::createLaneMask(OpBuilder &b, Location loc, int64_t length,
                           Value begin, Value end) {
  KernelBuilder at(b, loc);
  auto type = VectorType::get(length, b.getI1Type());
  auto create = [&](Value bound) -> Value {
    // Bounds are compared as 32-bit integers.
    bound = at.max(at.min(bound, length), 0);
    return vector::CreateMaskOp::create(b, loc, type, bound);
  };
  Value mask = create(end);
  std::optional<int64_t> knownBegin;
  if (begin)
    knownBegin = getConstantIntValue(begin);
  if (!begin || knownBegin.value_or(1) <= 0)
    return mask;
  if (knownBegin)
    return arith::AndIOp::create(
        b, loc, mask, createLaneMask(b, loc, length, *knownBegin, length));
  Value all =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, true));
  Value from = arith::XOrIOp::create(b, loc, create(begin), all);
  return arith::AndIOp::create(b, loc, mask, from);
}

Value pool::createOneLaneMask(OpBuilder &b, Location loc, int64_t length,
                              Value lane) {
  auto type = VectorType::get(length, b.getIndexType());
  Value lanes = vector::StepOp::create(b, loc, type);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lanes,
                               vector::BroadcastOp::create(b, loc, type, lane));
}

Value pool::gatherLanes(OpBuilder &b, Location loc, ArrayRef<Value> vectors,
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
    result = vector::ShuffleOp::create(b, loc, result, vectors[used[i]], lanes);
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

Value pool::loadLanes(OpBuilder &b, Location loc, int64_t length, Value buffer,
                      ValueRange indices, Value mask, int64_t fill) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto type = VectorType::get(length, element);
  Value lanes;
  if (!mask) {
    lanes = vector::LoadOp::create(b, loc, type, buffer, indices);
  } else {
    auto signless = cast<VectorType>(getSignless(type));
    Type bare = signless.getElementType();
    TypedAttr attr = isa<FloatType>(bare)
                         ? TypedAttr(b.getFloatAttr(bare, fill))
                         : TypedAttr(b.getIntegerAttr(bare, fill));
    Value others = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(signless, attr));
    lanes =
        vector::MaskedLoadOp::create(b, loc, type, buffer, indices, mask,
                                     castFromSignless(b, loc, others, type));
  }
  return castToSignless(b, loc, lanes);
}

void pool::storeLanes(OpBuilder &b, Location loc, Value value, Value buffer,
                      ValueRange indices, Value mask) {
  if (!mask) {
    vector::StoreOp::create(b, loc, value, buffer, indices);
    return;
  }
  // One lane is stored as an element: LLVM 22's X86 backend makes of a masked
  // store of it, where lanes are truncated before, a store of all the bits that
  // were there before, which overwrites what follows.
  if (std::optional<int64_t> lane = getOnlyLane(mask)) {
    SmallVector<Value> at(indices);
    at.back() = b.createOrFold<arith::AddIOp>(
        loc, at.back(), arith::ConstantIndexOp::create(b, loc, *lane));
    memref::StoreOp::create(
        b, loc, vector::ExtractOp::create(b, loc, value, *lane), buffer, at);
    return;
  }
  vector::MaskedStoreOp::create(b, loc, buffer, indices, mask, value);
}
