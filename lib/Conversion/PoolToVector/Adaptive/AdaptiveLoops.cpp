// Loops and plans of adaptive pooling. With channels last, lanes are channels,
// and a window's bounds scalars. With channels first, the rows of a window are
// combined vector by vector, then the columns of the row that this gives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Reduce/BlockReduction.h"
#include "Reduce/LaneMerge.h"
#include "pool/Support/AdaptiveRules.h"

using namespace mlir;
using namespace mlir::pool;

/// The windows of a row of known width.
static RowWindows getRowWindows(const LaneReduction &reduction,
                                const AdaptiveDim &columns) {
  SmallVector<RowWindow> windows;
  for (int64_t o = 0; o < columns.output; ++o)
    windows.push_back({columns.getStart(o), columns.getEnd(o)});
  return RowWindows(reduction, windows);
}

namespace {
/// Where the row is that the rows of a window are combined into.
enum class RowPlace {
  /// In registers, for all output rows of a plane one after the other.
  Plane,
  /// In registers, in a loop over the output rows.
  Row,
  /// In a buffer; a plane of one row is its own.
  Buffer,
};

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
  void createForChannels(int64_t numVectors) {
    at.forEachParallel(getUpper(dims.size()), [&](ValueRange outputs) {
      SmallVector<PositionRange> window = getIntervals(outputs.drop_front());
      reduceStrips(
          inputShape.back(), numVectors, outputs[0], window,
          [&](Value channel, const LaneRange &existing, Accumulator acc) {
            store(append(outputs, channel), existing, acc);
          });
    });
  }

  /// Loops over channels-first buffers.
  void createForPlanes(RowPlace rowPlace) {
    bool isPlane = rowPlace == RowPlace::Plane;
    bool hasScratch = rowPlace == RowPlace::Buffer && dims.size() > 1;
    auto allocateScratch = [&] {
      if (!hasScratch)
        return;
      Value width = at.index(dims.back().input);
      Value capacity = at.mul(at.ceilDiv(width, length), length);
      scratch = AccumulatorBuffer::allocate(at, reduction, capacity);
    };
    at.forEachTogether(getUpper(dims.size() - (isPlane ? 2 : 1)),
                       hasScratch ? cost::kRowsTogether : 1, allocateScratch,
                       [&](ValueRange outputs) {
                         if (rowPlace == RowPlace::Buffer)
                           return emitRow(outputs);
                         if (!isPlane)
                           return emitRowInRegisters(outputs, isPlane);
                         for (int64_t o = 0; o < dims[0].output; ++o)
                           emitRowInRegisters(append(outputs, at.index(o)),
                                              isPlane);
                       });
  }

private:
  using LoadFn =
      function_ref<Accumulator(Value column, const LaneRange &range)>;

  /// Returns the extents of the input before its spatial dimensions, and of the
  /// first `numOutputs` spatial dimensions of the output.
  SmallVector<Value> getUpper(unsigned numOutputs) {
    SmallVector<Value> upper(
        ArrayRef(inputShape).take_front(emitter.problem.getFirstDim()));
    for (const SymbolicAdaptiveDim &dim : ArrayRef(dims).take_front(numOutputs))
      upper.push_back(at.index(dim.output));
    return upper;
  }

  /// Returns the positions of window `o` in spatial dimension `i`.
  PositionRange getInterval(unsigned i, Value o) {
    Value begin = at.index(getStart(at, at.getLoc(), dims[i], o));
    Value size = at.index(getSize(at, at.getLoc(), dims[i], o));
    return {begin, at.add(begin, size)};
  }

  /// Calls getInterval() for the first spatial dimensions, with one of
  /// `outputs` for each.
  SmallVector<PositionRange> getIntervals(ValueRange outputs) {
    SmallVector<PositionRange> intervals;
    for (auto [i, o] : llvm::enumerate(outputs))
      intervals.push_back(getInterval(i, o));
    return intervals;
  }

