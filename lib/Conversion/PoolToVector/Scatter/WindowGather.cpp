// The gradient of a maximum whose windows overlap, read where others write:
// each position adds what the windows that cover it give, if they name it.
//
// A row of windows is compared with the taps of its windows strip by strip, and
// added to the rows that it covers. Codes of three neighbouring strips are in
// registers; elements are loaded where each tap needs them. Sums that further
// rows of windows add to wait in a buffer, where each is loaded from where it
// was stored.
//
// The code of a window is the distance from its first position to the position
// that its index names, in positions of the plane. In most planes, positions
// and distances fit 16 bits, and take half as long as elements on machines with
// mask registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/PlaneScatter.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Sums that the next row of windows adds to, too: a vector for each row and
/// class of columns. A row of windows adds to `numSums` rows, or passes them.
static int64_t getNumSums(const WindowShape &shape) {
  return std::max(WindowShape::getReach(shape.row) + 1, shape.row.stride);
}
static int64_t getNumCarried(const WindowShape &shape) {
  return (getNumSums(shape) - shape.row.stride) * shape.column.stride;
}

class WindowGather : private PlaneScatter {
public:
  explicit WindowGather(const ScatterEmitter &emitter, const WindowShape &shape)
      : PlaneScatter(emitter, shape), numCarried(getNumCarried(shape)),
        indexWidth(cast<MemRefType>(emitter.indices.getType())
                       .getElementTypeBitWidth()),
        indexType(VectorType::get(
            std::min(getNumLanes(at.target.vectorBits, indexWidth), length),
            at.getIntegerType(indexWidth))) {}

  void create() { emitPlanes(emitter.problem.axis); }

private:
  int64_t getNumGathered() const { return shape.getNumStrips() * length; }

  void allocateBuffers() override {
    if (numCarried != 0)
      carriedSums = memref::AllocOp::create(
          at,
          MemRefType::get({numCarried, getNumGathered()},
                          sumType.getElementType()),
          at.getI64IntegerAttr(64));
  }

  Value emitPlane(ValueRange outer) override {
    for (int64_t i = 0; i < numCarried; ++i)
      fillRow(carriedSums, at.index(i), 0, getNumGathered(), getZeros());
    // The position of the plane in its slice.
    int64_t axis = emitter.problem.axis;
    Value begin = at.index(0);
    for (int64_t d = axis; d < shape.numOuter; ++d)
      begin =
          at.add(at.mul(begin, memref::DimOp::create(at, emitter.target, d)),
                 outer[d]);
    planeBegin = at.splat(indexType,
                          at.mul(begin, shape.row.input * shape.column.input));
    SmallVector<Value> checks(2, getSplat(0));
    if (hasHighBits())
      checks.push_back(at.splat(indexType, 0));
    at.forEach(at.index(0), at.index(shape.row.output), 1, checks,
               [&](Value r) { gatherRow(outer, r, checks); });
    // Rows that no window begins in, after the last one's.
    at.forEach(at.index(shape.row.output), at.index(shape.getNumSteps()), 1,
               [&](Value r) {
                 forEachStrip(
                     [&](Value first) { gatherStrip(outer, r, first, {}); });
               });
    return areRight(checks);
  }

  /// Codes of a strip and its neighbours; null where no window exists.
  struct Neighbours {
    Value before, here, after;
  };

  /// Adds row `r` of windows, and stores the rows that it is the last to cover.
  /// Updates the vectors of `checks`: bits of faults, the largest position, and
  /// all bits of positions if codes have fewer than indices.
  void gatherRow(ValueRange outer, Value r, MutableArrayRef<Value> checks) {
    // Codes of the strip before and of this one, and then the checks.
    SmallVector<Value> carried = append({Value(), Value()}, checks);
    Value &before = carried[0], &here = carried[1];
    auto getNext = [&](Value first) {
      return getCodes(outer, r, first, MutableArrayRef(carried).drop_front(2));
    };
    int64_t numCoded = shape.getNumVectors(), numStrips = shape.getNumStrips();
    here = getNext(at.index(0));
    // Strips of the loop have codes beside them.
    auto [begin, end] = shape.getInterior();
    forEachRowVector(
        std::max(numCoded, numStrips), {std::max<int64_t>(begin, 1), end - 1},
        carried, [&](Value first) {
          std::optional<int64_t> known = getConstantIntValue(first);
          Value after;
          if (!known || *known + length < numCoded * length)
            after = getNext(at.add(first, length));
          if (!known || *known < numStrips * length)
            gatherStrip(outer, r, first, {before, here, after});
          before = here;
          here = after;
        });
    llvm::copy(ArrayRef(carried).drop_front(2), checks.begin());
  }

