// Loops of adaptive pooling. With channels last, lanes are channels, and the
// bounds of a window scalars. With channels first, the rows of a window are
// combined vector by vector, then the columns of the row that this gives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Emit/Memory.h"
#include "Reduce/BlockReduction.h"
#include "Reduce/LaneMerge.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "pool/Support/AdaptiveRules.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// A vector of elements of the last dimension: the first one, and how many of
/// the lanes exist, which may be more than there are.
struct LaneVector {
  Value first, numLanes;
};

/// What both kinds of loops share: positions of a window, loads, stores.
class AdaptiveLoops {
public:
  explicit AdaptiveLoops(const AdaptiveEmitter &emitter)
      : emitter(emitter), at(emitter.at), reduction(emitter.problem.reduction),
        length(reduction.getLength()),
        inputShape(at.getExtents(emitter.input)) {
    unsigned firstDim = emitter.problem.getFirstDim();
    for (auto [i, output] : llvm::enumerate(emitter.problem.outputs))
      dims.push_back(resolveAdaptiveDim(
          at, at.getLoc(), getAsOpFoldResult(inputShape[firstDim + i]),
          output));
  }

  /// Loops over channels-last buffers, `numVectors` of channels at once.
  void createForChannels(int64_t numVectors);

protected:
  /// Returns the positions of window `o` in spatial dimension `i`.
  PositionRange getInterval(unsigned i, Value o);
  /// Calls getInterval() for the first spatial dimensions, with one of
  /// `outputs` for each.
  SmallVector<PositionRange> getIntervals(ValueRange outputs);

  Accumulator getEmpty() { return reduction.getEmpty(at); }
  /// Loads lanes of the input from `position` on in its last dimension. Lanes
  /// outside `range` add nothing.
  Accumulator load(ValueRange position, const LaneRange &range);
  /// Appends elements of the input to the accumulators, one for each vector of
  /// `strip`. These elements are at all of `intervals`, in the dimensions
  /// between `outer` and the last one. Without intervals, an accumulator may be
  /// without a value, at the beginning.
  void appendWindow(ValueRange outer, ArrayRef<PositionRange> intervals,
                    ArrayRef<LaneVector> strip,
                    MutableArrayRef<Accumulator> accs);

  /// Calls `body` for strips that together cover `extent` elements: strips of
  /// `mostVectors` vectors, then of one vector, then one strip for the rest.
  void forEachStrip(Value extent, int64_t mostVectors,
                    function_ref<void(ArrayRef<LaneVector>)> body);

  /// Stores the accumulators of a vector of outputs. `coordinates` are those
  /// before the last one.
  void store(ValueRange coordinates, LaneVector outputs,
             const Accumulator &lanes);

  const AdaptiveEmitter &emitter;
  KernelBuilder &at;
  const LaneReduction &reduction;
  int64_t length;
  SmallVector<Value> inputShape;
  SmallVector<SymbolicAdaptiveDim> dims;
};

/// Loops over channels-first buffers.
class AdaptivePlanes : private AdaptiveLoops {
public:
  AdaptivePlanes(const AdaptiveEmitter &emitter, RowPlace rowPlace)
      : AdaptiveLoops(emitter), columns(dims.back()), rowPlace(rowPlace),
        hasRows(dims.size() > 1) {}

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

  const SymbolicAdaptiveDim &columns;
  RowPlace rowPlace;
  bool hasRows;
  /// A row's accumulators.
  AccumulatorBuffer scratch;
};
} // namespace

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

PositionRange AdaptiveLoops::getInterval(unsigned i, Value o) {
  const SymbolicAdaptiveDim &dim = dims[i];
  OpFoldResult begin = getStart(at, at.getLoc(), dim, o);
  AffineExpr sum = at.getAffineSymbolExpr(0) + at.getAffineSymbolExpr(1);
  OpFoldResult end = affine::makeComposedFoldedAffineApply(
      at, at.getLoc(), sum, {begin, getSize(at, at.getLoc(), dim, o)});
  return {at.value(begin), at.value(end)};
}

SmallVector<PositionRange> AdaptiveLoops::getIntervals(ValueRange outputs) {
  SmallVector<PositionRange> intervals;
  for (auto [i, o] : llvm::enumerate(outputs))
    intervals.push_back(getInterval(i, o));
  return intervals;
}

Accumulator AdaptiveLoops::load(ValueRange position, const LaneRange &range) {
  Value element =
      reduction.prepare(at, reduction.load(at, emitter.input, position, range));
  if (!reduction.hasPositions())
    return reduction.getLanes(at, element, {});
  int64_t axis = emitter.problem.carriedAxis;
  Value first = getElementNumber(at, ArrayRef(inputShape).drop_front(axis),
                                 llvm::to_vector(position.drop_front(axis)));
  VectorType type = reduction.getPositionType();
  Value positions = at.add(at.splat(type, first),
                           at.lanes(type, llvm::to_vector(llvm::seq(length))));
  positions = selectRange(at, range, positions, getEmpty().index);
  return reduction.getLanes(at, element, positions);
}

void AdaptiveLoops::appendWindow(ValueRange outer,
                                 ArrayRef<PositionRange> intervals,
                                 ArrayRef<LaneVector> strip,
                                 MutableArrayRef<Accumulator> accs) {
  SmallVector<LaneRange> ranges;
  for (const LaneVector &vector : strip)
    ranges.push_back(LaneRange::getFirst(length, vector.numLanes));
  at.forEachIn(intervals, accs, [&](ValueRange inner) {
    SmallVector<Value> position(outer);
    llvm::append_range(position, inner);
    for (auto [acc, vector, range] : llvm::zip_equal(accs, strip, ranges)) {
      Accumulator next = load(append(position, vector.first), range);
      acc = acc.value
                ? reduction.choose(at, acc, next)
                : Accumulator{reduction.begin(at, next.value), next.index};
    }
  });
}

