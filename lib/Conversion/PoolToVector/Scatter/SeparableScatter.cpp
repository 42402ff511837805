// The strategy `separable`: the gradient of an extremum without indices,
// separated into rows and columns. Every row is reduced by its windows along
// the row. Then each window chooses among its rows. The gradient goes back the
// same way: to the chosen row, and there to the chosen element. One window of 2
// x 2 elements, with a gradient of 5:
//
//   input   along each row   among the rows   gradient of rows   of elements
//   1  4    4, tap 1                          0                  0  0
//   9  3    9, tap 0         9, row tap 1     5                  5  0
//
// At stride 1, a window of k x k elements takes 2k comparisons to choose, and
// 2k to distribute its gradient. At stride s of the rows, each of these takes
// (s + 1) * k, because each row of windows reduces s new rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/LoopDim.h"
#include "Scatter/PlaneScatter.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Loops over rows of windows, one in each step. Rows of the plane are counted
/// from the first row of the padding. A step does three things:
///
///   1. It reduces each newly covered row along the row, and stores it in a
///      ring of row buffers: the values that its windows choose, their taps,
///      and the gradients of these choices, which begin with 0.
///   2. Its row of windows adds to these gradients.
///   3. Rows that no later window covers gather from the buffers. This is done
///      one step later, because a load that overlaps a recent store, but begins
///      at another column, would wait for that store.
///
/// An ignored NaN becomes a value that is never chosen. If a window has only
/// such values, its plane is written again, window by window.
class SeparableScatter : PlaneScatter {
public:
  SeparableScatter(const ScatterEmitter &emitter, const WindowShape &shape)
      : PlaneScatter(emitter, shape), input(indices),
        choice(problem.choice->withLength(length)),
        reach(WindowShape::getReach(shape.row)),
        numPlaces(llvm::PowerOf2Ceil(reach + 1 + shape.row.stride)),
        margin(llvm::alignTo(-shape.firstShift, length)),
        pitch(margin + llvm::alignTo(std::max(shape.getNumStrips() * length +
                                                  shape.lastShift,
                                              shape.column.output),
                                     length)) {
    axis = shape.numOuter;
    getIndex = [&](ValueRange position) { return chooseElement(position); };
  }

  void create() {
    emitPlanes([&] { allocateBuffers(); }, [&] { return emitPlane(); });
  }

private:
  void allocateBuffers() {
    // Make one allocation for all three buffers. With three allocations, a
    // gradient took a tenth longer.
    int64_t numElements = numPlaces * pitch, end = 0;
    int64_t numBits = choice.getType().getElementTypeBitWidth() +
                      shape.codeWidth + sumType.getElementTypeBitWidth();
    Value all = b.allocate(b.index(numElements * numBits / 8), b.getI8Type());
    auto getNext = [&](Type element) -> Value {
      Value begin = b.index(end);
      end += numElements * element.getIntOrFloatBitWidth() / 8;
      return memref::ViewOp::create(
          b, MemRefType::get({numPlaces, pitch}, element), all, begin,
          ValueRange());
    };
    values = getNext(choice.getType().getElementType());
    taps = getNext(codeType.getElementType());
    gradients = getNext(sumType.getElementType());
    // A window that does not exist must choose no tap.
    b.forEach(0, numPlaces, 1, [&](Value place) {
      fillRow(taps, place, 0, pitch, getSplat(kNone));
    });
  }

