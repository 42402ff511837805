// The gradient of an extremum without indices, for windows that separate into
// rows and columns. Every row is reduced by its windows along the row, and
// windows choose among the rows. The gradient takes the same way back. So a
// window of k x k elements takes 2k comparisons there and 2k back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/CostModel.h"
#include "Scatter/IndexedScatter.h"
#include "Scatter/PlaneScatter.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Loops over rows of windows, one a step. Rows are counted from the first row
/// of the padding.
/// For each newly covered row, a step stores the value that its windows along
/// the row choose, its tap, and the gradient of the choice in a ring of row
/// buffers. Rows of windows add to these gradients.
/// Rows that no later window covers gather from the buffers one step later,
/// because a vector that was just stored cannot be loaded soon from another
/// first column.
/// Ignored NaN becomes a value that is never chosen. Slices in which a window
/// met nothing else are written again, window by window.
class SeparableScatter : private PlaneScatter {
public:
  SeparableScatter(const ScatterEmitter &emitter, const WindowShape &shape)
      : PlaneScatter(emitter, shape), emitter(emitter), input(emitter.indices),
        choice(emitter.problem.choice->withLength(length)),
        preference(*emitter.problem.preference),
        reach(WindowShape::getReach(shape.row)) {}

  /// Loops that write every position.
  void create() {
    auto allocate = [&] { allocateBuffers(); };
    auto emit = [&](ValueRange outer) { return emitPlane(outer); };
    if (preference.nanMode == NanMode::Propagate) {
      SmallVector<Value> upper = at.getExtents(target);
      upper.truncate(shape.numOuter);
      return at.forEachTogether(upper, getNumTogether(), allocate, emit);
    }
    IndexedScatter(emitter, [&](KernelBuilder &, ValueRange position) {
      return chooseElement(position);
    }).createParts(shape.numOuter, getNumTogether(), allocate, emit);
  }

private:
  void allocateBuffers() {
    int64_t numPlaces = getNumPlaces(), pitch = shape.getPitch();
    auto getBytes = [&](VectorType lanes) {
      return numPlaces * pitch * lanes.getElementTypeBitWidth() / 8;
    };
    // One buffer for all, side by side: three of their own take a tenth longer.
    int64_t numBytes =
        getBytes(choice.getType()) + getBytes(codeType) + getBytes(sumType);
    Value all =
        memref::AllocOp::create(at, MemRefType::get(numBytes, at.getI8Type()),
                                at.getI64IntegerAttr(64));
    int64_t begin = 0;
    auto getNext = [&](VectorType lanes) -> Value {
      auto type = MemRefType::get({numPlaces, pitch}, lanes.getElementType());
      Value first = at.index(begin);
      begin += getBytes(lanes);
      return memref::ViewOp::create(at, type, all, first, ValueRange());
    };
    values = getNext(choice.getType());
    taps = getNext(codeType);
    gradients = getNext(sumType);
    at.forEach(at.index(0), at.index(numPlaces), 1, [&](Value place) {
      fillRow(gradients, place, 0, pitch, getZeros());
      fillRow(taps, place, 0, pitch, getSplat(kNone));
    });
  }

