// The strategy `gather`: the gradient of an extremum whose windows overlap, in
// gather form. Each position adds the gradients of the windows that cover it
// and whose index names it. So no two windows write to the same position.
// Windows of 3 columns at stride 1, eight lanes:
//
//   window w    0  1  2  3  4  5  6  7     covers columns w to w + 2
//   gradient    a  b  c  d  e  f  g  h
//   code        2  1  0  2  0  1  0  2     its index names column w + code
//
//   column w    0  1  2  3  4  5  6  7
//   tap 0       .  .  c  .  e  .  g  .     window w, if its code is 0
//   tap 1       .  .  b  .  .  .  f  .     window w - 1, if its code is 1
//   tap 2       .  .  a  .  .  d  .  .     window w - 2, if its code is 2
//   sum         0  0 abc 0  e  d fg  0
//
// In a plane, the code of a window is the distance from its first position to
// the position that its index names (row-major). It usually fits 16 bits. On
// machines with mask registers, such codes take half as long to compare.
//
// A row of windows is handled strip by strip. The codes of three neighboring
// strips are kept in registers, and shuffles move them to the taps. Elements
// are loaded again for each tap. Sums to which later rows of windows add are
// kept in a buffer. Each is loaded at the address at which it was stored, so
// that the load does not wait.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/Problem.h"
#include "Scatter/PlaneScatter.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the number of rows of the plane that one row of windows covers, from
/// its first to its last row. If rows of windows have gaps between them, the
/// gap counts, too.
static int64_t getNumSums(const WindowShape &shape) {
  return std::max(WindowShape::getReach(shape.row) + 1, shape.row.stride);
}
/// Returns the number of vectors of sums, for each strip, that are carried to
/// the next row of windows, because that row also adds to them.
static int64_t getNumCarried(const WindowShape &shape) {
  return (getNumSums(shape) - shape.row.stride) * shape.column.stride;
}

namespace {
class GradientGather : PlaneScatter {
public:
  GradientGather(const ScatterEmitter &emitter, const WindowShape &shape)
      : PlaneScatter(emitter, shape), numCarried(getNumCarried(shape)),
        numGathered(shape.getNumStrips() * length),
        indexWidth(getElementTypeOrSelf(indices).getIntOrFloatBitWidth()),
        indexType(VectorType::get(
            std::min(getNumLanes(b.target.vectorBits, indexWidth), length),
            b.getIntegerType(indexWidth))) {}

  void create() {
    auto allocate = [&] {
      if (numCarried != 0)
        carriedSums =
            b.allocate({b.index(numCarried), b.index(numGathered)}, accType);
    };
    emitPlanes(allocate, [&] { return emitPlane(); });
  }

private:
  /// Emits the code of a plane. Returns an i1: true if every index names a
  /// position of its own window, so that the plane is right.
  Value emitPlane() {
    for (int64_t i = 0; i < numCarried; ++i)
      fillRow(carriedSums, b.index(i), 0, numGathered, getZeros());
    SmallVector<Value> extents = b.getExtents(target), begin(plane);
    begin.resize(extents.size(), b.index(0));
    planeBegin = b.splat(indexType,
                         getElementNumber(b, ArrayRef(extents).drop_front(axis),
                                          ArrayRef(begin).drop_front(axis)));
    state = {Value(), Value(), getSplat(0), getSplat(0)};
    if (hasHighBits())
      state.push_back(b.splat(indexType, 0));
    MutableArrayRef<Value> checks = MutableArrayRef(state).drop_front(2);
    b.forEach(0, shape.row.output, 1, checks, [&](Value r) { gatherRow(r); });
    // After the last row of windows, further steps store the rows that are
    // left.
    b.forEach(shape.row.output, shape.getNumSteps(), 1, [&](Value r) {
      forEachStrip([&](Value first) { gatherStrip(r, first, {}); });
    });
    Value areOwn;
    auto requireBelow = [&](int64_t bound, vector::CombiningKind kind,
                            Value lanes) {
      Value most = vector::ReductionOp::create(b, kind, lanes);
      areOwn = b.both(areOwn, b.isBelow(most, bound));
    };
    requireBelow(1, vector::CombiningKind::OR, state[2]);
    requireBelow(shape.row.input * shape.column.input,
                 vector::CombiningKind::MAXUI, state[3]);
    if (hasHighBits())
      requireBelow(int64_t(1) << shape.codeWidth, vector::CombiningKind::OR,
                   state[4]);
    return areOwn;
  }