  Accumulator getEmpty() { return reduction.getEmpty(at); }
  /// Loads lanes of the input from `position` on in its last dimension. Lanes
  /// outside `range` add nothing.
  Accumulator load(ValueRange position, const LaneRange &range) {
    Value element = reduction.prepare(
        at, reduction.load(at, emitter.input, position, range));
    if (!reduction.hasPositions())
      return reduction.getLanes(at, element, {});
    int64_t axis = emitter.problem.carriedAxis;
    Value first = getElementNumber(at, ArrayRef(inputShape).drop_front(axis),
                                   llvm::to_vector(position.drop_front(axis)));
    VectorType type = reduction.getPositionType();
    Value positions =
        at.add(at.lanes(type, [](int64_t lane) { return lane; }), first);
    positions = selectRange(at, range, positions, getEmpty().index);
    return reduction.getLanes(at, element, positions);
  }

  /// Appends elements of the input to the accumulators, one for each vector of
  /// `strip`, of which lanes from the first one on exist. These elements are at
  /// all of `intervals`, in the dimensions between `outer` and the last one.
  /// Without intervals, an accumulator may be without a value, at the
  /// beginning.
  void appendWindow(ValueRange outer, ArrayRef<PositionRange> intervals,
                    const VectorStrip &strip,
                    MutableArrayRef<Accumulator> accs) {
    auto appendRow = [&](ValueRange position) {
      for (auto [v, acc] : llvm::enumerate(accs)) {
        LaneRange range = {0, at.sub(strip.existing.end, v * length)};
        Value element = at.add(strip.element, v * length);
        Accumulator next = load(append(position, element), range);
        acc = acc.value
                  ? reduction.choose(at, acc, next)
                  : Accumulator{reduction.begin(at, next.value), next.index};
      }
    };
    at.forEachIn(intervals, accs, appendRow, outer);
  }

  /// Loops over strips that together cover `numElements`: strips of
  /// `numVectors`, then of one vector, then one strip for the rest. Reduces the
  /// windows of each by appendWindow(), and calls `store` for its vectors.
  void reduceStrips(
      Value numElements, int64_t numVectors, ValueRange outer,
      ArrayRef<PositionRange> intervals,
      function_ref<void(Value element, const LaneRange &, Accumulator)> store) {
    auto reduce = [&](const VectorStrip &strip) {
      SmallVector<Accumulator> accs(strip.numVectors, getEmpty());
      appendWindow(outer, intervals, strip, accs);
      for (auto [v, acc] : llvm::enumerate(accs))
        store(at.add(strip.element, v * length), strip.existing, acc);
    };
    Value begin = at.index(0);
    for (int64_t n : {numVectors, int64_t(1)}) {
      Value end = at.mul(at.floorDiv(numElements, n * length), n * length);
      at.forEach(begin, end, n * length,
                 [&, n = n](Value first) { reduce({first, n, {}}); });
      begin = end;
    }
    at.forEach(begin, numElements, length, [&](Value first) {
      reduce({first, 1, {0, at.sub(numElements, first)}});
    });
  }

  /// Stores the accumulators of a vector of outputs.
  void store(ArrayRef<Value> coordinates, const LaneRange &existing,
             const Accumulator &lanes) {
    ElementPlace place(coordinates, length, existing);
    SmallVector<Value> values = {reduction.finish(at, lanes)};
    if (reduction.hasPositions())
      values.push_back(lanes.index);
    const FusedResults &results = emitter.results;
    for (auto [chain, buffer, value] :
         llvm::zip_equal(results.chains, results.buffers, values))
      chain.store(at, value, buffer, place, {});
  }

