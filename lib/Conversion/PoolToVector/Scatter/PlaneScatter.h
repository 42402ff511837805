// The base of the strategies `gather` and `separable`, for the gradient of an
// extremum whose extents are known. They are in gather form: each position of a
// plane adds the gradients of those windows that cover it and chose it.
//
// A stride group is `stride` neighboring columns: at stride s, group j has
// columns s * j to s * j + s - 1. Class c is column c of each group. The
// columns of a class are the lanes of a vector, one for each group. Windows of
// 3 columns at stride 2, without padding:
//
//   column           0  1  2  3  4  5  6  7
//   class 0, lane    0     1     2     3
//   class 1, lane       0     1     2     3
//   window 0         t0 t1 t2
//   window 1               t0 t1 t2            t0 to t2 are taps
//
// So in class 0, lane j is tap 0 of window j, and tap 2 of window j - 1. In
// class 1, lane j is tap 1 of window j.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H

#include "Problem/Limits.h"
#include "Scatter/ScatterPlan.h"

namespace mlir::pool {

/// The windows of a plane, and vectors along its last dimension. A plane is the
/// last two dimensions of the target. If indices count within the last
/// dimension only, a plane is that dimension.
struct WindowShape {
  /// Returns the windows of `problem`. Fails, with the reason, if dimensions
  /// before the planes have windows, if extents are unknown, or if windows are
  /// empty or too large.
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
      // The index of a window without elements has no meaning.
      if (std::optional<int64_t> empty =
              getFirstEmptyWindow(dim, Divisor::Valid))
        return refuse(reason, "window {0} of dimension {1} has no elements",
                      *empty, d);
      // The length of buffers grows with the reach of windows, so limit it.
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

    // Positions are computed in 32 bits, even those in the padding.
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
    // Distances may be stored in 16 bits if there are fewer than 2^16 different
    // ones: then their lower 16 bits tell them apart.
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

  /// A tap along the row, and the class of columns that it covers. For each j,
  /// column stride * j + `ofClass` is tap `tap` of window j + `shift`.
  struct Tap {
    int64_t tap, ofClass, shift;
  };

  ResolvedDim row = {1, 1, 1, 1, 1, 0, 0, 0}, column = row;
  /// Number of dimensions of the target before the plane.
  int64_t numOuter = 0;
  /// Number of lanes of a vector.
  int64_t length = 0;
  /// Number of bits of a code. The code of a window says which of its elements
  /// the window chose: by a distance from the first element, or by a tap.
  int64_t codeWidth = 32;
  /// All taps along the row, class by class. The taps of a class are in the
  /// order of the windows that they belong to.
  SmallVector<Tap> taps;
  /// The smallest `shift` of all taps, at most 0, and the largest one, at least
  /// 0.
  int64_t firstShift = 0, lastShift = 0;

  /// Sets `codeWidth`, for codes that are less than `largest`. `largest` must
  /// fit 32 bits.
  void setCodeWidth(const Target &target, int64_t largest) {
    // With mask registers, comparing narrow codes takes half the time. Without
    // them, a mask must be as wide as the lanes that it selects.
    bool isNarrow = target.hasMaskRegisters(/*laneBits=*/16) &&
                    largest < std::numeric_limits<uint16_t>::max();
    codeWidth = isNarrow ? 16 : 32;
  }

  /// Returns the distance from the first to the last tap, in positions of
  /// `dim`.
  static int64_t getReach(const ResolvedDim &dim) {
    return (dim.kernel - 1) * dim.dilation;
  }
  /// Returns the distance of a tap from its window's first element: the
  /// difference of their row-major numbers in the plane.
  int64_t getDistance(int64_t rowTap, int64_t columnTap) const {
    return rowTap * row.dilation * column.input + columnTap * column.dilation;
  }
  /// Returns the number of iterations ("steps") of a loop over all rows of the
  /// plane. Each step completes `row.stride` rows. Step r also adds row r of
  /// windows; steps after the last row of windows add none.
  int64_t getNumSteps() const {
    return llvm::divideCeil(row.input + row.padBegin, row.stride);
  }
  /// Returns the number of vectors in a row of windows.
  int64_t getNumVectors() const {
    return llvm::divideCeil(column.output, length);
  }
  /// Returns the number of strips in a row of the plane. A strip is `length`
  /// stride groups.
  int64_t getNumStrips() const {
    return llvm::divideCeil(column.input, column.stride * length);
  }
  /// Returns the range [first, second) of vectors, in a row of windows, that
  /// need no masks. Their windows are inside the row. The stride groups with
  /// the same numbers as these windows are inside, too, and all windows that
  /// cover these groups exist.
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

/// Base of classes that write the planes of a gradient. A vector of windows, or
/// of stride groups, is identified by the number of its first window or group.
/// If the vector may reach past an end of the row, it is emitted on its own,
/// and this number is a constant. All other vectors are emitted in loops, and
/// need no masks.
class PlaneScatter : protected ScatterEmitter {
protected:
  /// The code of a window that does not exist. No element has it.
  static constexpr int64_t kNone = -1;