  /// Emits the code that adds row `r` of windows to the sums, and stores the
  /// rows that no later windows cover.
  void gatherRow(Value r) {
    int64_t numStrips = shape.getNumStrips();
    state[0] = getSplat(kNone);
    state[1] = getCodes(r, b.index(0));
    // Strips in the loop have a neighbor on both sides, from which they need
    // codes.
    auto [begin, end] = shape.getInterior();
    forEachRowVector(
        std::max(shape.getNumVectors(), numStrips),
        {std::max<int64_t>(begin, 1), end - 1}, state, [&](Value first) {
          std::optional<int64_t> known = getConstantIntValue(first);
          Value after = getSplat(kNone);
          if (!known || *known + length < shape.column.output)
            after = getCodes(r, b.add(first, length));
          if (!known || *known < numGathered)
            gatherStrip(r, first, {state[0], state[1], after});
          state[0] = state[1];
          state[1] = after;
        });
  }

  /// Adds the gradients of row `r` of windows to the sums of the strip that
  /// begins with stride group `first`. Then stores the rows of sums that are
  /// complete. `strips` has the codes of three strips of windows: the one
  /// before, this one, and the next one. It is empty if row `r` has no windows.
  void gatherStrip(Value r, Value first, ArrayRef<Value> strips) {
    int64_t stride = shape.row.stride, numClasses = shape.column.stride;
    // There is a vector of sums for each row that a row of windows covers, and
    // for each class of columns.
    SmallVector<Value> sums(getNumSums(shape) * numClasses, getZeros());
    for (int64_t i = 0; i < numCarried; ++i)
      sums[i] = loadRow(carriedSums, b.index(i), first);
    for (const WindowShape::Tap &tap : shape.taps) {
      Value window = b.add(first, tap.shift);
      LaneRange lanes = getLanes(window, shape.column.output);
      if (strips.empty() || areNone(lanes))
        continue;
      auto ofLane = [&](int64_t lane) { return length + tap.shift + lane; };
      Value codes = gatherLanes(b, strips, mapLanes(length, ofLane));
      Value element = loadSource(append(getRowIndices(r), window), lanes);
      for (int64_t t = 0; t < shape.row.kernel; ++t) {
        Value &sum = sums[t * shape.row.dilation * numClasses + tap.ofClass];
        sum = addNamed(sum, element, codes, shape.getDistance(t, tap.tap));
      }
    }
    for (int64_t i = 0; i < stride; ++i) {
      Value row = b.add(b.sub(b.mul(r, stride), shape.row.padBegin), i);
      // Rows of padding are not stored.
      b.ifTrue(b.isBelow(row, shape.row.input), [&] {
        storeStrip(row, first,
                   ArrayRef(sums).slice(i * numClasses, numClasses));
      });
    }
    for (int64_t i = 0; i < numCarried; ++i)
      b.store(sums[stride * numClasses + i], carriedSums, {b.index(i), first});
  }

  /// True if indices have more bits than codes.
  bool hasHighBits() const { return indexWidth > shape.codeWidth; }