void AdaptiveLoops::forEachStrip(
    Value extent, int64_t mostVectors,
    function_ref<void(ArrayRef<LaneVector>)> body) {
  Value begin = at.index(0);
  for (int64_t n : {mostVectors, int64_t(1)}) {
    Value end = at.mul(at.floorDiv(extent, n * length), n * length);
    at.forEach(begin, end, n * length, [&, n = n](Value first) {
      SmallVector<LaneVector> strip;
      for (int64_t v = 0; v < n; ++v)
        strip.push_back({at.add(first, v * length), at.index(length)});
      body(strip);
    });
    begin = end;
  }
  at.forEach(begin, extent, length, [&](Value first) {
    body(LaneVector{first, at.sub(extent, first)});
  });
}

void AdaptiveLoops::store(ValueRange coordinates, LaneVector outputs,
                          const Accumulator &lanes) {
  ElementPlace place;
  place.coordinates = append(coordinates, outputs.first);
  place.laneDim = coordinates.size();
  place.numLanes = length;
  place.existing = LaneRange::getFirst(length, outputs.numLanes);
  SmallVector<Value> values = {reduction.finish(at, lanes)};
  if (reduction.hasPositions())
    values.push_back(lanes.index);
  for (auto [chain, buffer, value] :
       llvm::zip_equal(emitter.results.chains, emitter.results.buffers, values))
    chain.store(at, value, buffer, place, {});
}

//===----------------------------------------------------------------------===//
// Channels last
//===----------------------------------------------------------------------===//

void AdaptiveLoops::createForChannels(int64_t numVectors) {
  SmallVector<Value> upper = {inputShape[0]};
  for (int64_t output : emitter.problem.outputs)
    upper.push_back(at.index(output));
  at.forEachParallel(upper, [&](ValueRange outputs) {
    SmallVector<PositionRange> window = getIntervals(outputs.drop_front());
    forEachStrip(inputShape.back(), numVectors,
                 [&](ArrayRef<LaneVector> strip) {
                   SmallVector<Accumulator> accs(strip.size(), getEmpty());
                   appendWindow(outputs[0], window, strip, accs);
                   for (auto [acc, channels] : llvm::zip_equal(accs, strip))
                     store(outputs, channels, acc);
                 });
  });
}

void AdaptiveChannelsPlan::emit(AdaptiveEmitter &emitter) const {
  AdaptiveLoops(emitter).createForChannels(numVectors);
}

//===----------------------------------------------------------------------===//
// Rows of planes
//===----------------------------------------------------------------------===//

void AdaptivePlanesPlan::emit(AdaptiveEmitter &emitter) const {
  AdaptivePlanes(emitter, place).create();
}

void AdaptivePlanes::create() {
  SmallVector<Value> upper(ArrayRef(inputShape).take_front(2));
  for (int64_t output : ArrayRef(emitter.problem.outputs).drop_back())
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
                       for (int64_t o = 0; o < dims[0].output; ++o)
                         emitRow(append(outputs, at.index(o)));
                     });
}

void AdaptivePlanes::emitRow(ValueRange coordinates) {
  if (rowPlace != RowPlace::Buffer)
    return emitRowInRegisters(coordinates);
  if (!hasRows)
    return reduceColumns(coordinates,
                         [&](Value column, const LaneRange &range) {
                           return load(append(coordinates, column), range);
                         });
  SmallVector<PositionRange> rows = getIntervals(coordinates.drop_front(2));
  forEachStrip(at.value(columns.input), cost::kAdaptiveStripVectors,
               [&](ArrayRef<LaneVector> strip) {
                 SmallVector<Accumulator> accs(strip.size(), getEmpty());
                 appendWindow(coordinates.take_front(2), rows, strip, accs);
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
  SmallVector<Accumulator> accs(strip.size(),
                                beginsEmpty ? getEmpty() : Accumulator());
  ValueRange plane = coordinates.take_front(2);
  SmallVector<PositionRange> rows = getIntervals(coordinates.drop_front(2));
  if (rowPlace == RowPlace::Plane) {
    int64_t end = *getConstantIntValue(rows[0].end);
    for (int64_t i = *getConstantIntValue(rows[0].begin); i < end; ++i)
      appendWindow(append(plane, at.index(i)), {}, strip, accs);
  } else {
    appendWindow(plane, rows, strip, accs);
  }
  RowWindows windows(reduction, getRowWindows({width, columns.output}));
  for (int64_t first = 0; first < columns.output; first += length)
    store(coordinates, {at.index(first), at.index(columns.output - first)},
          windows.reduce(at, accs, first));
}

//===----------------------------------------------------------------------===//
// Columns of planes in a loop
//===----------------------------------------------------------------------===//

Accumulator AdaptivePlanes::reduceColumn(Value column, LoadFn load) {
  auto [begin, end, step] = getInterval(dims.size() - 1, column);
  Accumulator acc = getEmpty();
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
    store(coordinates, {first, numOutputs},
          numWindows > cost::kMaxMergedWindows
              ? mergeWindowsInLoop(at, reduction, numOutputs, reduceLane)
              : mergeWindows(at, reduction, numWindows, reduceWindow));
  });
}
