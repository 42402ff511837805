// The strategy `few-channels`: channels last, and so few that one vector has
// the channels of several columns, which are consecutive in memory. First, the
// rows of a window are combined, vector by vector. Then shuffles gather each
// tap of the columns for all lanes. The drawing has windows of 2 columns at
// stride 1, three channels r, g and b, eight lanes, and two output columns:
//
//   input row   r0 g0 b0 r1 g1 b1 r2 g2 b2     vector 0: r0 to g2
//                                              vector 1: g0 to b2
//   tap 0       r0 g0 b0 r1 g1 b1  .  .        vector 0, in the same order
//   tap 1       r1 g1 b1 r2 g2 b2  .  .        shuffle of both vectors
//   output      r0 g0 b0 r1 g1 b1  .  .        tap 0 combined with tap 1
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/GroupEmitter.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// The input elements of one row that a vector of outputs needs, and the
/// vectors that load them.
struct InputStrip {
  /// Requires that the number of channels is known.
  InputStrip(const Problem &problem, int64_t numColumns)
      : columns(problem.getColumns()), numColumns(numColumns),
        numChannels(*problem.channels), length(problem.getLength()),
        size(columns.getSpan(numColumns) * numChannels) {}

  /// Returns the number of vectors that load these elements. If there are
  /// several, the last one is moved back to end with the last element.
  int64_t getNumVectors() const { return llvm::divideCeil(size, length); }
  /// Returns the number of the first element of vector `vector` in the strip.
  int64_t getOffset(int64_t vector) const {
    return std::min(vector * length, std::max<int64_t>(size - length, 0));
  }
  /// Returns, for each lane of the outputs, where its element of tap `tap` is
  /// in the vectors of the strip. Lane l of vector v has the number v * length
  /// + l, as gatherLanes() requires.
  SmallVector<int64_t> getPositions(int64_t tap) const {
    int64_t last = getNumVectors() - 1;
    return mapLanes(numColumns * numChannels, [&](int64_t lane) {
      int64_t column =
          lane / numChannels * columns.stride + tap * columns.dilation;
      int64_t element = column * numChannels + lane % numChannels;
      return element < last * length
                 ? element
                 : last * length + element - getOffset(last);
    });
  }
  /// Returns the number of shuffles that gather all taps. A tap whose lanes
  /// come from n vectors takes n - 1 shuffles. If n is 1, it takes one shuffle
  /// if its lanes move, else none.
  int64_t getNumShuffles() const {
    int64_t numShuffles = 0;
    for (int64_t tap = 0; tap < columns.kernel; ++tap) {
      SmallVector<int64_t> positions = getPositions(tap);
      bool isMoved = columns.stride != 1 || positions[0] % length != 0;
      int64_t numBeyond = 0;
      for (size_t lane = 1; lane < positions.size(); ++lane)
        numBeyond += positions[lane] / length != positions[lane - 1] / length;
      numShuffles += std::max<int64_t>(numBeyond, isMoved);
    }
    return numShuffles;
  }

  ProblemDim columns;
  int64_t numColumns, numChannels, length, size;
};

class FewChannels : GroupEmitter, InputStrip {
public:
  FewChannels(WindowKernel &kernel, int64_t numColumns)
      : GroupEmitter(kernel), InputStrip(problem, numColumns),
        dims(kernel.dims) {}

  void create() {
    input = collapseFrom(b, kernel.input, kernel.getRank() - 2);
    result = collapseFrom(b, kernel.buffers[0], kernel.getRank() - 2);
    Value width = dims.back().output;
    b.forEachParallel(kernel.getUpper(dims.size()), [&](ValueRange outputs) {
      b.forEach(0, width, numColumns, [&](Value first) {
        // The last strip is moved back to end with the last column.
        first = b.moveBack(first, width, numColumns);
        Value isInterior;
        if (!columns.knownOutput) {
          first = b.max(first, 0);
          isInterior = b.isAtLeast(width, numColumns);
        }
        coordinates = append(outputs, first);
        for (auto [d, dim] : llvm::enumerate(dims)) {
          starts.push_back(dim.getStart(b, coordinates[1 + d]));
          int64_t span = dim.getSpan(d + 1 == dims.size() ? numColumns : 1);
          isInterior =
              b.both(isInterior, dim.isInterior(b, starts.back(), span));
        }
        b.ifElse(isInterior, [&](bool inThen) { emitStrip(inThen); });
      });
    });
  }

private:
  using GroupEmitter::length;

  /// Emits a vector of outputs, whose first column is `coordinates.back()`. If
  /// `isInterior`, all of its columns exist, and its windows have no padding.
  void emitStrip(bool isInterior) {
    SmallVector<Accumulator> row = reduceRows(isInterior);
    Accumulator acc;
    for (int64_t tap = 0; tap < columns.kernel; ++tap) {
      SmallVector<int64_t> positions = getPositions(tap);
      positions.resize(length, vector::ShuffleOp::kPoisonIndex);
      acc = reduction.combine(b, acc, gatherLanes(b, row, positions));
    }
    int64_t numOutputs = numColumns * numChannels;
    LaneRange existing = {0, numOutputs};
    if (!isInterior && !columns.knownOutput) {
      Value left = b.sub(dims.back().output, coordinates.back());
      existing.end = b.min(b.mul(left, numChannels), numOutputs);
    }
    ElementPlace place(append(coordinates, b.index(0)), length, existing);
    place.lanesPerStep = numChannels;
    SmallVector<Value> indices = coordinates;
    indices.back() = b.mul(indices.back(), numChannels);
    Value value =
        kernel.chains[0].emit(b, reduction.finish(b, acc), place,
                              isInterior ? kernel.getFacts() : ElementFacts());
    storeLanes(b, value, result, indices, existing);
  }