  void gatherStrip(ValueRange outer, Value r, Value first,
                   const Neighbours &codes) {
    int64_t stride = shape.row.stride, numClasses = shape.column.stride;
    SmallVector<Value> sums(getNumSums(shape) * numClasses, getZeros());
    for (int64_t i = 0; i < numCarried; ++i)
      sums[i] = loadRow(carriedSums, at.index(i), first);
    addStrip(outer, r, first, codes, sums);
    for (int64_t i = 0; i < stride; ++i) {
      Value row = at.add(at.sub(at.mul(r, stride), shape.row.padBegin), i);
      // Before the first row or after the last there is none.
      Value isThere = at.isBelow(row, at.index(shape.row.input));
      at.ifTrue(isThere, [&] {
        storeStrip(outer, row, first,
                   ArrayRef(sums).slice(i * numClasses, numClasses));
      });
    }
    for (int64_t i = 0; i < numCarried; ++i)
      at.store(sums[stride * numClasses + i], carriedSums,
               {at.index(i), first});
  }

  /// Adds to `sums`: a vector for each row that windows reach over and class of
  /// columns.
  void addStrip(ValueRange outer, Value r, Value first, const Neighbours &codes,
                MutableArrayRef<Value> sums) {
    int64_t numClasses = shape.column.stride;
    for (int64_t c = 0; c < numClasses; ++c)
      for (const WindowShape::Tap &tap : shape.classes[c]) {
        Value shifted = getShifted(codes, tap.shift);
        Value window = at.add(first, tap.shift);
        LaneRange lanes = getLanes(window, shape.column.output);
        if (!shifted || areNone(lanes))
          continue;
        Value element =
            loadSource(append(getRowIndices(outer, r), window), lanes);
        for (int64_t t = 0; t < shape.row.kernel; ++t) {
          Value &sum = sums[t * shape.row.dilation * numClasses + c];
          sum = addNamed(sum, element, shifted, shape.getDistance(t, tap.tap));
        }
      }
  }

  /// Codes of the windows `shift` after the windows of the strip; null if none
  /// exists.
  Value getShifted(const Neighbours &codes, int64_t shift) {
    if (shift == 0)
      return codes.here;
    Value low = shift < 0 ? codes.before : codes.here;
    Value high = shift < 0 ? codes.here : codes.after;
    if (!low && !high)
      return {};
    Value none = getSplat(kNone);
    int64_t begin = shift < 0 ? length + shift : shift;
    return at.shuffle(low ? low : none, high ? high : none,
                      llvm::to_vector(llvm::seq(begin, begin + length)));
  }

  /// True if an index has bits that codes have not.
  bool hasHighBits() const { return indexWidth > shape.codeWidth; }
  /// The codes of a strip of row `r` of windows. A window that does not exist
  /// has kNone.
  Value getCodes(ValueRange outer, Value r, Value first,
                 MutableArrayRef<Value> checks) {
    const ResolvedDim &row = shape.row, &column = shape.column;
    LaneRange lanes = getLanes(first, column.output);
    Value positions = loadPositions(outer, r, first, lanes, checks);
    checks[1] = arith::MaxUIOp::create(at, checks[1], positions);

    // From the first position of each window, which may be in the padding.
    Value begin = at.add(
        at.mul(at.sub(at.mul(r, row.stride), row.padBegin), column.input),
        at.mul(first, column.stride));
    Value offsets = at.lanes(codeType, [&](int64_t lane) {
      return lane * column.stride - column.padBegin;
    });
    Value distance =
        at.sub(at.sub(positions, at.splat(codeType, begin)), offsets);
    checks[0] = at.bitOr(checks[0], getFaults(distance, first));
    return selectRange(at, lanes, distance, getSplat(kNone));
  }

  /// Returns the positions in the plane of a strip's windows, and 0 for windows
  /// that do not exist.
  Value loadPositions(ValueRange outer, Value r, Value first,
                      const LaneRange &lanes, MutableArrayRef<Value> checks) {
    int64_t count = indexType.getNumElements();
    int64_t end = lanes.getKnown(length)->second;
    Value positions = getSplat(0);
    for (int64_t part = 0; part < end; part += count) {
      SmallVector<Value> position =
          append(getRowIndices(outer, r), at.add(first, part));
      LaneRange range = LaneRange::get(at, count, 0, end - part);
      Value loaded = loadLanes(at, indexType, emitter.indices, position, range,
                               /*others=*/planeBegin);
      loaded = at.sub(loaded, planeBegin);
      if (hasHighBits()) {
        checks[2] = at.bitOr(checks[2], loaded);
        loaded = arith::TruncIOp::create(
            at, VectorType::get(count, codeType.getElementType()), loaded);
      }
      positions = count == length
                      ? loaded
                      : vector::InsertStridedSliceOp::create(
                            at, loaded, positions, part, /*strides=*/1);
    }
    return positions;
  }

  /// The least of `distance` with `step` taken away up to `numTaps` - 1 times,
  /// as unsigned.
  Value getRest(Value distance, int64_t numTaps, int64_t step) {
    Value rest = distance;
    for (int64_t tap = 1; tap < numTaps; ++tap)
      rest = arith::MinUIOp::create(at, rest,
                                    at.sub(distance, getSplat(tap * step)));
    return rest;
  }