  /// Returns the codes of a vector of windows: those of row `r` from window
  /// `first` on. The code of a window that does not exist is kNone. Also
  /// updates the values in `state` that check the indices.
  Value getCodes(Value r, Value first) {
    const ResolvedDim &row = shape.row, &column = shape.column;
    LaneRange lanes = getLanes(first, column.output);
    Value positions = loadPositions(r, first, lanes.getKnown(length)->second);
    state[3] = arith::MaxUIOp::create(b, state[3], positions);

    // `begin` plus `offsets` is the number of each window's first position. It
    // may be in the padding.
    Value begin =
        b.add(b.mul(b.sub(b.mul(r, row.stride), row.padBegin), column.input),
              b.mul(first, column.stride));
    Value offsets = b.lanes(codeType, [&](int64_t lane) {
      return lane * column.stride - column.padBegin;
    });
    Value distance = b.sub(b.sub(positions, begin), offsets);
    Value faults = getFaults(distance, first);
    state[2] = b.bitOr(state[2], selectRange(b, lanes, faults, getSplat(0)));
    return selectRange(b, lanes, distance, getSplat(kNone));
  }

  /// Returns, for `count` windows of row `r` from window `first` on, the
  /// positions in the plane that their indices name. All other lanes are 0.
  /// Updates `state[4]` if hasHighBits().
  Value loadPositions(Value r, Value first, int64_t count) {
    int64_t perPart = indexType.getNumElements();
    Value positions = getSplat(0);
    for (int64_t part = 0; part < count; part += perPart) {
      Value loaded = loadLanes(b, perPart, indices,
                               append(getRowIndices(r), b.add(first, part)),
                               {0, count - part},
                               /*others=*/planeBegin);
      loaded = b.sub(loaded, planeBegin);
      if (hasHighBits()) {
        state[4] = b.bitOr(state[4], loaded);
        loaded = arith::TruncIOp::create(
            b, indexType.clone(codeType.getElementType()), loaded);
      }
      positions = b.createOrFold<vector::InsertStridedSliceOp>(
          loaded, positions, part, /*strides=*/1);
    }
    return positions;
  }

  /// Returns the unsigned minimum of `distance - k * step`, for all k from 0 to
  /// `numTaps - 1`. That is the remainder after the largest k * step that is
  /// not above `distance`.
  Value getRest(Value distance, int64_t numTaps, int64_t step) {
    Value rest = distance;
    for (int64_t tap = 1; tap < numTaps; ++tap)
      rest = arith::MinUIOp::create(b, rest, b.sub(distance, tap * step));
    return rest;
  }

  /// Returns 0 in lanes whose index names a position of its own window, and
  /// another number in all other lanes. `distance` has the codes of the
  /// windows. The function subtracts whole rows of taps. The rest must then be
  /// the distance of a tap along the row. A row outside the plane is not found
  /// here: emitPlane() checks the largest position.
  Value getFaults(Value distance, Value first) {
    const ResolvedDim &column = shape.column;
    int64_t step = column.dilation;
    std::optional<int64_t> known = getConstantIntValue(first);
    auto getTaps = [&](int64_t lane) {
      return known ? getValidTaps(column, *known + lane)
                   : TapRange{0, column.kernel};
    };
    Value firsts = b.lanes(
        codeType, [&](int64_t lane) { return getTaps(lane).begin * step; });
    Value lasts = b.lanes(codeType, [&](int64_t lane) {
      return (getTaps(lane).size() - 1) * step;
    });
    Value rest = getRest(b.sub(distance, firsts), shape.row.kernel,
                         shape.getDistance(1, 0));
    // LLVM merges these two operations to one saturating subtraction.
    Value excess = b.sub(arith::MaxUIOp::create(b, rest, lasts), lasts);
    return step == 1 ? excess
                     : b.bitOr(excess, getRest(rest, column.kernel, step));
  }