  /// True if what was chosen is right; null if it always is.
  Value emitPlane(ValueRange outer) {
    int64_t stride = shape.row.stride;
    // The others of the first step, which are all new.
    if (addsToEachNewRow())
      at.forEach(at.index(0), at.index(reach + 1 - stride), 1,
                 [&](Value row) { fillWindows(gradients, row, getZeros()); });
    SmallVector<Value> suspects;
    if (preference.nanMode == NanMode::Ignore)
      suspects.push_back(
          at.constant(VectorType::get(length, at.getI1Type()), false));
    int64_t numReached = (shape.row.output - 1) * stride + reach + 1;
    auto gatherIfThere = [&](Value row) {
      at.ifTrue(isInside(row), [&] {
        Value isReachedHere;
        if (shape.row.padBegin + shape.row.input > numReached)
          isReachedHere = at.isBelow(row, at.index(numReached));
        at.ifElse(isReachedHere, [&](bool isReached) {
          Value place = getPlace(row), inside = getInside(row);
          SmallVector<Value> zeros(shape.column.stride, getZeros());
          forEachStrip([&](Value first) {
            storeStrip(outer, inside, first,
                       isReached ? gatherStrip(place, first) : zeros);
          });
        });
      });
    };
    at.forEach(at.index(0), at.index(shape.getNumSteps() + 1), 1, suspects,
               [&](Value r) {
                 Value isThere = at.isBelow(r, at.index(shape.row.output));
                 at.ifTrue(isThere, suspects, [&] {
                   // In the first step, all rows of its windows are new.
                   Value first = at.mul(r, stride);
                   Value firstNew = at.select(at.isAtLeast(r, 1),
                                              at.add(first, reach + 1 - stride),
                                              at.index(0));
                   at.forEach(firstNew, at.add(first, reach + 1), 1,
                              [&](Value row) { reduceRow(outer, row); });
                   scatterRow(outer, r, suspects);
                 });
                 // The step before is done with these.
                 Value first = at.mul(r, stride);
                 at.forEach(at.sub(first, stride), first, 1, gatherIfThere);
               });
    if (suspects.empty())
      return {};
    Value any =
        vector::ReductionOp::create(at, vector::CombiningKind::OR, suspects[0]);
    return arith::XOrIOp::create(
        at, any, arith::ConstantIntOp::create(at, 1, /*width=*/1));
  }

  /// Fills what there is of windows in row `place` of a buffer.
  void fillWindows(Value buffer, Value place, Value lanes) {
    int64_t margin = shape.getMargin();
    fillRow(buffer, place, margin, margin + shape.getNumWritten(), lanes);
  }
  /// The row of the buffers that a row is in.
  Value getPlace(Value row) { return at.rem(row, getNumPlaces()); }
  /// Rows of a step, and rows that are stored in it. A power of two makes
  /// remainders cheap.
  int64_t getNumPlaces() const {
    return llvm::PowerOf2Ceil(reach + 1 + shape.row.stride);
  }
  /// The number of a row in the plane, which may not have it.
  Value getInside(Value row) { return at.sub(row, shape.row.padBegin); }
  Value isInside(Value row) {
    return at.isBelow(getInside(row), at.index(shape.row.input));
  }
  /// True if every row that is new in a step is one that each window along it
  /// chooses from.
  bool addsToEachNewRow() const {
    return shape.row.dilation == 1 && shape.row.stride <= shape.row.kernel;
  }

  /// A row that is new in a step, by its windows along it. A row outside the
  /// input has only never-chosen values.
  void reduceRow(ValueRange outer, Value row) {
    int64_t numVectors = shape.getNumWritten() / length;
    Value place = getPlace(row);
    at.ifElse(isInside(row), [&](bool isInside) {
      if (!isInside)
        return fillWindows(values, place, choice.getFill(at));
      SmallVector<Value> position = getRowIndices(outer, getInside(row));
      auto reduce = [&](Value first) { reduceVector(position, place, first); };
      // Vectors that load nothing outside of the row are a loop.
      auto [begin, end] = shape.getInnerVectors();
      for (int64_t vector = 0; vector < numVectors; ++vector) {
        if (vector == begin && end > vector + 1) {
          at.forEach(at.index(vector * length), at.index(end * length), length,
                     reduce);
          vector = end - 1;
          continue;
        }
        reduce(at.index(vector * length));
      }
    });
  }

  /// A vector of windows of the row at `position` from `first` on.
  void reduceVector(ValueRange position, Value place, Value first) {
    const ResolvedDim &column = shape.column;
    Accumulator acc;
    DenseMap<int64_t, Value> loaded;
    for (int64_t tap = 0; tap < column.kernel; ++tap) {
      Value element = loadTap(position, first, tap, loaded);
      Value index = getSplat(tap);
      acc = acc.value ? choice.combine(at, acc, {element, index})
                      : Accumulator{choice.begin(at, element), index};
    }
    // Windows that begin in the padding, which stands for their first element
    // inside: where all are as small as it.
    std::optional<int64_t> known = getConstantIntValue(first);
    if (known && *known * column.stride < column.padBegin)
      acc.index = at.max(acc.index, at.lanes(codeType, [&](int64_t lane) {
        return getValidTaps(column, *known + lane).begin;
      }));
    Value there = at.add(first, shape.getMargin());
    at.store(acc.value, values, {place, there});
    at.store(acc.index, taps, {place, there});
    if (!addsToEachNewRow())
      at.store(getZeros(), gradients, {place, there});
  }

