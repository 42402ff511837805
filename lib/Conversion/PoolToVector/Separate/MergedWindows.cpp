// The strategies `merged` and `global`, for channels-first buffers. Each row of
// a window is loaded as whole vectors. The vectors of all rows of the window
// are combined. At the end, a tree of shuffles merges the lanes of each window
// into one lane of the results; see RowWindows.h.
//
// This strip has four windows of three columns, in vectors of four lanes.
// Columns of one window have the same letter:
//
//   a row of the input  aaabbbcccddd
//   loaded              aaab bbbc cccd cddd   combined for all rows of windows
//   lanes of windows    aaa_ bbb_ ccc_ _ddd   lanes `_` become empty
//   merged              abcd
//
// No vector extends beyond the strip, so the last vector begins a column
// earlier. If several windows fill a vector, it has several windows. If a
// window has more columns than a vector has lanes, its rows are loaded in
// parts, which are combined to one vector.
//
// The strategy `global` is for global pooling, whose windows are whole planes.
// It treats the planes of one image as one row in which each plane is a window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/RowWindows.h"
#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// The sizes of a strip: neighboring windows of a row whose results are one
/// vector.
struct MergedStrip {
  /// Sets the sizes of the widest possible strip.
  MergedStrip(const Problem &problem, const ProblemDim &columns)
      : columns(columns), length(problem.getLength()) {
    if (problem.reduction.hasPositions())
      length = std::min(length, cost::kMaxPositionLanes);
    numParts = llvm::divideCeil(columns.kernel, length);
    numWindows = std::min(length, columns.knownOutput.value_or(length));
  }

  /// Returns the number of windows in a loaded vector. This is 1, unless
  /// windows are side by side and fill all vectors.
  int64_t getVectorWindows() const {
    int64_t most = length / columns.kernel;
    bool fillIt = columns.stride == columns.kernel &&
                  length % columns.kernel == 0 && numWindows % most == 0;
    return fillIt ? most : 1;
  }
  int64_t getNumVectors() const { return numWindows / getVectorWindows(); }
  /// Returns the column at which the first window of vector `vector` begins,
  /// counted from the beginning of the strip.
  int64_t getColumn(int64_t vector) const {
    return vector * getVectorWindows() * columns.stride;
  }
  /// Returns the number of columns by which the load of part `part` of vector
  /// `vector` is moved back. It is moved so that it does not extend beyond the
  /// strip or, if windows have several parts, beyond its window. So this is
  /// also the number of lanes before the first lane of the part.
  int64_t getNumLanesBefore(int64_t vector, int64_t part) const {
    int64_t column = getColumn(vector) + part * length;
    int64_t end = numParts > 1 ? getColumn(vector) + columns.kernel
                               : columns.getSpan(numWindows);
    return std::clamp<int64_t>(column + length - end, 0, column);
  }
  /// Returns the approximate number of operations for a strip whose windows
  /// have `numRows` rows.
  double getNumOps(const Problem &problem, int64_t numRows) const {
    // Count indices as integers of 32 bits, which positions usually are. They
    // take more vectors than narrow elements do.
    int64_t combineOps = 1;
    if (problem.reduction.hasIndices())
      combineOps =
          10 * llvm::divideCeil(32 * length, problem.target.vectorBits);
    double numLoads = double(numRows) * getNumVectors() * numParts;
    int64_t numWindows = length / getVectorWindows();
    return numLoads * (1 + problem.reduction.getNumPrepareOps() + combineOps) +
           numWindows * (2 + combineOps);
  }

  ProblemDim columns;
  /// The number of lanes of a vector, the number of windows in the strip, and
  /// the number of parts in which a row of a window is loaded.
  int64_t length, numWindows, numParts;
};

class MergedWindows : public MergedStrip {
public:
  /// Creates an emitter for windows of `input`. `columns` are the windows of
  /// its last dimension, in which there are `numOutputs` windows. `rows` are
  /// the spatial dimensions before. With `hasLoop`, a strip has one window, and
  /// a loop reads its columns.
  MergedWindows(WindowKernel &kernel, Value input, ArrayRef<LoopDim> rows,
                const ProblemDim &columns, Value numOutputs, bool hasLoop)
      : MergedStrip(kernel.problem, columns),
        reduction(kernel.reduction.withLength(length)), kernel(kernel),
        b(kernel.b), input(input), rows(rows), numOutputs(numOutputs),
        hasLoop(hasLoop) {
    if (hasLoop)
      numWindows = 1;
    if (reduction.hasPositions() && kernel.hasNarrowPositions())
      reduction = reduction.withNarrowPositions();
  }