  /// Emits the code of a plane. Returns an i1: true if the plane is right.
  /// Returns null if NaN is not ignored: then planes are always right.
  Value emitPlane() {
    int64_t stride = shape.row.stride;
    suspects = b.constant(VectorType::get(length, b.getI1Type()), false);
    auto gather = [&](Value row) {
      b.ifTrue(isInside(row), [&] {
        Value place = getPlace(row), inside = getInside(row);
        forEachStrip([&](Value first) {
          storeStrip(inside, first, gatherStrip(place, first));
        });
      });
    };
    b.forEach(0, shape.getNumSteps() + 1, 1, suspects, [&](Value r) {
      // In the first step, all rows that its row of windows covers are new.
      Value first = b.mul(r, stride);
      Value firstNew =
          b.select(b.isAtLeast(r, 1), b.add(first, reach + 1 - stride), 0);
      b.forEach(firstNew, b.add(first, reach + 1), 1,
                [&](Value row) { reduceRow(row); });
      b.ifTrue(b.isBelow(r, shape.row.output), suspects,
               [&] { scatterRow(r); });
      // The previous step was the last one that adds to these rows.
      b.forEach(b.sub(first, stride), first, 1, gather);
    });
    if (problem.preference->nanMode == NanMode::Propagate)
      return {};
    Value any =
        vector::ReductionOp::create(b, vector::CombiningKind::OR, suspects);
    return b.fold<arith::XOrIOp>(any, 1);
  }

  /// Returns the number of the row, in the ring of buffers, that has row `row`.
  /// The ring has a power of two rows, so that the remainder is cheap.
  Value getPlace(Value row) { return b.rem(row, numPlaces); }
  /// Returns the number of row `row` in the plane. `row` counts from the first
  /// row of the padding. For a row of padding, the result is outside of [0,
  /// shape.row.input).
  Value getInside(Value row) { return b.sub(row, shape.row.padBegin); }
  Value isInside(Value row) {
    return b.isBelow(getInside(row), shape.row.input);
  }

  /// Emits the reduction of row `row` by its windows along the row. Stores the
  /// results in the buffers. A row of padding gets values that are never
  /// chosen.
  void reduceRow(Value row) {
    Value place = getPlace(row);
    b.ifElse(isInside(row), [&](bool isInside) {
      if (!isInside)
        return fillRow(values, place, margin,
                       margin + shape.getNumVectors() * length,
                       choice.getFill(b));
      SmallVector<Value> position = getRowIndices(getInside(row));
      forEachRowVector(
          shape.getNumVectors(), shape.getInterior(), {},
          [&](Value first) { reduceVector(position, place, first); });
    });
  }

  /// Emits the reduction of a vector of windows, from window `first` on, along
  /// the row at `position`. Stores the results in row `place` of the buffers.
  void reduceVector(ValueRange position, Value place, Value first) {
    const ResolvedDim &column = shape.column;
    int64_t stride = column.stride;
    auto load = [&](Value begin) {
      LaneRange range = getLanes(begin, column.input);
      if (areNone(range))
        return choice.getFill(b);
      return choice.prepare(
          b, choice.load(b, input, append(position, begin), range));
    };
    Accumulator acc;
    for (int64_t tap = 0; tap < column.kernel; ++tap) {
      // Taps with equal `before` are lanes of the same vectors. CSE merges the
      // loads of these vectors.
      int64_t within = tap * column.dilation % stride;
      int64_t before = tap * column.dilation - within - column.padBegin;
      Value begin = b.add(b.mul(first, stride), before);
      SmallVector<Value> vectors;
      for (int64_t v = 0; v < stride; ++v)
        vectors.push_back(load(b.add(begin, v * length)));
      auto ofLane = [&](int64_t lane) { return lane * stride + within; };
      Value element = gatherLanes(b, vectors, mapLanes(length, ofLane));
      if (tap == 0)
        element = choice.begin(b, element);
      acc = choice.combine(b, acc, {element, getSplat(tap)});
    }
    // If all elements of a window are as small as padding, a tap in the padding
    // may have been chosen. The window's first element inside the input is
    // right then. So take the larger of the two taps.
    std::optional<int64_t> known = getConstantIntValue(first);
    if (known && *known * stride < column.padBegin)
      acc.index = b.max(acc.index, b.lanes(codeType, [&](int64_t lane) {
        return getValidTaps(column, *known + lane).begin;
      }));
    Value there = b.add(first, margin);
    b.store(acc.value, values, {place, there});
    b.store(acc.index, taps, {place, there});
    b.store(getZeros(), gradients, {place, there});
  }