  /// Emits the outputs of the row at `coordinates`, which are all but the
  /// column. Combines the rows of windows in a buffer.
  void emitRow(ValueRange coordinates) {
    if (dims.size() == 1)
      return reduceColumns(coordinates,
                           [&](Value column, const LaneRange &range) {
                             return load(append(coordinates, column), range);
                           });
    SmallVector<PositionRange> rows = getIntervals(coordinates.drop_front(2));
    reduceStrips(at.index(dims.back().input), cost::kAdaptiveStripVectors,
                 coordinates.take_front(2), rows,
                 [&](Value column, const LaneRange &, Accumulator acc) {
                   scratch.store(at, acc, column);
                 });
    reduceColumns(coordinates, [&](Value column, const LaneRange &range) {
      return scratch.load(at, reduction, column, range);
    });
  }

  /// Does so in registers. If `isStraight`, without a loop over rows.
  void emitRowInRegisters(ValueRange coordinates, bool isStraight) {
    const SymbolicAdaptiveDim &columns = dims.back();
    int64_t width = *getConstantIntValue(columns.input);
    int64_t numVectors = llvm::divideCeil(width, length);
    VectorStrip strip{at.index(0), numVectors, {0, width}};
    // NaN to be ignored must not be an accumulator's position.
    bool isLoop = dims.size() > 1 && !isStraight;
    bool beginsEmpty = isLoop || reduction.hasPositions();
    SmallVector<Accumulator> accs(numVectors,
                                  beginsEmpty ? getEmpty() : Accumulator());
    ValueRange plane = coordinates.take_front(2);
    SmallVector<PositionRange> rows = getIntervals(coordinates.drop_front(2));
    if (isStraight) {
      int64_t end = *rows[0].end.getKnown();
      for (int64_t i = *rows[0].begin.getKnown(); i < end; ++i)
        appendWindow(append(plane, at.index(i)), {}, strip, accs);
    } else {
      appendWindow(plane, rows, strip, accs);
    }
    RowWindows windows = getRowWindows(reduction, {width, columns.output});
    for (int64_t first = 0; first < columns.output; first += length)
      store(append(coordinates, at.index(first)), {0, columns.output - first},
            windows.reduce(at, accs, first));
  }

  void reduceColumns(ValueRange coordinates, LoadFn load) {
    int64_t numColumns = dims.back().output;
    int64_t numWindows = std::min(length, numColumns);
    Value end = at.index(numColumns);
    at.forEach(at.index(0), end, length, [&](Value first) {
      Value numOutputs = at.min(at.sub(end, first), length);
      // The last strip repeats its last window.
      auto reduceWindow = [&](int64_t window) {
        return reduceColumn(at.min(at.add(first, window), numColumns - 1),
                            load);
      };
      auto reduceLane = [&](Value lane) {
        return reduceColumn(at.add(first, lane), load);
      };
      store(append(coordinates, first), {0, numOutputs},
            numWindows > cost::kMaxMergedWindows
                ? mergeWindowsInLoop(at, reduction, numOutputs, reduceLane)
                : mergeWindows(at, reduction, numWindows, reduceWindow));
    });
  }

  /// Accumulators that together have all of a window.
  Accumulator reduceColumn(Value column, LoadFn load) {
    auto [begin, end, step] = getInterval(dims.size() - 1, column);
    Accumulator acc = getEmpty();
    auto append = [&, end = end](Value first) {
      acc = reduction.choose(at, acc, load(first, {0, at.sub(end, first)}));
    };
    // Most windows are narrower than a vector.
    append(at.index(begin));
    if (getConstantIntValue(dims.back().maxSize).value_or(length + 1) > length)
      at.forEach(at.add(begin, length), end, length, acc, append);
    return acc;
  }

  const AdaptiveEmitter &emitter;
  KernelBuilder &at;
  const LaneReduction &reduction;
  int64_t length;
  SmallVector<Value> inputShape;
  SmallVector<SymbolicAdaptiveDim> dims;
  /// A row's accumulators.
  AccumulatorBuffer scratch;
};