  /// Calls `emitStrips`, which emits code for strips of `numWindows` windows.
  /// If a row may have fewer windows at run time, emits a branch: for such
  /// rows, halves `numWindows` and calls `emitStrips` again, and so on until
  /// `numWindows` is 1. So this changes the member `numWindows`.
  void forEachWidth(function_ref<void()> emitStrips) {
    Value isWide;
    if (!columns.knownOutput && numWindows > 1)
      isWide = b.isAtLeast(numOutputs, numWindows);
    b.ifElse(isWide, [&](bool isWide) {
      if (isWide)
        return emitStrips();
      numWindows /= 2;
      forEachWidth(emitStrips);
    });
  }

  /// Returns the first window of the strip that begins at window `first`. If
  /// the strip would pass the end of the row, it is moved back to end there.
  Value getFirst(Value first) {
    return b.moveBack(first, numOutputs, numWindows);
  }

  /// Reduces the strip whose first output is at the coordinates `outputs`.
  /// Each lane of getLanes() of the result has one window.
  Accumulator reduceStrip(ValueRange outputs) {
    // Loop over the taps of all dimensions except the last, whose taps are
    // lanes.
    WindowTaps taps(b);
    ValueRange lead = outputs.drop_back(1 + rows.size());
    for (auto [dim, output] : llvm::zip(rows, outputs.drop_front(lead.size())))
      taps.add(dim, dim.getStart(b, output), /*isKnownInside=*/true);
    Value start = b.mul(outputs.back(), columns.stride);
    // Loops need an initial accumulator. So does an argmax, because the first
    // element may be a NaN that must be ignored.
    bool beginsEmpty = !rows.empty() || reduction.hasPositions();
    SmallVector<Accumulator> accs(
        getNumVectors(), beginsEmpty ? reduction.getEmpty(b) : Accumulator());
    taps.forEach(accs, [&](ArrayRef<Value> positions) {
      for (auto [vector, acc] : llvm::enumerate(accs))
        appendRow(acc, vector, append(lead, append(positions, start)));
    });
    int64_t size = getVectorWindows() * columns.kernel;
    auto getWindows = [&](int64_t vector) {
      int64_t begin = getNumLanesBefore(vector, 0);
      return keepLanes(accs[vector], begin, begin + size);
    };
    return mergeWindows(b, reduction, accs.size(), getWindows,
                        length / getVectorWindows());
  }

  /// Returns the lanes of reduceStrip() that have a window.
  LaneRange getLanes() { return {0, numWindows}; }

  LaneReduction reduction;

private:
  /// Adds one row of the windows in vector `vector` to `acc`. The row of the
  /// strip begins at the coordinates `place` of the input. If windows have many
  /// parts, combines these in several independent accumulators first.
  void appendRow(Accumulator &acc, int64_t vector,
                 const SmallVector<Value> &place) {
    SmallVector<Accumulator> accs = {acc};
    int64_t part = 0;
    if (hasLoop) {
      accs.assign(cost::kNumPlaneAccumulators, reduction.getEmpty(b));
      int64_t width = accs.size() * length;
      int64_t end = columns.kernel / width * width;
      b.forEach(0, end, width, accs, [&](Value column) {
        SmallVector<Value> here(place);
        here.back() = b.add(here.back(), column);
        for (auto [i, acc] : llvm::enumerate(accs))
          acc = reduction.choose(b, acc, load(here, i * length));
      });
      part = end / length;
    } else if (numParts >= 4 * cost::kNumStraightAccumulators) {
      accs.resize(cost::kNumStraightAccumulators,
                  reduction.hasPositions() ? acc : Accumulator());
    }
    for (; part < numParts; ++part) {
      int64_t numBefore = getNumLanesBefore(vector, part);
      int64_t column = getColumn(vector) + part * length;
      // A load that is moved back has some lanes of the part before, too. A sum
      // must not count these lanes twice.
      int64_t numTwice =
          reduction.isIdempotent() || numParts == 1 ? 0 : numBefore;
      bool masksLoad = numTwice > 0 &&
                       kernel.problem.target.hasMaskRegisters(
                           reduction.getStoredType().getElementTypeBitWidth());
      Accumulator lanes = masksLoad ? load(place, column, length - numTwice)
                                    : keepLanes(load(place, column - numBefore),
                                                numTwice, length);
      Accumulator &partAcc = accs[part % accs.size()];
      partAcc = reduction.append(b, partAcc, lanes);
    }
    // Combine the accumulators in pairs. Their number is a power of two.
    for (size_t n = accs.size() / 2; n > 0; n /= 2)
      for (size_t i = 0; i < n; ++i)
        accs[i] = reduction.choose(b, accs[i], accs[n + i]);
    acc = accs[0];
  }