  /// Emits code that chooses a row for each window of row `r` of windows, and
  /// adds the window's gradient to the gradients of the chosen row.
  void scatterRow(Value r) {
    const ResolvedDim &dim = shape.row;
    Value first = b.mul(r, dim.stride);
    SmallVector<Value> places;
    for (int64_t tap = 0; tap < dim.kernel; ++tap)
      places.push_back(getPlace(b.add(first, tap * dim.dilation)));
    // If all rows are as small as padding, take at least the first tap whose
    // row is inside.
    Value firstTap;
    if (dim.padBegin > 0)
      firstTap =
          b.splat(codeType, b.ceilDiv(b.max(b.sub(dim.padBegin, first), 0),
                                      dim.dilation));
    SmallVector<Value> row = getRowIndices(r);
    auto scatterVector = [&](Value column, const LaneRange &range) {
      Value there = b.add(column, margin);
      Accumulator acc;
      for (int64_t tap = 0; tap < dim.kernel; ++tap) {
        Accumulator next{loadRow(values, places[tap], there), getSplat(tap)};
        acc = choice.combine(b, acc, next);
      }
      if (firstTap)
        acc.index = b.max(acc.index, firstTap);
      Value element = loadSource(append(row, column), range);
      for (int64_t tap = 0; tap < dim.kernel; ++tap) {
        Value before = loadRow(gradients, places[tap], there);
        b.store(addNamed(before, element, acc.index, tap), gradients,
                {places[tap], there});
      }
      Value suspect = choice.getNeedsRecomputing(b, acc.value);
      if (suspect)
        suspects = b.bitOr(suspects,
                           b.both(suspect, createLaneMask(b, length, range)));
    };
    forEachVector(b, b.index(shape.column.output), length, suspects,
                  scatterVector);
  }

  /// Returns a vector of sums for each class of columns. They are the sums of
  /// the strip that begins with stride group `firstStride`, from row `place` of
  /// the buffers.
  SmallVector<Value> gatherStrip(Value place, Value firstStride) {
    SmallVector<Value> sums(shape.column.stride, getZeros());
    for (const WindowShape::Tap &tap : shape.taps) {
      Value there = b.add(firstStride, margin + tap.shift);
      Value named = loadRow(taps, place, there);
      Value &sum = sums[tap.ofClass];
      sum = addNamed(sum, loadRow(gradients, place, there), named, tap.tap);
    }
    return sums;
  }

  /// Returns the row-major number, within its plane, of the element that the
  /// window at `position` chooses. If all its elements are ignored NaN or
  /// values that are never chosen, returns that of its first element inside the
  /// input.
  Value chooseElement(ValueRange position) {
    WindowTaps window(b);
    auto add = [&](const ResolvedDim &dim, Value o) {
      KernelDim kernel = {dim.kernel, dim.stride, dim.dilation};
      LoopDim loop({kernel, {}, {}, {}, /*coversPadding=*/true},
                   b.index(dim.input), /*output=*/{}, b.index(dim.padBegin));
      window.add(loop, loop.getStart(b, o));
    };
    add(shape.row, hasRows() ? position[position.size() - 2] : b.index(0));
    add(shape.column, position.back());
    auto getNumber = [&](Value row, Value column) {
      return b.add(b.mul(row, shape.column.input), column);
    };
    LaneReduction single = choice.withLength(1);
    Accumulator best = single.getEmpty(b);
    window.forEach(best, [&](ArrayRef<Value> tap) {
      Value element =
          single.load(b, input, append(getRowIndices(tap[0]), tap[1]));
      Value number =
          b.splat(single.getPositionType(), getNumber(tap[0], tap[1]));
      best = single.choose(b, best, {single.prepare(b, element), number});
    });
    Value chosen = vector::ExtractOp::create(b, best.index, 0);
    return b.select(b.isEqual(chosen, kNoPosition),
                    getNumber(window.getFirst(0), window.getFirst(1)),
                    b.index(chosen));
  }

