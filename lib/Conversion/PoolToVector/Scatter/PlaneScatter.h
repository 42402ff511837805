// The planes of a gradient of an extremum whose windows have known extents: how
// positions gather from windows, and loads and stores of rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H

#include "Problem/Limits.h"
#include "Scatter/ScatterPlan.h"

namespace mlir::pool {

/// How the positions of a plane gather from the windows that cover them, as
/// vectors along its last dimension. A plane is the last two dimensions, or the
/// last one if indices count within it. Lanes are strides of its columns.
/// Columns with the same remainder by the stride form a class, and are lanes of
/// one vector.
struct WindowShape {
  /// Fails, with the reason, where windows or extents are not for it.
  static FailureOr<WindowShape> get(const ScatterProblem &problem,
                                    std::string &reason) {
    if (problem.windows.empty())
      return refuse(reason, "indices are not known to be those of windows");
    int64_t rank = problem.windows.size();
    WindowShape shape;
    shape.numOuter = std::max(problem.axis, rank - 2);
    for (int64_t d = 0; d < rank; ++d) {
      ResolvedDim dim = problem.windows[d];
      if (d < shape.numOuter) {
        if (dim.kernel != 1 || dim.stride != 1 || dim.padBegin != 0 ||
            dim.padEnd != 0 || dim.input != dim.output)
          return refuse(reason,
                        "dimension {0}, before the last two, has windows", d);
        continue;
      }
      if (ShapedType::isDynamic(dim.input) ||
          ShapedType::isDynamic(dim.output) ||
          problem.sourceShape[d] != dim.output)
        return refuse(reason, "extents of dimension {0} are not known", d);
      if (dim.input == 0 || dim.output == 0)
        return refuse(reason, "dimension {0} is empty", d);
      // Their indices count nothing, whatever they are.
      if (std::optional<int64_t> empty =
              getFirstEmptyWindow(dim, Divisor::Valid))
        return refuse(reason, "window {0} of dimension {1} has no elements",
                      *empty, d);
      // Buffers are as long as windows reach.
      int64_t maxReach = 2 * dim.input + cost::kMaxReachBeyond;
      if (getReach(dim) >= maxReach)
        return refuse(reason,
                      "windows of dimension {0} reach over {1} elements, more "
                      "than {2} for an extent of {3}",
                      d, getReach(dim) + 1, maxReach, dim.input);
      if (dim.kernel == 1)
        dim.dilation = 1;
      (d + 1 < rank ? shape.row : shape.column) = dim;
    }

    // Positions, those in the padding too, are computed in 32 bits.
    const ResolvedDim &row = shape.row, &column = shape.column;
    int64_t rows, columns, bound;
    if (llvm::AddOverflow(row.input, getReach(row) + 1, rows) ||
        llvm::AddOverflow(column.input, getReach(column) + 1, columns) ||
        llvm::MulOverflow(rows, columns, bound) ||
        bound > std::numeric_limits<int32_t>::max())
      return refuse(reason, "distances have more than 32 bits");
    if (row.stride > cost::kMaxPinnedCodeSize)
      return refuse(reason, "the stride of rows is {0}, more than {1}",
                    row.stride, cost::kMaxPinnedCodeSize);
    if (row.kernel * column.kernel > cost::kMaxPinnedCodeSize)
      return refuse(reason, "windows have more than {0} elements",
                    cost::kMaxPinnedCodeSize);
    if (column.stride > cost::kMaxGatherStride)
      return refuse(reason, "the stride along the row is {0}, more than {1}",
                    column.stride, cost::kMaxGatherStride);

    shape.length = problem.getLength();
    // Differences of positions are known by their lower 16 bits if there are no
    // more of them.
    int64_t reach = shape.getDistance(row.kernel - 1, column.kernel - 1);
    shape.setCodeWidth(problem.target, bound + reach);
    for (int64_t c = 0; c < column.stride; ++c)
      for (int64_t tap = column.kernel - 1; tap >= 0; --tap) {
        int64_t begin = c + column.padBegin - tap * column.dilation;
        int64_t shift = begin / column.stride;
        if (begin % column.stride != 0)
          continue;
        shape.taps.push_back({tap, c, shift});
        shape.firstShift = std::min(shape.firstShift, shift);
        shape.lastShift = std::max(shape.lastShift, shift);
      }
    return shape;
  }