  /// Returns the strip's vectors of input, reduced over the taps of all
  /// dimensions except the columns. `isInterior` is as in emitStrip().
  SmallVector<Accumulator> reduceRows(bool isInterior) {
    WindowTaps taps(b);
    for (auto [dim, start] : llvm::zip(dims.drop_back(), starts))
      taps.add(dim, start, isInterior);
    SmallVector<Accumulator> accs(getNumVectors(), taps.getInitial(reduction));
    taps.forEach(accs, [&](ArrayRef<Value> positions) {
      for (auto [v, acc] : llvm::enumerate(accs)) {
        Value first = b.add(b.mul(starts.back(), numChannels), getOffset(v));
        LaneRange range = {0, size};
        if (!isInterior)
          range = LaneRange::getInside(b, first,
                                       b.mul(dims.back().input, numChannels));
        SmallVector<Value> place = append(coordinates[0], positions);
        Value stored = reduction.load(b, input, append(place, first), range);
        acc = reduction.combine(b, acc, {reduction.prepare(b, stored), {}});
      }
    });
    return accs;
  }

  ArrayRef<LoopDim> dims;
  Value input, result;
  /// The output coordinates of the vector's first column, without the channel.
  /// And, for each spatial dimension, the input position at which its window
  /// begins.
  SmallVector<Value> coordinates, starts;
};

struct FewChannelsPlan : WindowPlan {
  FewChannelsPlan() : WindowPlan("few-channels", "windows") {}
  /// Number of output columns in a vector.
  int64_t numColumns = 2;

  void declareParameters(PlanFields &fields) override {
    fields.integer("columns", numColumns, 2, 1 << 20);
  }

  /// Returns the largest number of output columns that fit a vector. Requires
  /// that the number of channels is known.
  static int64_t getMostColumns(const Problem &problem) {
    int64_t length = problem.getLength();
    return std::min(length / *problem.channels,
                    problem.getColumns().knownOutput.value_or(length));
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    int64_t length = problem.getLength();
    const ProblemDim &columns = problem.getColumns();
    if (failed(checkLayout(problem.layout, Layout::ChannelsLast, reason)))
      return failure();
    if (!problem.hasContiguousLanes || !problem.isPacked)
      return refuse(reason, "columns are not packed");
    if (problem.reduction.hasPositions() || problem.reduction.hasWideSums())
      return refuse(reason,
                    "lanes that are shuffled have no argmax and no halves");
    if (problem.isUniform)
      return refuse(
          reason, "it adds in an order that depends on the number of channels");
    if (!problem.channels)
      return refuse(reason, "the number of channels is not known");
    if (!problem.hasFewChannels())
      return refuse(reason, "{0} channels are more than half a vector of {1}",
                    *problem.channels, length);
    if (columns.knownOutput.value_or(2) < 2)
      return refuse(reason, "a row has one column");
    if (std::max(columns.getExtent(), columns.stride) >
        cost::kMaxFewVectors * length)
      return refuse(reason, "windows of {0} columns are no straight code",
                    columns.getExtent());
    return success();
  }

  bool needsPackedResults(const Problem &) const override { return true; }
  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &reason) override {
    int64_t most = getMostColumns(problem);
    const ProblemDim &columns = problem.getColumns();
    double numTaps = getNumTaps(ArrayRef(problem.dims).drop_back());
    FailureOr<double> best = failure();
    // Computing a few columns less may save a vector or two of input.
    for (int64_t n = std::max<int64_t>(2, most - cost::kMaxColumnsLeftOut);
         n <= most; ++n) {
      InputStrip strip(problem, n);
      int64_t numVectors = strip.getNumVectors();
      int64_t numShuffles = strip.getNumShuffles();
      if (numVectors > cost::kMaxFewVectors ||
          numShuffles > cost::kMaxFewShuffles) {
        reason = llvm::formatv("a strip is of {0} vectors and {1} shuffles, "
                               "more than {2} or {3}",
                               numVectors, numShuffles, cost::kMaxFewVectors,
                               cost::kMaxFewShuffles);
        break;
      }
      double numOps = 2 * numTaps * numVectors + numShuffles +
                      problem.target.costs.groupOps;
      // The last strip is moved back, and computes some columns twice.
      int64_t output = columns.knownOutput.value_or(n);
      double planCost = numOps * llvm::divideCeil(output, n) / output /
                        problem.target.vectorOpsPerCycle / *problem.channels;
      if (failed(best) || planCost < *best) {
        best = planCost;
        numColumns = n;
      }
    }
    return best;
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override {
    int64_t most = getMostColumns(problem);
    if (numColumns > most)
      return refuse(reason, "columns is {0}, must be {1} at most", numColumns,
                    most);
    InputStrip strip(problem, numColumns);
    return checkCodeSize(
        "a strip", strip.getNumVectors() + strip.getNumShuffles(), reason);
  }

  void emit(WindowKernel &kernel) const override {
    FewChannels(kernel, numColumns).create();
  }
};
} // namespace

std::shared_ptr<WindowPlan> pool::createFewChannelsPlan() {
  return std::make_shared<FewChannelsPlan>();
}