  /// Loads a vector of accumulators from `column` elements after `place` on.
  /// Lanes from `numLanes` on, or beyond the strip, get padding.
  Accumulator load(SmallVector<Value> place, int64_t column,
                   int64_t numLanes = INT32_MAX) {
    place.back() = b.add(place.back(), column);
    numLanes = std::min(numLanes, columns.getSpan(numWindows));
    Value stored = reduction.load(b, input, place, {0, numLanes});
    Value positions;
    if (reduction.hasPositions())
      positions = b.castIndex(
          reduction.getPositionType(),
          kernel.getPositions(ArrayRef(place).drop_front(2), length, 1));
    return reduction.getLanes(b, reduction.prepare(b, stored), positions);
  }

  /// Returns `acc` with lanes outside of [begin, end) replaced by accumulators
  /// of no elements.
  Accumulator keepLanes(Accumulator acc, int64_t begin, int64_t end) {
    return selectLanes(b, createLaneMask(b, length, {begin, end}), acc,
                       reduction.getEmpty(b));
  }

  WindowKernel &kernel;
  KernelBuilder &b;
  Value input;
  ArrayRef<LoopDim> rows;
  Value numOutputs;
  bool hasLoop;
};

struct MergedPlan : WindowPlan {
  MergedPlan() : WindowPlan("merged", "windows") {}

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.getColumns().dilation != 1)
      return refuse(reason, "columns of windows lie apart");
    if (llvm::any_of(problem.dims, [](auto &dim) { return dim.coversPadding; }))
      return refuse(reason, "windows may cover padding");
    if (problem.isUniform)
      return refuse(
          reason,
          "the kernel alone does not tell that no window covers padding");
    int64_t size =
        MergedStrip(problem, problem.getColumns()).getNumOps(problem, 1);
    if (size > cost::kMaxCodeSize)
      return refuse(reason, "{0} operations are no straight code", size);
    return success();
  }

  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    MergedStrip strip(problem, problem.getColumns());
    if (strip.columns.kernel < cost::kMinMergedColumns)
      return refuse(reason,
                    "windows of {0} columns are not worth merging lanes",
                    strip.columns.kernel);
    int64_t width = problem.getColumns().knownOutput.value_or(strip.numWindows);
    int64_t numRows = getNumTaps(ArrayRef(problem.dims).drop_back());
    double perStrip =
        strip.getNumOps(problem, numRows) + problem.target.costs.groupOps;
    return llvm::divideCeil(width, strip.numWindows) * perStrip / width /
           problem.target.vectorOpsPerCycle;
  }

  void emit(WindowKernel &kernel) const override {
    KernelBuilder &b = kernel.b;
    const LoopDim &columns = kernel.dims.back();
    MergedWindows windows(kernel, kernel.input,
                          ArrayRef(kernel.dims).drop_back(), columns,
                          columns.output, /*hasLoop=*/false);
    SmallVector<Value> upper = kernel.getUpper(kernel.getRank() - 1);
    b.forEachParallel(upper, [&](ValueRange outputs) {
      windows.forEachWidth([&] {
        b.forEach(0, columns.output, windows.numWindows, [&](Value first) {
          SmallVector<Value> place = append(outputs, windows.getFirst(first));
          kernel.store(windows.reduction, windows.reduceStrip(place), place,
                       windows.getLanes());
        });
      });
    });
  }
};

/// How planes are reduced: straight-line code reduces several planes at once,
/// or a loop reduces one plane.
enum class PlaneCode { Straight, Loop };

struct GlobalPlan : WindowPlan {
  GlobalPlan() : WindowPlan("global", "") {}
  PlaneCode code = PlaneCode::Straight;

  void declareParameters(PlanFields &fields) override {
    fields.keyword("code", code, {"straight", "loop"});
  }