  Value input;
  LaneReduction choice;
  /// Distance from the first to the last row of a window, in rows.
  int64_t reach;
  /// Number of rows of the ring of buffers. The ring holds all rows that a step
  /// reads or stores.
  int64_t numPlaces;
  /// `pitch` is the length of a row of the buffers. `margin` is the number of
  /// elements in it before the first window. They are read as windows that do
  /// not exist.
  int64_t margin, pitch;
  /// Buffers for the windows along rows. `values` has the values that they
  /// chose, `taps` the chosen taps, and `gradients` the gradients of these
  /// choices.
  Value values, taps, gradients;
  /// A vector of i1. A lane is true if any window in this lane had only ignored
  /// NaN or values that are never chosen.
  Value suspects;
};

/// The strategy `separable`, for gradients without indices.
struct SeparablePlan : ScatterPlan {
  SeparablePlan() : ScatterPlan("separable") {}

  /// Returns about how many vector operations the code of a step has. Vectors
  /// of windows at the ends of a row are reduced one by one. There are three
  /// loop bodies: one reduces the other vectors, one chooses among rows, and
  /// one gathers.
  static int64_t getSize(const WindowShape &shape) {
    const ResolvedDim &column = shape.column;
    auto [begin, end] = shape.getInterior();
    int64_t numVectors = shape.getNumVectors();
    if (end > begin)
      numVectors -= end - begin - 1;
    return numVectors * column.kernel * (2 * column.stride + 2) +
           7 * shape.row.kernel + 3 * column.kernel +
           column.stride * column.stride;
  }

  LogicalResult supports(const ScatterProblem &problem,
                         std::string &reason) const override {
    if (!problem.choice)
      return refuse(reason, "it is given indices");
    if (problem.isUniform)
      return refuse(reason,
                    "sums along rows are added before those of columns");
    return WindowShape::get(problem, reason);
  }

  FailureOr<double> chooseParameters(const ScatterProblem &problem,
                                     std::string &reason) override {
    WindowShape shape = *WindowShape::get(problem, reason);
    if (failed(checkCodeSize("its code", getSize(shape), reason,
                             cost::kMaxCodeSize)))
      return failure();
    const Costs &costs = problem.target.costs;
    const ResolvedDim &column = shape.column, &row = shape.row;
    int64_t numWindows = shape.getNumVectors();
    // Loads and most stores are not counted, because they overlap with these
    // operations.
    double ofRow = double(column.input) / shape.length +
                   numWindows * column.kernel * (column.stride + 2) +
                   shape.getNumStrips() *
                       (2 * column.kernel + column.stride * column.stride) +
                   costs.rowOps;
    double ofWindows = numWindows * 5 * row.kernel + costs.rowOps;
    double ops = double(row.input) * ofRow + double(row.output) * ofWindows;
    return (ops + costs.planeOps) / problem.target.vectorOpsPerCycle /
           (double(row.output) * column.output);
  }

  LogicalResult check(const ScatterProblem &problem, PlanScope &,
                      std::string &reason) const override {
    return checkCodeSize("a step", getSize(*WindowShape::get(problem, reason)),
                         reason);
  }

  bool choosesElements() const override { return true; }

  void emit(ScatterEmitter &emitter) const override {
    std::string reason;
    WindowShape shape = *WindowShape::get(emitter.problem, reason);
    shape.setCodeWidth(emitter.problem.target,
                       std::max(shape.row.kernel, shape.column.kernel));
    SeparableScatter(emitter, shape).create();
  }
};
} // namespace

std::shared_ptr<ScatterPlan> pool::createSeparablePlan() {
  return std::make_shared<SeparablePlan>();
}
