// Indices become distances within their windows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/IndexCodes.h"

#include "Emit/LaneMask.h"

using namespace mlir;
using namespace mlir::pool;

IndexCodes::IndexCodes(const ScatterEmitter &emitter, const WindowShape &shape)
    : PlaneScatter(emitter, shape), indices(emitter.indices),
      indexWidth(cast<MemRefType>(indices.getType()).getElementTypeBitWidth()),
      indexType(VectorType::get(
          std::min(getNumLanes(emitter.problem.target.vectorBits, indexWidth),
                   length),
          at.getIntegerType(indexWidth))) {}

SmallVector<Value> IndexCodes::beginPlane(ValueRange outer) {
  planeBegin = getPlaneBegin(outer);
  // Bits of faults, the largest position, and bits of positions.
  Value none = getSplat(0);
  SmallVector<Value> carried = {none, none};
  if (hasHighBits())
    carried.push_back(at.splat(indexType, 0));
  return carried;
}

Value IndexCodes::code(ValueRange outer, Value r, const WindowStrip &strip,
                       SmallVector<Value> &carried) {
  const ResolvedDim &row = shape.row, &column = shape.column;
  ExistingLanes lanes(strip.known, length, column.output);
  Value none;
  Value positions = loadPositions(outer, r, strip.first, lanes,
                                  hasHighBits() ? carried[2] : none);
  carried[1] = arith::MaxUIOp::create(at, carried[1], positions);

  // From the first position of each window, which may be in the padding.
  Value first =
      at.add(at.mul(at.sub(at.mul(r, row.stride), row.padBegin), column.input),
             at.mul(strip.first, column.stride));
  SmallVector<int64_t> offsets;
  for (int64_t lane = 0; lane < length; ++lane)
    offsets.push_back(lane * column.stride - column.padBegin);
  Value distance = at.sub(at.sub(positions, at.splat(codeType, first)),
                          getConstant(offsets));
  carried[0] = at.bitOr(carried[0], getFaults(distance, strip, lanes));
  return selectRange(at, getRange(lanes), distance, getSplat(kNone));
}

Value IndexCodes::loadPositions(ValueRange outer, Value r, Value first,
                                const ExistingLanes &lanes, Value &high) {
  int64_t count = indexType.getNumElements();
  Value positions = getSplat(0);
  for (int64_t part = 0; part < length && part < lanes.end; part += count) {
    SmallVector<Value> position =
        append(getRowIndices(outer, r), at.add(first, part));
    LaneRange range = LaneRange::get(at, count, 0, lanes.end - part);
    Value loaded = loadLanes(at, count, indices, position, range, 0);
    if (planeBegin) {
      loaded = at.sub(loaded, at.splat(indexType, planeBegin));
      // Lanes that do not exist name the first position.
      loaded = selectRange(at, range, loaded, at.splat(indexType, 0));
    }
    if (hasHighBits()) {
      high = at.bitOr(high, loaded);
      loaded = arith::TruncIOp::create(
          at, VectorType::get(count, codeType.getElementType()), loaded);
    }
    positions = count == length
                    ? loaded
                    : vector::InsertStridedSliceOp::create(
                          at, loaded, positions, part, /*strides=*/1);
  }
  return positions;
}

Value IndexCodes::getRest(Value distance, int64_t numTaps, int64_t step) {
  Value rest = distance;
  for (int64_t tap = 1; tap < numTaps; ++tap)
    rest = arith::MinUIOp::create(at, rest,
                                  at.sub(distance, getSplat(tap * step)));
  return rest;
}

Value IndexCodes::getFaults(Value distance, const WindowStrip &strip,
                            const ExistingLanes &lanes) {
  const ResolvedDim &column = shape.column;
  int64_t step = column.dilation;
  // The first tap inside of the plane, and the last one from there; no bound of
  // windows that do not exist.
  SmallVector<int64_t> firsts(length, 0);
  SmallVector<int64_t> lasts(length, WindowShape::getReach(column));
  SmallVector<int64_t> between(length, 0);
  for (int64_t lane = 0; strip.known && lane < length; ++lane) {
    if (lane < lanes.begin || lane >= lanes.end) {
      lasts[lane] = between[lane] = kNone;
      continue;
    }
    int64_t begin = (*strip.known + lane) * column.stride - column.padBegin;
    int64_t firstTap = llvm::divideCeil(std::max<int64_t>(-begin, 0), step);
    int64_t lastTap =
        std::min(column.kernel - 1, (column.input - 1 - begin) / step);
    firsts[lane] = firstTap * step;
    lasts[lane] = (lastTap - firstTap) * step;
  }
  // Excess over a bound, as unsigned: one saturating subtraction.
  auto getExcess = [&](Value value, ArrayRef<int64_t> bounds) {
    Value bound = getConstant(bounds);
    Value larger = arith::MaxUIOp::create(at, value, bound);
    return Value(at.sub(larger, bound));
  };
  if (llvm::any_of(firsts, [](int64_t first) { return first != 0; }))
    distance = at.sub(distance, getConstant(firsts));
  Value rest = getRest(distance, shape.row.kernel, shape.getDistance(1, 0));
  Value excess = getExcess(rest, lasts);
  if (step == 1)
    return excess;
  return at.bitOr(excess,
                  getExcess(getRest(rest, column.kernel, step), between));
}

Value IndexCodes::areRight(ValueRange carried) {
  auto isBelow = [&](Value lanes, vector::CombiningKind kind, int64_t bound) {
    Value most = vector::ReductionOp::create(at, kind, lanes);
    Value limit = arith::ConstantIntOp::create(
        at, most.getType(),
        APInt(most.getType().getIntOrFloatBitWidth(), bound));
    return Value(at.isBelow(most, limit));
  };
  Value result = at.both(isBelow(carried[0], vector::CombiningKind::OR, 1),
                         isBelow(carried[1], vector::CombiningKind::MAXUI,
                                 shape.row.input * shape.column.input));
  if (hasHighBits())
    result = at.both(result, isBelow(carried[2], vector::CombiningKind::OR,
                                     int64_t(1) << shape.codeWidth));
  return result;
}