  /// Returns prepared elements of tap `tap` of a vector of windows. `loaded`
  /// caches vectors by their column, counted from the first window.
  Value loadTap(ValueRange position, Value first, int64_t tap,
                DenseMap<int64_t, Value> &loaded) {
    const ResolvedDim &column = shape.column;
    int64_t stride = column.stride;
    // Taps within a stride are lanes of the same vectors.
    int64_t within = tap * column.dilation % stride;
    int64_t begin = tap * column.dilation - within - column.padBegin;
    SmallVector<Value> vectors;
    for (int64_t v = 0; v < stride; ++v) {
      int64_t offset = begin + v * length;
      Value &lanes = loaded[offset];
      if (!lanes) {
        Value begin = at.add(at.mul(first, stride), offset);
        LaneRange range = getLanes(begin, column.input);
        lanes = areNone(range)
                    ? choice.getFill(at)
                    : choice.prepare(at, choice.load(at, input,
                                                     append(position, begin),
                                                     range));
      }
      vectors.push_back(lanes);
    }
    auto getPosition = [&](int64_t lane) { return lane * stride + within; };
    return stride == 1
               ? vectors[0]
               : gatherLanes(at, vectors, mapLanes(length, getPosition));
  }

  /// Adds the gradient of row `r` of windows to the rows that they choose. Sets
  /// lanes of `suspects`, of i1, for windows that met only ignored NaN or
  /// never-chosen values.
  void scatterRow(ValueRange outer, Value r, MutableArrayRef<Value> suspects) {
    const ResolvedDim &dim = shape.row;
    Value first = at.mul(r, dim.stride);
    SmallVector<Value> places;
    for (int64_t tap = 0; tap < dim.kernel; ++tap)
      places.push_back(getPlace(at.add(first, tap * dim.dilation)));
    // Rows of padding stand for the first one inside.
    Value firstTap;
    if (dim.padBegin > 0)
      firstTap = at.splat(
          codeType, at.ceilDiv(at.max(at.sub(at.index(dim.padBegin), first), 0),
                               dim.dilation));
    SmallVector<Value> row = getRowIndices(outer, r);
    auto scatterVector = [&](Value column, Value numLanes) {
      LaneRange range = LaneRange::getFirst(length, numLanes);
      Value there = at.add(column, shape.getMargin());
      Accumulator acc;
      for (int64_t tap = 0; tap < dim.kernel; ++tap) {
        Accumulator next{loadRow(values, places[tap], there), getSplat(tap)};
        acc = choice.combine(at, acc, next);
      }
      if (firstTap)
        acc.index = at.max(acc.index, firstTap);
      Value element = loadSource(append(row, column), range);
      for (int64_t tap = 0; tap < dim.kernel; ++tap) {
        bool isNew =
            addsToEachNewRow() && tap * dim.dilation > reach - dim.stride;
        Value before =
            isNew ? getZeros() : loadRow(gradients, places[tap], there);
        at.store(addNamed(before, element, acc.index, tap), gradients,
                 {places[tap], there});
      }
      if (suspects.empty())
        return;
      Value suspect = choice.getNeedsRecomputing(at, acc.value);
      suspect = at.both(suspect, createLaneMask(at, length, range));
      suspects[0] = at.bitOr(suspects[0], suspect);
    };
    forEachVector(at, at.index(shape.column.output), length, suspects,
                  scatterVector);
  }

