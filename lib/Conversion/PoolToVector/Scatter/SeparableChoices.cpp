// Chooses elements along the rows of a plane, and in single windows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/SeparableScatter.h"

#include "Emit/LaneMask.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

int64_t SeparableScatter::getNumPlaces() const {
  // Rows of a step, and rows that are stored in it. A power of two makes
  // remainders cheap.
  return llvm::PowerOf2Ceil(WindowShape::getReach(shape.row) + 1 +
                            shape.row.stride);
}

Value SeparableScatter::getPlace(Value row) {
  return at.rem(row, getNumPlaces());
}

std::pair<Value, Value> SeparableScatter::getInside(Value row) {
  Value inside = at.sub(row, shape.row.padBegin);
  return {at.isBelow(inside, at.index(shape.row.input)), inside};
}

void SeparableScatter::reduceNewRows(ValueRange outer, Value r) {
  int64_t stride = shape.row.stride;
  int64_t reach = WindowShape::getReach(shape.row);
  // In the first step, all rows that its windows reach are new.
  Value first = at.mul(r, stride);
  Value isLater = at.isAtLeast(r, at.index(1));
  Value firstNew =
      at.select(isLater, at.add(first, reach + 1 - stride), at.index(0));
  at.forEach(firstNew, at.add(first, reach + 1), 1,
             [&](Value row) { reduceRow(outer, row); });
}

void SeparableScatter::reduceRow(ValueRange outer, Value row) {
  int64_t margin = shape.getMargin(), numWritten = shape.getNumWritten();
  Value place = getPlace(row);
  std::pair<Value, Value> inside = getInside(row);
  at.ifElse(inside.first, [&](bool isInside) {
    if (!isInside)
      return fillRow(values, place, margin, margin + numWritten,
                     choice.getFill(at));
    // Vectors that load nothing outside of the row are a loop.
    int64_t numVectors = numWritten / length;
    auto [begin, end] = shape.getInnerVectors();
    for (int64_t vector = 0; vector < numVectors; ++vector) {
      if (vector == begin && end > vector + 1) {
        at.forEach(at.index(vector * length), at.index(end * length), length,
                   [&](Value first) {
                     reduceVector(outer, inside.second, place, first,
                                  std::nullopt);
                   });
        vector = end - 1;
        continue;
      }
      reduceVector(outer, inside.second, place, at.index(vector * length),
                   vector * length);
    }
  });
}

Value SeparableScatter::loadTap(ValueRange rowIndices, Value first,
                                std::optional<int64_t> known, int64_t tap,
                                DenseMap<int64_t, Value> &loaded) {
  const ResolvedDim &column = shape.column;
  int64_t stride = column.stride;
  // Taps within a stride are lanes of the same vectors.
  int64_t within = tap * column.dilation % stride;
  int64_t offset = tap * column.dilation - within - column.padBegin;
  SmallVector<Value> vectors;
  SmallVector<int64_t> positions;
  for (int64_t v = 0; v < stride; ++v) {
    Value &lanes = loaded[offset + v * length];
    if (!lanes)
      lanes = loadPrepared(rowIndices, first, known, offset + v * length);
    vectors.push_back(lanes);
  }
  for (int64_t lane = 0; lane < length; ++lane)
    positions.push_back(lane * stride + within);
  return stride == 1 ? vectors[0] : gatherLanes(at, vectors, positions);
}

Value SeparableScatter::loadPrepared(ValueRange rowIndices, Value first,
                                     std::optional<int64_t> known,
                                     int64_t offset) {
  int64_t stride = shape.column.stride;
  std::optional<int64_t> begin;
  if (known)
    begin = *known * stride + offset;
  ExistingLanes lanes(begin, length, shape.column.input);
  if (lanes.areNone())
    return choice.getFill(at);
  SmallVector<Value> position =
      append(rowIndices, at.add(at.mul(first, stride), offset));
  return choice.prepare(at, choice.load(at, input, position, getRange(lanes)));
}

void SeparableScatter::reduceVector(ValueRange outer, Value row, Value place,
                                    Value first, std::optional<int64_t> known) {
  const ResolvedDim &column = shape.column;
  SmallVector<Value> rowIndices = getRowIndices(outer, row);
  Accumulator acc;
  DenseMap<int64_t, Value> loaded;
  for (int64_t tap = 0; tap < column.kernel; ++tap) {
    Value element = loadTap(rowIndices, first, known, tap, loaded);
    Value index = getSplat(tap);
    acc = acc.value ? choice.combine(at, acc, {element, index})
                    : Accumulator{choice.begin(at, element), index};
  }
  // Windows that begin in the padding, which stands for their first element
  // inside: where all are as small as it.
  SmallVector<int64_t> firstTaps;
  for (int64_t lane = 0; known && lane < length; ++lane) {
    int64_t begin = column.padBegin - (*known + lane) * column.stride;
    firstTaps.push_back(
        llvm::divideCeil(std::max<int64_t>(begin, 0), column.dilation));
  }
  if (llvm::any_of(firstTaps, [](int64_t tap) { return tap > 0; }))
    acc.index = at.max(acc.index, getConstant(firstTaps));
  Value there = at.add(first, shape.getMargin());
  storeRow(acc.value, values, place, there);
  storeRow(acc.index, taps, place, there);
  if (!addsToEachNewRow())
    storeRow(getZeros(), gradients, place, there);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Value SeparableScatter::chooseElement(ValueRange position) {
  // The last one or two of the coordinates are the window's.
  Value zero = at.index(0);
  auto getRange = [&](const ResolvedDim &dim, Value o) -> PositionRange {
    Value start = at.sub(at.mul(o, dim.stride), dim.padBegin);
    Value tap = at.ceilDiv(at.max(at.sub(zero, start), 0), dim.dilation);
    Value end =
        at.min(at.add(start, WindowShape::getReach(dim) + 1), dim.input);
    return {at.add(start, at.mul(tap, dim.dilation)), end, dim.dilation};
  };
  PositionRange rows =
      getRange(shape.row, hasRows() ? position[position.size() - 2] : zero);
  PositionRange columns = getRange(shape.column, position.back());
  auto getPosition = [&](Value row, Value column) {
    return at.add(at.mul(row, shape.column.input), column);
  };
  Type type = cast<MemRefType>(input.getType()).getElementType();
  Value none = arith::ConstantIntOp::create(at, kNoPosition, 64);
  Value nothing = at.constant(getIdentity(at, type, preference.reduction));
  ValueRange outer = position.take_front(shape.numOuter);
  Value best[] = {nothing, none};
  at.forEachIn({rows, columns}, best, [&](ValueRange place) {
    Value row = place[0], column = place[1];
    Value element = at.load(input, append(getRowIndices(outer, row), column));
    Value here = at.castIndex(at.getI64Type(), getPosition(row, column));
    Value isBetter =
        isChosen(at, at.getLoc(), preference, element, here, best[0], best[1]);
    best[0] = at.select(isBetter, element, best[0]);
    best[1] = at.select(isBetter, here, best[1]);
  });
  Value isNothing = at.isEqual(best[1], none);
  Value result = at.select(isNothing, getPosition(rows.begin, columns.begin),
                           at.castIndex(at.getIndexType(), best[1]));
  Value planeBegin = getPlaneBegin(outer);
  return planeBegin ? at.add(planeBegin, result) : result;
}