  PlaneScatter(const ScatterEmitter &emitter, const WindowShape &shape)
      : ScatterEmitter(emitter), shape(shape), length(shape.length),
        codeType(VectorType::get(length, b.getIntegerType(shape.codeWidth))),
        sumType(VectorType::get(length, accType)) {}

  /// Emits loops over planes. `emitPlane` emits the code of the plane at
  /// `plane`. It returns an i1: true if the plane is right. It returns null if
  /// planes always are; see scatterParts(). `allocate` allocates buffers that
  /// several planes use, one after the other.
  void emitPlanes(function_ref<void()> allocate,
                  function_ref<Value()> emitPlane) {
    // Allocating buffers takes as long as computing a small plane.
    int64_t numTogether = llvm::divideCeil(
        cost::kWindowsTogether, shape.row.output * shape.column.output);
    auto emit = [&](ValueRange outer) {
      plane = outer;
      return emitPlane();
    };
    scatterParts(*this, shape.numOuter, emit, numTogether, allocate);
  }

  /// Calls `emit` for the first `count` vectors of a row. Vectors [inner.first,
  /// inner.second) become a loop. The others are emitted one by one.
  void forEachRowVector(int64_t count, std::pair<int64_t, int64_t> inner,
                        const LoopState &carried,
                        KernelBuilder::LoopBody emit) {
    for (int64_t v = 0, end; v < count; v = end) {
      end = v == inner.first ? std::max(inner.second, v + 1) : v + 1;
      b.forEach(v * length, end * length, length, carried, emit);
    }
  }
  /// Calls `emit` for the strips of a row of the target. Its argument is the
  /// number of the strip's first stride group.
  void forEachStrip(KernelBuilder::LoopBody emit) {
    int64_t numWhole = shape.column.input / shape.column.stride / length;
    forEachRowVector(shape.getNumStrips(), {0, numWhole}, {}, emit);
  }
  /// Emits stores of the strip that begins with stride group `first`, in row
  /// `row` of the plane. `sums` has a vector for each class of columns.
  /// Shuffles interleave these vectors.
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
  /// Emits stores of `lanes` to columns [begin, end) of row `place` of
  /// `buffer`. `end - begin` must be a multiple of `length`.
  void fillRow(Value buffer, Value place, int64_t begin, int64_t end,
               Value lanes) {
    b.forEach(begin, end, length,
              [&](Value column) { b.store(lanes, buffer, {place, column}); });
  }
  /// Emits a load of the vector that begins at `column`, in row `place` of
  /// `buffer`.
  Value loadRow(Value buffer, Value place, Value column) {
    Type element = getElementTypeOrSelf(buffer);
    return b.load(VectorType::get(length, element), buffer, {place, column});
  }

  /// True if planes have two dimensions, false if a plane is a single row.
  bool hasRows() const {
    return problem.targetShape.drop_front(shape.numOuter).size() == 2;
  }
  /// Returns the coordinates of row `row` of the plane, without the column, in
  /// buffers of the target's rank.
  SmallVector<Value> getRowIndices(Value row) {
    return hasRows() ? append(plane, row) : plane;
  }
  /// Returns which lanes of the vector that begins at `first` lie in [0,
  /// extent). If `first` is not a constant, all lanes do: the vector is in a
  /// loop.
  LaneRange getLanes(Value first, int64_t extent) {
    std::optional<int64_t> known = getConstantIntValue(first);
    return known ? LaneRange{-*known, extent - *known} : LaneRange();
  }
  bool areNone(const LaneRange &lanes) {
    auto known = lanes.getKnown(length);
    return known->first == known->second;
  }
  /// Emits a load of source elements, and their conversion to the type of sums.
  /// Lanes outside `lanes` are 0.
  Value loadSource(ValueRange position, const LaneRange &lanes) {
    Value loaded = loadLanes(b, length, source, position, lanes, 0);
    return extendElement(b, b.getLoc(), loaded, accType);
  }
  /// Returns `sum`, to which `element` is added in the lanes where `codes` is
  /// equal to `code`. Sums must begin with +0. Then no sum is -0, and adding 0
  /// changes no lane.
  Value addNamed(Value sum, Value element, Value codes, int64_t code) {
    Value isNamed = b.isEqual(codes, code);
    // Without mask registers, add either `element` or 0. This selection is one
    // `and`, and no addition waits for it. A selection of sums, as below, took
    // 1.25 to 2.7 times as long in gradients without indices on a Zen 3. There,
    // the sum is stored where it was loaded, and LLVM makes a masked store.
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
  /// The coordinates of the current plane, in the dimensions before it.
  SmallVector<Value> plane;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
