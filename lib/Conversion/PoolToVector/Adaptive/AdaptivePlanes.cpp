// Adaptive pooling of channels-first buffers: the rows of a window are combined
// vector by vector, then the columns of the row that this gives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

#include "Reduce/BlockReduction.h"
#include "Reduce/LaneMerge.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AdaptivePlanes {
public:
  AdaptivePlanes(AdaptiveKernel &kernel, RowPlace rowPlace)
      : kernel(kernel), reduction(kernel.reduction), at(kernel.at),
        length(kernel.getLength()), columns(kernel.dims.back()),
        rowPlace(rowPlace), hasRows(kernel.dims.size() > 1) {}

  void create();

private:
  using LoadFn =
      function_ref<Accumulator(Value column, const LaneRange &range)>;

  /// Emits the outputs of the row at `coordinates`, which are all but the
  /// column, by each kind of RowPlace.
  void emitRow(ValueRange coordinates);
  void emitRowInRegisters(ValueRange coordinates);
  void reduceColumns(ValueRange coordinates, LoadFn load);
  /// Accumulators that together have all of a window.
  Accumulator reduceColumn(Value column, LoadFn load);

  AdaptiveKernel &kernel;
  const LaneReduction &reduction;
  KernelBuilder &at;
  int64_t length;
  const SymbolicAdaptiveDim &columns;
  RowPlace rowPlace;
  bool hasRows;
  /// A row's accumulators.
  AccumulatorBuffer scratch;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void AdaptivePlanes::create() {
  SmallVector<Value> upper(ArrayRef(kernel.inputShape).take_front(2));
  for (int64_t output : ArrayRef(kernel.problem.outputs).drop_back())
    upper.push_back(at.index(output));
  if (rowPlace == RowPlace::Plane)
    upper.pop_back();
  bool hasScratch = hasRows && rowPlace == RowPlace::Buffer;
  auto allocateScratch = [&] {
    if (!hasScratch)
      return;
    Value width = at.value(columns.input);
    Value capacity = at.mul(at.ceilDiv(width, length), length);
    scratch = AccumulatorBuffer::allocate(at, reduction, capacity);
  };
  at.forEachTogether(upper, hasScratch ? cost::kRowsTogether : 1,
                     allocateScratch, [&](ValueRange outputs) {
                       if (rowPlace != RowPlace::Plane)
                         return emitRow(outputs);
                       for (int64_t o = 0; o < kernel.dims[0].output; ++o)
                         emitRow(append(outputs, at.index(o)));
                     });
}

void AdaptivePlanes::emitRow(ValueRange coordinates) {
  if (rowPlace != RowPlace::Buffer)
    return emitRowInRegisters(coordinates);
  if (!hasRows)
    return reduceColumns(
        coordinates, [&](Value column, const LaneRange &range) {
          return kernel.load(append(coordinates, column), range);
        });
  SmallVector<PositionRange> rows =
      kernel.getIntervals(coordinates.drop_front(2));
  kernel.forEachStrip(
      at.value(columns.input), cost::kAdaptiveStripVectors,
      [&](ArrayRef<LaneVector> strip) {
        SmallVector<Accumulator> accs(strip.size(), kernel.getEmpty());
        kernel.appendWindow(coordinates.take_front(2), rows, strip, accs);
        for (auto [acc, vector] : llvm::zip_equal(accs, strip))
          scratch.store(at, acc, vector.first);
      });
  reduceColumns(coordinates, [&](Value column, const LaneRange &range) {
    return scratch.load(at, reduction, column, range);
  });
}

void AdaptivePlanes::emitRowInRegisters(ValueRange coordinates) {
  int64_t width = *getConstantIntValue(columns.input);
  SmallVector<LaneVector> strip;
  for (int64_t first = 0; first < width; first += length)
    strip.push_back({at.index(first), at.index(width - first)});
  // NaN to be ignored must not be an accumulator's position.
  bool isLoop = hasRows && rowPlace == RowPlace::Row;
  bool beginsEmpty = isLoop || reduction.hasPositions();
  SmallVector<Accumulator> accs(strip.size(), beginsEmpty ? kernel.getEmpty()
                                                          : Accumulator());
  ValueRange plane = coordinates.take_front(2);
  SmallVector<PositionRange> rows =
      kernel.getIntervals(coordinates.drop_front(2));
  if (rowPlace == RowPlace::Plane) {
    int64_t end = *getConstantIntValue(rows[0].end);
    for (int64_t i = *getConstantIntValue(rows[0].begin); i < end; ++i)
      kernel.appendWindow(append(plane, at.index(i)), {}, strip, accs);
  } else {
    kernel.appendWindow(plane, rows, strip, accs);
  }
  RowWindows windows(reduction, getRowWindows({width, columns.output}));
  for (int64_t first = 0; first < columns.output; first += length)
    kernel.store(coordinates,
                 {at.index(first), at.index(columns.output - first)},
                 windows.reduce(at, accs, first));
}

//===----------------------------------------------------------------------===//
// Columns in a loop
//===----------------------------------------------------------------------===//

Accumulator AdaptivePlanes::reduceColumn(Value column, LoadFn load) {
  auto [begin, end, step] = kernel.getInterval(kernel.dims.size() - 1, column);
  Accumulator acc = kernel.getEmpty();
  auto append = [&, end = end](Value first) {
    auto range = LaneRange::getFirst(length, at.sub(end, first));
    acc = reduction.choose(at, acc, load(first, range));
  };
  // Most windows are narrower than a vector.
  append(begin);
  if (getConstantIntValue(columns.maxSize).value_or(length + 1) > length)
    at.forEach(at.add(begin, length), end, length, acc, append);
  return acc;
}

void AdaptivePlanes::reduceColumns(ValueRange coordinates, LoadFn load) {
  int64_t numWindows = std::min(length, columns.output);
  Value end = at.index(columns.output);
  at.forEach(at.index(0), end, length, [&](Value first) {
    Value numOutputs = at.min(at.sub(end, first), length);
    // The last strip repeats its last window.
    auto reduceWindow = [&](int64_t window) {
      return reduceColumn(at.min(at.add(first, window), columns.output - 1),
                          load);
    };
    auto reduceLane = [&](Value lane) {
      return reduceColumn(at.add(first, lane), load);
    };
    kernel.store(coordinates, {first, numOutputs},
                 numWindows > cost::kMaxMergedWindows
                     ? mergeWindowsInLoop(at, reduction, numOutputs, reduceLane)
                     : mergeWindows(at, reduction, numWindows, reduceWindow));
  });
}

void AdaptivePlanesPlan::emit(AdaptiveKernel &kernel) const {
  AdaptivePlanes(kernel, place).create();
}
