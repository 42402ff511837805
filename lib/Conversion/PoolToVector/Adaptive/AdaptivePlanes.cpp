// Adaptive pooling of channels-first buffers: the rows of a window are combined
// vector by vector, then the columns of the row that this gives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptiveColumns.h"
#include "Adaptive/AdaptivePlan.h"

#include "Emit/LaneMask.h"
#include "Reduce/BlockReduction.h"
#include "Reduce/LaneMerge.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AdaptivePlanes {
public:
  explicit AdaptivePlanes(AdaptiveKernel &kernel)
      : kernel(kernel), reduction(kernel.reduction), at(kernel.at),
        length(kernel.getLength()), columns(kernel.dims.back()),
        hasRows(kernel.dims.size() > 1) {}

  void create(RowPlace place);

private:
  using LoadFn = function_ref<Accumulator(Value column, Value mask)>;

  /// The rows of a window in all dimensions but the columns.
  SmallVector<Interval> getRows(OpFoldResult row);
  SmallVector<Value> getCoordinates(OpFoldResult row);

  void emitRow(OpFoldResult row, bool isStraight);
  void allocateScratch();
  void emitScratchRow(Value row);
  /// The scratch row's columns of `strip`.
  void combineRows(ArrayRef<Interval> rows, const VectorStrip &strip);
  void reduceColumns(ArrayRef<Value> coordinates, LoadFn load);
  /// Accumulators that together have all of a window.
  Accumulator reduceColumn(Value column, LoadFn load);

  AdaptiveKernel &kernel;
  const LaneReduction &reduction;
  KernelBuilder &at;
  int64_t length;
  const SymbolicAdaptiveDim &columns;
  bool hasRows;
  /// Where the row's columns are known.
  std::optional<AdaptiveColumns> straightColumns;
  int64_t numVectors = 0;
  /// A row's accumulators.
  AccumulatorBuffer scratch;
  /// Coordinates of the plane: batch, channel, and outputs of all dimensions
  /// before the rows.
  SmallVector<Value> coordinates;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void AdaptivePlanes::create(RowPlace place) {
  if (place != RowPlace::Buffer) {
    int64_t width = *getConstantIntValue(columns.input);
    straightColumns.emplace(kernel, AdaptiveDim{width, columns.output});
    numVectors = llvm::divideCeil(width, length);
  }
  SmallVector<Value> upper;
  for (unsigned d = 0; d < 2; ++d)
    upper.push_back(at.value(kernel.inputShape[d]));
  for (const SymbolicAdaptiveDim &dim : ArrayRef(kernel.dims).drop_back())
    upper.push_back(at.index(dim.output));
  bool loopsOverRows = hasRows && place != RowPlace::Plane;
  if (hasRows && !loopsOverRows)
    upper.pop_back();
  if (hasRows && place == RowPlace::Buffer)
    return at.forEachTogether(
        upper, cost::kRowsTogether, [&] { allocateScratch(); },
        [&](ValueRange outputs) {
          coordinates = llvm::to_vector(outputs);
          emitScratchRow(coordinates.pop_back_val());
        });
  at.forEachParallel(upper, [&](ValueRange outputs) {
    coordinates = llvm::to_vector(outputs);
    Value row = loopsOverRows ? coordinates.pop_back_val() : Value();
    switch (place) {
    case RowPlace::Plane:
      for (int64_t o = 0; o < kernel.dims.front().output; ++o)
        emitRow(at.getIndexAttr(o), /*isStraight=*/true);
      return;
    case RowPlace::Row:
      return emitRow(row, /*isStraight=*/!hasRows);
    case RowPlace::Buffer:
      return reduceColumns(coordinates, [&](Value column, Value mask) {
        return kernel.load({coordinates[0], coordinates[1], column}, mask);
      });
    }
  });
}

SmallVector<Interval> AdaptivePlanes::getRows(OpFoldResult row) {
  SmallVector<Interval> rows;
  for (auto [i, o] : llvm::enumerate(ArrayRef(coordinates).drop_front(2)))
    rows.push_back(kernel.getInterval(i, o));
  if (hasRows)
    rows.push_back(kernel.getInterval(rows.size(), row));
  return rows;
}

SmallVector<Value> AdaptivePlanes::getCoordinates(OpFoldResult row) {
  SmallVector<Value> result = coordinates;
  if (hasRows)
    result.push_back(at.value(row));
  return result;
}