  /// The vector of sums of each class.
  SmallVector<Value> gatherStrip(Value place, Value firstStride) {
    SmallVector<Value> sums(shape.column.stride, getZeros());
    for (auto [sum, covering] : llvm::zip_equal(sums, shape.classes))
      for (const WindowShape::Tap &tap : covering) {
        Value there = at.add(firstStride, shape.getMargin() + tap.shift);
        Value named = loadRow(taps, place, there);
        sum = addNamed(sum, loadRow(gradients, place, there), named, tap.tap);
      }
    return sums;
  }

  /// The position in its slice that the window of an element of the source
  /// chooses, whatever there is in it.
  Value chooseElement(ValueRange position) {
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
    Type type = getElementTypeOrSelf(input);
    Value none = arith::ConstantIntOp::create(at, kNoPosition, 64);
    Value nothing = at.constant(getIdentity(at, type, preference.reduction));
    ValueRange outer = position.take_front(shape.numOuter);
    Value best[] = {nothing, none};
    at.forEachIn({rows, columns}, best, [&](ValueRange place) {
      Value row = place[0], column = place[1];
      Value element = at.load(input, append(getRowIndices(outer, row), column));
      Value here = at.castIndex(at.getI64Type(), getPosition(row, column));
      Value isBetter = isChosen(at, at.getLoc(), preference, element, here,
                                best[0], best[1]);
      best[0] = at.select(isBetter, element, best[0]);
      best[1] = at.select(isBetter, here, best[1]);
    });
    Value isNothing = at.isEqual(best[1], none);
    Value result = at.select(isNothing, getPosition(rows.begin, columns.begin),
                             at.castIndex(at.getIndexType(), best[1]));
    Value planeBegin = getPlaneBegin(outer);
    return planeBegin ? at.add(planeBegin, result) : result;
  }

  const ScatterEmitter &emitter;
  Value input;
  LaneReduction choice;
  Preference preference;
  /// Rows from the first to the last of a window.
  int64_t reach;
  /// Values, taps, and gradients of windows along rows.
  Value values, taps, gradients;
};

/// Windows choose along rows first, then among rows, and so does the gradient.
struct SeparablePlan : PlanBase {
  static constexpr StringLiteral kStrategy = "separable";

  /// Operations on vectors of the code of a step: of vectors of windows along a
  /// row, each that reaches over an end of it and one for all others, of one
  /// that chooses among rows, and of a vector of strides.
  static int64_t getSize(const WindowShape &shape) {
    const ResolvedDim &column = shape.column;
    auto [begin, end] = shape.getInnerVectors();
    int64_t numVectors = shape.getNumWritten() / shape.length;
    if (end > begin)
      numVectors -= end - begin - 1;
    return numVectors * column.kernel * (2 * column.stride + 2) +
           7 * shape.row.kernel + 3 * column.kernel +
           column.stride * column.stride;
  }

  static LogicalResult admit(const ScatterProblem &problem,
                             std::string &reason) {
    if (!problem.choice)
      return refuse(reason, "it is given indices");
    if (problem.isUniform)
      return refuse(reason,
                    "sums along rows are added before those of columns");
    if (failed(problem.shape))
      return refuse(reason, problem.noShape);
    return success();
  }

  FailureOr<double> choose(const ScatterProblem &problem, std::string &reason) {
    const WindowShape &shape = *problem.shape;
    if (failed(checkCodeSize("its code", getSize(shape), cost::kMaxCodeSize,
                             reason)))
      return failure();
    const Costs &costs = problem.target.costs;
    const ResolvedDim &column = shape.column, &row = shape.row;
    int64_t numWindows = shape.getNumWritten() / shape.length;
    // Loads and most stores are beside these.
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
                      std::string &reason) const {
    return checkPinnedSize("a step", getSize(*problem.shape), reason);
  }

  void emit(ScatterEmitter &emitter) const {
    WindowShape shape = *emitter.problem.shape;
    shape.setCodeWidth(emitter.problem.target,
                       std::max(shape.row.kernel, shape.column.kernel));
    SeparableScatter(emitter, shape).create();
  }
};
} // namespace

const ScatterStrategy pool::kSeparable = ScatterStrategy::of<SeparablePlan>();