  /// A tap covers the columns of a class: column `stride * j + ofClass` is tap
  /// `tap` of window `j + shift`.
  struct Tap {
    int64_t tap, ofClass, shift;
  };

  ResolvedDim row = {1, 1, 1, 1, 1, 0, 0, 0}, column = row;
  /// Dimensions of the target before the plane.
  int64_t numOuter = 0;
  /// Lanes of a vector of sums.
  int64_t length = 0;
  /// Bits of a distance from a window's first element, or of a tap.
  int64_t codeWidth = 32;
  /// The taps of each class, in the order of their windows.
  SmallVector<Tap> taps;
  /// The first and last shift of all.
  int64_t firstShift = 0, lastShift = 0;

  /// Codes that are less than `largest`, which fits 32 bits.
  void setCodeWidth(const Target &target, int64_t largest) {
    // With mask registers, half a register is compared in half the time. Other
    // masks must be as wide as the lanes that they select.
    bool isNarrow = target.hasMaskRegisters(/*laneBits=*/16) &&
                    largest < std::numeric_limits<uint16_t>::max();
    codeWidth = isNarrow ? 16 : 32;
  }

  static int64_t getReach(const ResolvedDim &dim) {
    return (dim.kernel - 1) * dim.dilation;
  }
  /// From a tap of a window to its first element, in positions of the plane.
  int64_t getDistance(int64_t rowTap, int64_t columnTap) const {
    return rowTap * row.dilation * column.input + columnTap * column.dilation;
  }
  /// Rows of windows, and of none, until each row of the plane is passed.
  int64_t getNumSteps() const {
    return llvm::divideCeil(row.input + row.padBegin, row.stride);
  }
  /// Vectors of a row of windows, and of the strides of a row of the plane.
  int64_t getNumVectors() const {
    return llvm::divideCeil(column.output, length);
  }
  int64_t getNumStrips() const {
    return llvm::divideCeil(column.input, column.stride * length);
  }
  /// Vectors [first, second) of windows that are inside the row, with their
  /// strides and with the windows that cover these.
  std::pair<int64_t, int64_t> getInterior() const {
    int64_t before = std::max<int64_t>(
        -firstShift, llvm::divideCeil(column.padBegin, column.stride));
    int64_t numInside =
        (column.input + column.padBegin - getReach(column)) / column.stride;
    int64_t end = std::min(
        {column.output - lastShift, numInside, column.input / column.stride});
    int64_t begin = llvm::divideCeil(before, length);
    return {begin, std::max(begin, end / length)};
  }
};

/// Writes the planes of a gradient. Vectors of windows of a row, or of strides
/// of columns, are named by the first one. It is known for vectors that may
/// reach over an end of the row. Loops over the others have all elements that
/// these vectors need.
class PlaneScatter : protected ScatterEmitter {
protected:
  /// The tap, or the distance, of a window that does not exist: no element is
  /// at it.
  static constexpr int64_t kNone = -1;

  PlaneScatter(const ScatterEmitter &emitter, const WindowShape &shape)
      : ScatterEmitter(emitter), shape(shape), length(shape.length),
        codeType(VectorType::get(length, b.getIntegerType(shape.codeWidth))),
        sumType(VectorType::get(length, accType)) {}

  /// Writes each plane by `emitPlane`. This returns true if the plane is right,
  /// and null if it always is; see scatterParts(). `allocate` allocates buffers
  /// that several planes share.
  void emitPlanes(function_ref<void()> allocate,
                  function_ref<Value()> emitPlane) {
    // A buffer's allocation takes as long as a small plane.
    int64_t numTogether = llvm::divideCeil(
        cost::kWindowsTogether, shape.row.output * shape.column.output);
    auto emit = [&](ValueRange outer) {
      plane = outer;
      return emitPlane();
    };
    scatterParts(*this, shape.numOuter, emit, numTogether, allocate);
  }