  int64_t numCarried, numGathered, indexWidth;
  /// Type of a vector of indices. It fills a register, but has no more lanes
  /// than a vector of sums.
  VectorType indexType;
  /// `planeBegin` has the index of the plane's first position, in all lanes.
  /// `carriedSums` is the buffer of the sums to which the next row of windows
  /// adds.
  Value planeBegin, carriedSums;
  /// Values that the loops carry. [0] and [1] are the codes of the previous
  /// strip and of this strip. [2] has a bit that is 1 if any index is wrong.
  /// [3] has the largest position. If hasHighBits(), [4] has the union of the
  /// bits of all positions.
  SmallVector<Value> state;
};

/// The strategy `gather`. If an index names no position of its own window, its
/// slice is cleared, and each element is written where its index says.
struct GradientGatherPlan : ScatterPlan {
  GradientGatherPlan() : ScatterPlan("gather") {}

  /// Returns about how many vector operations a strip of a row of windows
  /// takes. Each tap takes a comparison and an addition. Codes are computed and
  /// checked. Carried sums are loaded and stored. Shuffles interleave the
  /// classes of columns.
  static int64_t getStripSize(const WindowShape &shape) {
    const ResolvedDim &row = shape.row, &column = shape.column;
    int64_t codedTaps = row.kernel - 1;
    if (column.dilation != 1)
      codedTaps += column.kernel - 1;
    return 2 * (row.kernel * column.kernel + getNumCarried(shape) + codedTaps) +
           row.stride * column.stride * column.stride;
  }

  /// Returns about how many vector operations the code of one row of windows
  /// has. Strips at the ends of a row are emitted one by one, the others as a
  /// loop.
  static int64_t getSize(const WindowShape &shape) {
    return std::min(shape.getNumStrips(), cost::kMaxWindowStrips) *
           getStripSize(shape);
  }

  LogicalResult supports(const ScatterProblem &problem,
                         std::string &reason) const override {
    FailureOr<WindowShape> shape = WindowShape::get(problem, reason);
    if (failed(shape))
      return failure();
    // The windows that cover a strip must be in three strips of windows: the
    // one with the same number, and its two neighbors.
    int64_t before = -shape->firstShift, after = shape->lastShift;
    int64_t length = shape->length;
    if (before <= length && after <= length)
      return success();
    return refuse(reason,
                  "columns are covered by windows {0} before and {1} after "
                  "their own, more than the {2} lanes of a vector",
                  before, after, length);
  }

  FailureOr<double> chooseParameters(const ScatterProblem &problem,
                                     std::string &reason) override {
    WindowShape shape = *WindowShape::get(problem, reason);
    int64_t numRegisters = getNumSums(shape) * shape.column.stride;
    if (numRegisters > problem.target.numVectorRegisters / 2)
      return refuse(reason, "sums take {0} of {1} registers", numRegisters,
                    problem.target.numVectorRegisters);
    if (failed(checkCodeSize("its code", getSize(shape), reason,
                             cost::kMaxCodeSize)))
      return failure();
    const Costs &costs = problem.target.costs;
    double perVector = getStripSize(shape) + costs.codingOps;
    if (!problem.target.hasMaskRegisters(shape.codeWidth))
      perVector += costs.blendOps * shape.row.kernel * shape.column.kernel;
    double ops = perVector * shape.getNumStrips() * shape.getNumSteps();
    double planCost = (ops + costs.planeOps) /
                      problem.target.vectorOpsPerCycle /
                      (double(shape.row.output) * shape.column.output);
    return planCost + problem.getChoiceCost();
  }

  LogicalResult check(const ScatterProblem &problem, PlanScope &,
                      std::string &reason) const override {
    return checkCodeSize("a row", getSize(*WindowShape::get(problem, reason)),
                         reason);
  }

  void emit(ScatterEmitter &emitter) const override {
    std::string reason;
    GradientGather(emitter, *WindowShape::get(emitter.problem, reason))
        .create();
  }
};
} // namespace

std::shared_ptr<ScatterPlan> pool::createGradientGatherPlan() {
  return std::make_shared<GradientGatherPlan>();
}