  /// Returns the number of elements of a plane, or the largest 64-bit integer
  /// if there are more.
  static int64_t getNumElements(const Problem &problem) {
    int64_t numElements = 1;
    for (const ProblemDim &dim : problem.dims)
      if (llvm::MulOverflow(numElements, dim.kernel, numElements))
        return INT64_MAX;
    return numElements;
  }
  /// Returns the approximate number of operations for a plane.
  static int64_t getPlaneSize(const Problem &problem) {
    return 2 * llvm::divideCeil(getNumElements(problem), problem.getLength()) +
           3;
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (failed(checkLayout(problem.layout, Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.reduction.hasPositions() || problem.reduction.hasWideSums())
      return refuse(reason,
                    "lanes that are merged have no argmax and no halves");
    if (!problem.isPacked)
      return refuse(reason, "planes are not packed");
    if (problem.isUniform)
      return refuse(
          reason, "lanes are added in an order that parts of a plane have not");
    if (llvm::any_of(problem.dims, [](const ProblemDim &dim) {
          return dim.knownOutput.value_or(1) != 1 ||
                 dim.knownInput.value_or(dim.kernel) != dim.kernel ||
                 dim.knownPad != 0 || (dim.dilation != 1 && dim.kernel != 1);
        }))
      return refuse(reason, "windows are no whole planes");
    if (getNumElements(problem) > cost::kMaxPlaneElements)
      return refuse(reason, "planes have too many elements");
    return success();
  }

  /// True if only a test at run time can tell whether windows are whole planes.
  /// In a whole plane, each dimension has one window, as long as the input.
  bool isPartial(const Problem &problem) const override {
    return llvm::any_of(problem.dims, [](const ProblemDim &dim) {
      return !dim.knownInput || !dim.knownOutput;
    });
  }

  bool needsPackedResults(const Problem &) const override { return true; }
  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    if (isPartial(problem) &&
        getNumElements(problem) < cost::kMinTestedElements)
      return refuse(
          reason,
          "windows of fewer than {0} elements are not worth a test at run time",
          cost::kMinTestedElements);
    int64_t size = getPlaneSize(problem);
    code = size * problem.getLength() <= cost::kMaxCodeSize
               ? PlaneCode::Straight
               : PlaneCode::Loop;
    return size / problem.target.vectorOpsPerCycle;
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override {
    bool isTested = isPartial(problem);
    if (isTested != (fallback != nullptr))
      return refuse(reason,
                    isTested
                        ? "windows may be no whole planes at run time: "
                          "fallback is missing"
                        : "windows are whole planes: fallback has no meaning");
    if (code == PlaneCode::Loop)
      return success();
    return checkCodeSize("straight code",
                         getPlaneSize(problem) * problem.getLength(), reason);
  }

  Value createCondition(WindowKernel &kernel) const override {
    KernelBuilder &b = kernel.b;
    Value isWhole;
    for (const LoopDim &dim : kernel.dims) {
      if (!dim.knownInput)
        isWhole = b.both(isWhole, b.isEqual(dim.input, dim.kernel));
      if (!dim.knownOutput)
        isWhole = b.both(isWhole, b.isEqual(dim.output, 1));
    }
    return isWhole;
  }

  void emit(WindowKernel &kernel) const override {
    KernelBuilder &b = kernel.b;
    SmallVector<Value> shape = kernel.getOutputShape();
    ProblemDim planes;
    planes.kernel = planes.stride = getNumElements(kernel.problem);
    planes.knownOutput = kernel.problem.channels;
    MergedWindows windows(kernel, collapseFrom(b, kernel.input, 1),
                          /*rows=*/{}, planes, shape[1],
                          code == PlaneCode::Loop);
    Value results = collapseFrom(b, kernel.buffers[0], 1);
    windows.forEachWidth([&] {
      Value upper[] = {shape[0], b.ceilDiv(shape[1], windows.numWindows)};
      b.forEachParallel(upper, [&](ValueRange position) {
        Value first = windows.getFirst(b.mul(position[1], windows.numWindows));
        SmallVector<Value> start = {position[0], first};
        Accumulator lanes = windows.reduceStrip(start);
        SmallVector<Value> coordinates(start);
        coordinates.resize(kernel.getRank(), b.index(0));
        ElementPlace place(coordinates, windows.length, windows.getLanes());
        place.laneDim = 1;
        Value value = kernel.chains[0].emit(
            b, kernel.reduction.finish(b, lanes), place, ElementFacts());
        storeLanes(b, value, results, start, place.existing);
      });
    });
  }
};
} // namespace

std::shared_ptr<WindowPlan> pool::createMergedPlan() {
  return std::make_shared<MergedPlan>();
}
std::shared_ptr<WindowPlan> pool::createGlobalPlan() {
  return std::make_shared<GlobalPlan>();
}
