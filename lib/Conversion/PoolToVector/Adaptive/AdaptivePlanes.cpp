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

  /// Emits the outputs of a row, by each kind of RowPlace.
  void emitRow();
  void emitRowInRegisters();
  void emitRowInBuffer();
  void reduceColumns(LoadFn load);
  /// Accumulators that together have all of a window.
  Accumulator reduceColumn(Value column, LoadFn load);

  /// Batch and channel of the row.
  ValueRange getPlane() { return ValueRange(coordinates).take_front(2); }
  /// The rows of its windows, in all dimensions but the columns.
  SmallVector<PositionRange> getRows() {
    return kernel.getIntervals(ValueRange(coordinates).drop_front(2));
  }

  AdaptiveKernel &kernel;
  const LaneReduction &reduction;
  KernelBuilder &at;
  int64_t length;
  const SymbolicAdaptiveDim &columns;
  RowPlace rowPlace;
  bool hasRows;
  /// A row's accumulators.
  AccumulatorBuffer scratch;
  /// Coordinates of the row of outputs: all but the column.
  SmallVector<Value> coordinates;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void AdaptivePlanes::create() {
  SmallVector<Value> upper(ArrayRef(kernel.inputShape).take_front(2));
  for (const SymbolicAdaptiveDim &dim : ArrayRef(kernel.dims).drop_back())
    upper.push_back(at.index(dim.output));
  if (rowPlace == RowPlace::Plane)
    upper.pop_back();
  bool hasScratch = hasRows && rowPlace == RowPlace::Buffer;
  auto allocateScratch = [&] {
    if (!hasScratch)
      return;
    Value width = at.value(columns.input);
    Value capacity = at.mul(at.ceilDiv(width, length), length);
    scratch = AccumulatorBuffer::allocate(at, reduction, {ShapedType::kDynamic},
                                          capacity);
  };
  at.forEachTogether(upper, hasScratch ? cost::kRowsTogether : 1,
                     allocateScratch, [&](ValueRange outputs) {
                       coordinates = llvm::to_vector(outputs);
                       if (rowPlace != RowPlace::Plane)
                         return emitRow();
                       for (int64_t o = 0; o < kernel.dims[0].output; ++o) {
                         coordinates = append(outputs, at.index(o));
                         emitRow();
                       }
                     });
}

void AdaptivePlanes::emitRow() {
  if (rowPlace != RowPlace::Buffer)
    return emitRowInRegisters();
  if (hasRows)
    return emitRowInBuffer();
  reduceColumns([&](Value column, const LaneRange &range) {
    return kernel.load(append(coordinates, column), range);
  });
}

void AdaptivePlanes::emitRowInRegisters() {
  int64_t width = *getConstantIntValue(columns.input);
  SmallVector<LaneVector> strip;
  for (int64_t first = 0; first < width; first += length)
    strip.push_back({at.index(first), at.index(width - first)});
  // NaN to be ignored must not be an accumulator's position.
  bool isLoop = hasRows && rowPlace == RowPlace::Row;
  bool beginsEmpty = isLoop || reduction.hasPositions();
  SmallVector<Accumulator> accs(strip.size(), beginsEmpty ? kernel.getEmpty()
                                                          : Accumulator());
  if (rowPlace == RowPlace::Plane) {
    PositionRange rows = getRows().front();
    int64_t end = *getConstantIntValue(rows.end);
    for (int64_t i = *getConstantIntValue(rows.begin); i < end; ++i)
      kernel.appendWindow(append(getPlane(), at.index(i)), {}, strip, accs);
  } else {
    kernel.appendWindow(getPlane(), getRows(), strip, accs);
  }
  RowWindows windows(reduction, getRowWindows({width, columns.output}));
  for (int64_t first = 0; first < columns.output; first += length)
    kernel.store(coordinates,
                 {at.index(first), at.index(columns.output - first)},
                 windows.reduce(at, accs, first));
}

void AdaptivePlanes::emitRowInBuffer() {
  SmallVector<PositionRange> rows = getRows();
  kernel.forEachStrip(at.value(columns.input), cost::kAdaptiveStripVectors,
                      [&](ArrayRef<LaneVector> strip) {
                        SmallVector<Accumulator> accs(strip.size(),
                                                      kernel.getEmpty());
                        kernel.appendWindow(getPlane(), rows, strip, accs);
                        for (auto [acc, vector] : llvm::zip_equal(accs, strip))
                          scratch.store(at, acc, vector.first);
                      });
  reduceColumns([&](Value column, const LaneRange &range) {
    return scratch.load(at, reduction, column, range);
  });
}

//===----------------------------------------------------------------------===//
// Columns in a loop
//===----------------------------------------------------------------------===//

Accumulator AdaptivePlanes::reduceColumn(Value column, LoadFn load) {
  auto [begin, end, step] = kernel.getInterval(kernel.dims.size() - 1, column);
  Accumulator acc = kernel.getEmpty();
  auto append = [&, end = end](Value first) {
    auto range = LaneRange::getFirst(length, at.sub(end, first));
    acc = kernel.combine(acc, load(first, range));
  };
  // Most windows are narrower than a vector.
  append(begin);
  if (getConstantIntValue(columns.maxSize).value_or(length + 1) > length)
    at.forEach(at.add(begin, length), end, length, acc, append);
  return acc;
}

void AdaptivePlanes::reduceColumns(LoadFn load) {
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