//===----------------------------------------------------------------------===//
// Rows in registers
//===----------------------------------------------------------------------===//

void AdaptivePlanes::emitRow(OpFoldResult row, bool isStraight) {
  // NaN to be ignored must not be an accumulator's position.
  SmallVector<Accumulator> accs(numVectors);
  if (!isStraight || reduction.hasPositions())
    accs.assign(numVectors, kernel.getEmpty());
  int64_t width = *getConstantIntValue(columns.input);
  VectorStrip strip;
  for (int64_t first = 0; first < width; first += length) {
    strip.firsts.push_back(at.index(first));
    strip.numLanes.push_back(at.index(width - first));
  }
  kernel.appendWindow(ArrayRef(coordinates).take_front(2), getRows(row), strip,
                      isStraight, accs);
  SmallVector<Value> place = getCoordinates(row);
  place.emplace_back();
  for (int64_t first = 0; first < columns.output; first += length) {
    Accumulator lanes = straightColumns->reduce(accs, first);
    place.back() = at.index(first);
    kernel.store(kernel.getPlace(place, at.index(columns.output - first)),
                 lanes);
  }
}

//===----------------------------------------------------------------------===//
// Rows in a buffer
//===----------------------------------------------------------------------===//

void AdaptivePlanes::allocateScratch() {
  Value width = at.value(columns.input);
  Value capacity = at.mul(at.ceilDiv(width, length), length);
  scratch = AccumulatorBuffer::allocate(at, reduction, {ShapedType::kDynamic},
                                        capacity);
}

void AdaptivePlanes::emitScratchRow(Value row) {
  SmallVector<Interval> rows = getRows(row);
  kernel.forEachStrip(
      at.value(columns.input), cost::kAdaptiveStripVectors,
      [&](const VectorStrip &strip) { combineRows(rows, strip); });
  reduceColumns(getCoordinates(row), [&](Value column, Value mask) {
    return scratch.load(at, reduction, column, mask);
  });
}

void AdaptivePlanes::combineRows(ArrayRef<Interval> rows,
                                 const VectorStrip &strip) {
  SmallVector<Accumulator> accs(strip.firsts.size(), kernel.getEmpty());
  kernel.appendWindow(ArrayRef(coordinates).take_front(2), rows, strip,
                      /*isStraight=*/false, accs);
  for (auto [acc, column] : llvm::zip_equal(accs, strip.firsts))
    scratch.store(at, acc, column);
}

//===----------------------------------------------------------------------===//
// Columns in a loop
//===----------------------------------------------------------------------===//

Accumulator AdaptivePlanes::reduceColumn(Value column, LoadFn load) {
  Interval interval = kernel.getInterval(kernel.dims.size() - 1, column);
  Value begin = at.value(interval.begin);
  Value end = at.value(interval.end);
  auto loadPart = [&](Value first) {
    return load(first, createLaneMask(at, length, /*begin=*/Value(),
                                      at.sub(end, first)));
  };
  Accumulator acc = kernel.getEmpty();
  // Most windows are narrower than a vector.
  acc = kernel.combine(acc, loadPart(begin));
  if (getConstantIntValue(columns.maxSize).value_or(length + 1) <= length)
    return acc;
  kernel.forEach(at.add(begin, length), end, length, acc, [&](Value first) {
    acc = kernel.combine(acc, loadPart(first));
  });
  return acc;
}

void AdaptivePlanes::reduceColumns(ArrayRef<Value> coordinates, LoadFn load) {
  int64_t numWindows = std::min(length, columns.output);
  kernel.forEach(
      at.index(0), at.index(columns.output), length, {}, [&](Value first) {
        Value numOutputs =
            at.min(at.sub(at.index(columns.output), first), length);
        Accumulator results;
        if (numWindows > cost::kMaxMergedWindows)
          results =
              mergeWindowsInLoop(at, reduction, numOutputs, [&](Value lane) {
                return reduceColumn(at.add(first, lane), load);
              });
        else
          results =
              mergeWindows(at, reduction, numWindows, [&](int64_t window) {
                // The last strip repeats its last window.
                return reduceColumn(
                    at.min(at.add(first, window), columns.output - 1), load);
              });
        SmallVector<Value> place(coordinates);
        place.push_back(first);
        kernel.store(kernel.getPlace(place, numOutputs), results);
      });
}

void AdaptivePlanesPlan::emit(AdaptiveKernel &kernel) const {
  AdaptivePlanes(kernel).create(place);
}