  /// Not 0 in lanes whose window names what it does not have, unless that is a
  /// row outside of the plane; `distance` is from the first column of the
  /// window. One check covers all windows: a distance belongs to a tap inside
  /// the plane if the remainder after whole rows of taps is within the window's
  /// columns.
  Value getFaults(Value distance, Value first) {
    const ResolvedDim &column = shape.column;
    int64_t step = column.dilation;
    // The first tap inside of the plane, and the last one from there; no bound
    // of windows that do not exist.
    SmallVector<int64_t> firsts(length, 0), between(length, 0);
    SmallVector<int64_t> lasts(length, WindowShape::getReach(column));
    std::optional<int64_t> known = getConstantIntValue(first);
    for (int64_t lane = 0; known && lane < length; ++lane) {
      if (*known + lane >= column.output) {
        lasts[lane] = between[lane] = kNone;
        continue;
      }
      TapRange taps = getValidTaps(column, *known + lane);
      firsts[lane] = taps.begin * step;
      lasts[lane] = (taps.end - 1 - taps.begin) * step;
    }
    // Excess over a bound, as unsigned: one saturating subtraction.
    auto getExcess = [&](Value value, ArrayRef<int64_t> bounds) {
      Value bound = at.lanes(codeType, bounds);
      Value larger = arith::MaxUIOp::create(at, value, bound);
      return Value(at.sub(larger, bound));
    };
    distance = at.sub(distance, at.lanes(codeType, firsts));
    Value rest = getRest(distance, shape.row.kernel, shape.getDistance(1, 0));
    Value excess = getExcess(rest, lasts);
    if (step == 1)
      return excess;
    return at.bitOr(excess,
                    getExcess(getRest(rest, column.kernel, step), between));
  }

  /// True if all indices of a plane are of their own windows.
  Value areRight(ArrayRef<Value> checks) {
    auto isBelow = [&](Value lanes, vector::CombiningKind kind, int64_t bound) {
      Value most = vector::ReductionOp::create(at, kind, lanes);
      Value limit = arith::ConstantIntOp::create(
          at, most.getType(),
          APInt(most.getType().getIntOrFloatBitWidth(), bound));
      return Value(at.isBelow(most, limit));
    };
    Value result = at.both(isBelow(checks[0], vector::CombiningKind::OR, 1),
                           isBelow(checks[1], vector::CombiningKind::MAXUI,
                                   shape.row.input * shape.column.input));
    if (hasHighBits())
      result = at.both(result, isBelow(checks[2], vector::CombiningKind::OR,
                                       int64_t(1) << shape.codeWidth));
    return result;
  }

  int64_t numCarried, indexWidth;
  /// A vector of indices that fills a register.
  VectorType indexType;
  /// The plane's first position, in lanes of indices, and sums for the next
  /// step.
  Value planeBegin, carriedSums;
};
/// Every position is written from the windows that cover it, and slices again
/// where an index is not of its own window.
struct WindowsPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "windows";

  /// Returns the vector operations for a vector of a row of windows: a
  /// comparison and an addition for each tap; rows are interleaved and stored,
  /// sums are loaded and stored; and windows are coded.
  static int64_t getStripSize(const WindowShape &shape) {
    const ResolvedDim &row = shape.row, &column = shape.column;
    int64_t codedTaps = row.kernel - 1;
    if (column.dilation != 1)
      codedTaps += column.kernel - 1;
    return 2 * (row.kernel * column.kernel + getNumCarried(shape) + codedTaps) +
           row.stride * column.stride * column.stride;
  }

  /// Returns the vector operations in the code of a step. Vectors of windows
  /// along a row have code for each that exceeds an end of the row, and one
  /// loop. The others choose among rows, and store a vector of strides.
  static int64_t getSize(const WindowShape &shape) {
    return std::min(shape.getNumStrips(), cost::kMaxWindowStrips) *
           getStripSize(shape);
  }

  static LogicalResult admit(const ScatterProblem &problem,
                             std::string &reason) {
    FailureOr<WindowShape> shape = WindowShape::get(problem, reason);
    if (failed(shape))
      return failure();
    // Each window is in the vector of a column that it covers, or in one of the
    // two beside it.
    int64_t before = -shape->firstShift, after = shape->lastShift;
    int64_t length = shape->length;
    if (before <= length && after <= length)
      return success();
    return refuse(reason,
                  "columns are covered by windows {0} before and {1} after "
                  "their own, more than the {2} lanes of a vector",
                  before, after, length);
  }

  FailureOr<double> choose(const ScatterProblem &problem, std::string &reason) {
    WindowShape shape = *WindowShape::get(problem, reason);
    int64_t numRegisters = getNumSums(shape) * shape.column.stride;
    if (numRegisters > problem.target.numVectorRegisters / 2)
      return refuse(reason, "sums take {0} of {1} registers", numRegisters,
                    problem.target.numVectorRegisters);
    if (failed(checkCodeSize("its code", getSize(shape), cost::kMaxCodeSize,
                             reason)))
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
                      std::string &reason) const {
    return checkPinnedSize("a row", getSize(*WindowShape::get(problem, reason)),
                           reason);
  }

  void emit(ScatterEmitter &emitter) const {
    std::string reason;
    WindowGather(emitter, *WindowShape::get(emitter.problem, reason)).create();
  }
};
} // namespace

const ScatterStrategy pool::kWindows = ScatterStrategy::of<WindowsPlan>();