  /// Calls `emit` for `count` vectors of a row, in a loop for `inner` ones.
  void forEachRowVector(int64_t count, std::pair<int64_t, int64_t> inner,
                        const LoopState &carried,
                        KernelBuilder::LoopBody emit) {
    for (int64_t v = 0, end; v < count; v = end) {
      end = v == inner.first ? std::max(inner.second, v + 1) : v + 1;
      b.forEach(v * length, end * length, length, carried, emit);
    }
  }
  /// Calls `emit` for the vectors of strides of a row of the target.
  void forEachStrip(KernelBuilder::LoopBody emit) {
    int64_t numWhole = shape.column.input / shape.column.stride / length;
    forEachRowVector(shape.getNumStrips(), {0, numWhole}, {}, emit);
  }
  /// Stores a vector of strides of a row, of one vector of sums for each class
  /// of columns.
  void storeStrip(Value row, Value first, ArrayRef<Value> sums) {
    int64_t numClasses = sums.size();
    auto stored = sumType.clone(getElementTypeOrSelf(target));
    for (int64_t v = 0; v < numClasses; ++v) {
      Value column = b.add(b.mul(first, numClasses), v * length);
      LaneRange columns = getLanes(column, shape.column.input);
      if (areNone(columns))
        break;
      auto ofLane = [&](int64_t lane) {
        int64_t column = v * length + lane;
        return column % numClasses * length + column / numClasses;
      };
      Value lanes = gatherLanes(b, sums, mapLanes(length, ofLane));
      storeLanes(b, truncateFloat(b, b.getLoc(), lanes, stored), target,
                 append(getRowIndices(row), column), columns);
    }
  }
  /// Fills columns [begin, end) of row `place` with `lanes`; whole vectors.
  void fillRow(Value buffer, Value place, int64_t begin, int64_t end,
               Value lanes) {
    b.forEach(begin, end, length,
              [&](Value column) { b.store(lanes, buffer, {place, column}); });
  }
  Value loadRow(Value buffer, Value place, Value column) {
    Type element = getElementTypeOrSelf(buffer);
    return b.load(VectorType::get(length, element), buffer, {place, column});
  }

  /// True if planes have rows, or are one.
  bool hasRows() const {
    return problem.targetShape.drop_front(shape.numOuter).size() == 2;
  }
  /// The indices of row `row` of the plane, in buffers of the target's rank.
  SmallVector<Value> getRowIndices(Value row) {
    return hasRows() ? append(plane, row) : plane;
  }
  /// The lanes of a vector from `first` on that lie in [0, extent).
  LaneRange getLanes(Value first, int64_t extent) {
    std::optional<int64_t> known = getConstantIntValue(first);
    return known ? LaneRange{-*known, extent - *known} : LaneRange();
  }
  bool areNone(const LaneRange &lanes) {
    auto known = lanes.getKnown(length);
    return known->first == known->second;
  }
  /// Loads elements of the source, in the type of sums.
  Value loadSource(ValueRange position, const LaneRange &lanes) {
    Value loaded = loadLanes(b, length, source, position, lanes, 0);
    return extendElement(b, b.getLoc(), loaded, accType);
  }
  /// Adds lanes of `element` to `sum` where `codes` are `code`. A sum begins
  /// with 0. So it is never -0, and adding 0 to the other lanes changes none.
  Value addNamed(Value sum, Value element, Value codes, int64_t code) {
    Value isNamed = b.isEqual(codes, code);
    // Without mask registers, a select from 0 is one `and`, which no later
    // addition waits for. LLVM makes a masked store of a select of sums that is
    // stored where it was loaded. On a Zen 3, gradients without indices took
    // 1.25 to 2.7 times as long with selects of sums.
    if (!b.target.hasMaskRegisters(shape.codeWidth))
      return b.fold<arith::AddFOp>(sum, b.select(isNamed, element, getZeros()));
    Value added = b.fold<arith::AddFOp>(sum, element);
    return b.select(isNamed, added, sum);
  }
  Value getZeros() { return b.constant(b.getZeroAttr(sumType)); }
  Value getSplat(int64_t code) { return b.splat(codeType, code); }

  WindowShape shape;
  int64_t length;
  VectorType codeType, sumType;
  /// The indices of the plane.
  SmallVector<Value> plane;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