/// Lanes are columns.
struct AdaptivePlanesPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "adaptive-planes";
  RowPlace place = RowPlace::Buffer;

  void visit(PlanFields &fields) {
    fields.keyword("row", place, {"plane", "register", "buffer"});
  }

  /// Returns the operations of straight code for a row in registers, or for a
  /// plane of such rows.
  static FailureOr<int64_t> getCodeSize(const AdaptiveProblem &problem,
                                        RowPlace place, std::string &reason) {
    std::optional<int64_t> height = problem.inputs[0];
    std::optional<int64_t> width = problem.inputs.back();
    int64_t numRows = problem.outputs[0], numColumns = problem.outputs.back();
    // Half of the registers.
    int64_t mostVectors = problem.target.numVectorRegisters / 2;
    int64_t length = problem.reduction.getLength();
    if (!width || *width < 1)
      return refuse(reason, "the width is not known");
    if (*width > mostVectors * length)
      return refuse(reason, "a row has {0} columns, more than {1} vectors",
                    *width, mostVectors);
    if (numColumns > cost::kMaxCodeSize)
      return refuse(reason, "{0} outputs are no straight code", numColumns);
    int64_t rowSize =
        getRowWindows(problem.reduction, {*width, numColumns}).getCodeSize();
    if (place == RowPlace::Row)
      return rowSize;
    if (problem.inputs.size() != 2 || !height || *height < 1 ||
        std::max(*height, numRows) > cost::kMaxPinnedCodeSize)
      return refuse(reason, "a plane is no straight code");
    // Windows share a row at most.
    int64_t numLoads = (*height + numRows) * llvm::divideCeil(*width, length);
    return 2 * numLoads + numRows * rowSize;
  }

  static LogicalResult admit(const AdaptiveProblem &problem,
                             std::string &reason) {
    return checkLayout(problem.layout, Layout::ChannelsFirst, reason);
  }
  FailureOr<double> choose(const AdaptiveProblem &problem,
                           std::string &reason) {
    for (RowPlace straight : {RowPlace::Row, RowPlace::Plane}) {
      FailureOr<int64_t> size = getCodeSize(problem, straight, reason);
      if (succeeded(size) && *size <= cost::kMaxCodeSize)
        place = straight;
    }
    return problem.getCost(std::min<int64_t>(problem.reduction.getLength(),
                                             problem.outputs.back()));
  }
  LogicalResult check(const AdaptiveProblem &problem, PlanScope &,
                      std::string &reason) const {
    if (place == RowPlace::Buffer)
      return success();
    FailureOr<int64_t> size = getCodeSize(problem, place, reason);
    if (failed(size))
      return failure();
    if (*size <= cost::kMaxPinnedCodeSize)
      return success();
    return refuse(reason, "a {0} is no straight code",
                  place == RowPlace::Plane ? "plane" : "row");
  }

  void emit(AdaptiveEmitter &emitter) const {
    AdaptiveLoops(emitter).createForPlanes(place);
  }
};

/// Lanes are channels.
struct AdaptiveChannelsPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "adaptive-channels";
  /// Vectors of channels at once.
  int64_t numVectors = cost::kAdaptiveStripVectors;

  void visit(PlanFields &fields) {
    fields.integer("vectors", numVectors, 1, 16);
  }
  static LogicalResult admit(const AdaptiveProblem &problem,
                             std::string &reason) {
    return checkLayout(problem.layout, Layout::ChannelsLast, reason);
  }
  FailureOr<double> choose(const AdaptiveProblem &problem, std::string &) {
    return problem.getCost(problem.reduction.getLength());
  }
  void emit(AdaptiveEmitter &emitter) const {
    AdaptiveLoops(emitter).createForChannels(numVectors);
  }
};
} // namespace

ArrayRef<AdaptiveStrategy> pool::getAdaptiveStrategies() {
  static constexpr AdaptiveStrategy strategies[] = {
      AdaptiveStrategy::of<AdaptivePlanesPlan>(),
      AdaptiveStrategy::of<AdaptiveChannelsPlan>(),
  };
  return strategies;
}
