// Emits a tile: the outputs of a strip of a group of rows, as straight-line
// code. Windows are separable: their rows are combined first, then their
// columns. Maxima over 3 x 3 windows at stride 1, a group of two output rows:
//
//   input row 0   a0  a1  a2  a3 ..
//   input row 1   b0  b1  b2  b3 ..    m = max(b, c), for both output rows
//   input row 2   c0  c1  c2  c3 ..    output row 0: r = max(a, m)
//   input row 3   d0  d1  d2  d3 ..    output row 1: r = max(m, d)
//
// Then each r is reduced along the row, by doubling (RowRuns.cpp):
//
//   run of 2      r0-1 r1-2 r2-3 ..    max(r, r moved by 1 lane)
//   window        r0-2 r1-3 r2-4 ..    max(run of 2, run of 2 moved by 1 lane)
//
// SharedTaps.h shares m. Shuffles move lanes between registers, and no buffer
// is used. An argmax must be that of the first of equal elements in row-major
// order. So with an argmax the order is reversed: every input row is reduced
// along the row, and then the rows are combined.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H

#include "Planes/PlaneShape.h"

#include <deque>

namespace mlir::pool {

class RowKernel : GroupEmitter {
public:
  RowKernel(Plane &plane, const Strip &strip, const RowGroup &group,
            int64_t numRows)
      : GroupEmitter(plane), plane(plane), shape(plane.shape),
        columns(plane.columns), strip(strip), group(group), numRows(numRows),
        numOuterTaps(problem.getNumOuterTaps()), runs(problem, shape, numRows),
        rows(runs.rows) {}

  /// Values that the group before passes to this group in registers, so that
  /// they need not be loaded. A key is an input row, counted from the first one
  /// of this group, and the number of a vector. A value is a vector of prepared
  /// elements (LaneReduction::prepare()). With taps in dimensions before the
  /// rows, it is an accumulator over these taps. With an argmax, the map is
  /// always empty.
  using CarriedRows = std::map<std::pair<int64_t, int64_t>, Value>;

  /// Emits loads of the rows that this group shares with the group before, and
  /// returns them. Vectors that are known to be padding are left out.
  CarriedRows loadCarried() {
    CarriedRows carried;
    for (int64_t row : runs.getCarriedRows())
      for (int64_t vector : runs.getLoadedVectors())
        if (Value element = getElement(row, vector).value)
          carried[{row, vector}] = element;
    return carried;
  }

  /// Emits the tile. `carried` has the values from the group before, or is
  /// empty if no rows are carried. On return it has the values for the next
  /// group.
  void emit(CarriedRows &carried) {
    // Rows that are emitted one by one are few, so do not prefetch for them.
    if (plane.fetchesAhead && (shape.carriesRows || numRows == shape.groupRows))
      planPrefetch();
    for (auto [place, value] : carried)
      elementCache[place] = {value, numOuterTaps > 1};
    // Emit all rows of a vector before the next vector, so that few values are
    // live at a time.
    for (int64_t vector = 0; vector < runs.getNumVectors(); ++vector)
      for (int64_t i = 0; i < numRows; ++i) {
        // Rows beyond the plane's last row must be stored first; see store().
        int64_t row = mayLackRows ? numRows - 1 - i : i;
        store(row, vector * length,
              reduction.hasPositions() ? reduceRows(row, vector)
                                       : reduceRow(row, vector));
      }
    for (auto &[place, value] : carried)
      value =
          getElement(place.first + numRows * rows.stride, place.second).value;
    SmallVector<int64_t> sizes(kernel.getRank(), 1);
    sizes.back() = shape.numColumns;
    if (problem.hasRows())
      sizes.end()[-2] = numRows;
    recomputeMarkedLanes(
        join(plane.coordinates, group.first, strip.firstOutput), sizes);
  }

private:
  using Run = RowRuns::Run;
  using Lanes = RowRuns::Lanes;

  Accumulator combine(Accumulator acc, Accumulator later) {
    return reduction.combine(b, acc, later);
  }

  /// Returns vector `vector` of a row that is reduced along the row. With an
  /// argmax, this is an input row, and `row` is the number of the outer tap
  /// times getSpan() plus the row's distance from the group's first input row.
  /// Otherwise, this is output row `row`, already reduced over the rows of its
  /// windows.
  Accumulator getSource(int64_t row, int64_t vector) {
    if (!reduction.hasPositions()) {
      auto [it, isNew] = columnCache.try_emplace(vector);
      if (isNew)
        it->second = reduceColumns(vector);
      return {it->second[row], {}};
    }
    Value element = load(row / getSpan(), row % getSpan(), vector * length);
    Value argmax = b.lanes(reduction.getIndexType(), [&](int64_t lane) {
      return vector * length + lane - runs.getLoadedColumns().first;
    });
    return {element ? reduction.begin(b, element) : reduction.getFill(b),
            argmax};
  }

  /// Returns, for each output row, vector `vector` after the reduction over the
  /// rows of its windows.
  SmallVector<Value> reduceColumns(int64_t vector) {
    // If a vector is outside the input in one row, it is outside in all rows.
    if (!getElement(0, vector).value)
      return SmallVector<Value>(numRows, reduction.getFill(b));
    SmallVector<Value> results(numRows);
    SharedTaps{rows, numRows, problem.isUniform}.reduce<Column>(
        [&](int64_t row, bool) { return getElement(row, vector); },
        [&](auto &first, auto &later) { return combineColumns(first, later); },
        [&](int64_t row, const Column &column) {
          results[row] = begin(column);
        });
    return results;
  }

  /// The combination of some input rows, for a vector of columns. If `value` is
  /// null, no rows have been combined yet.
  struct Column {
    Value value;
    /// True if `value` is an accumulator. False if it has prepared elements,
    /// which begin() converts to an accumulator.
    bool isBegun = false;
  };
  /// Returns the value of `column` as an accumulator, or null if it has none.
  Value begin(const Column &column) {
    return column.value && !column.isBegun ? reduction.begin(b, column.value)
                                           : column.value;
  }

  Column combineColumns(const Column &first, const Column &later) {
    if (!first.value || !later.value)
      return first.value ? first : later;
    // The first operand must be an accumulator. Choose the operand that already
    // is one, because a conversion costs an operation.
    bool isSwapped = !first.isBegun && later.isBegun;
    const Column &acc = isSwapped ? later : first;
    const Column &other = isSwapped ? first : later;
    return {combine({begin(acc), {}}, {other.value, {}}).value, true};
  }

  /// Returns vector `vector` of input row `row` of the group, reduced over the
  /// taps of the outer dimensions. Its value is null if all its lanes are known
  /// to be outside the input.
  Column getElement(int64_t row, int64_t vector) {
    auto [it, isNew] = elementCache.try_emplace({row, vector});
    if (isNew)
      for (int64_t tap = 0; tap < numOuterTaps; ++tap) {
        Value element = load(tap, row, vector * length);
        if (!element)
          break;
        it->second = combineColumns(it->second, {element});
      }
    return it->second;
  }

  /// Returns vector `vector` of `run`, for row `row` as in getSource(). Emits
  /// it only once.
  Accumulator getRun(int64_t row, const Run &run, int64_t vector) {
    auto it = runCache.find({row, run, vector});
    if (it != runCache.end())
      return it->second;
    Accumulator result;
    if (run.isRow())
      result = getSource(row, vector);
    else
      for (const Lanes &part : runs.getParts(run, vector))
        result = combine(result,
                         getLanes(row, part, runs.getNumNeeded(run, vector)));
    runCache[{row, run, vector}] = result;
    return result;
  }

  /// Returns a vector whose first `numLanes` lanes are the first `numLanes` of
  /// `lanes`, for row `row` as in getSource(). Its other lanes are arbitrary.
  Accumulator getLanes(int64_t row, const Lanes &lanes, int64_t numLanes) {
    int64_t vector = llvm::divideFloorSigned(lanes.first, length);
    if (!runs.areMoved(lanes))
      return getRun(row, lanes.run, vector);
    SmallVector<Accumulator> sources = {getRun(row, lanes.run, vector)};
    // Mark unneeded lanes as poison. If they repeated another lane, the X86
    // backend of LLVM 22 would take the shuffle for a splat and give needed
    // lanes wrong values.
    SmallVector<int64_t> positions(length, vector::ShuffleOp::kPoisonIndex);
    for (int64_t lane = 0; lane < numLanes; ++lane) {
      int64_t column = lanes.get(lane);
      int64_t here = llvm::divideFloorSigned(column, length);
      if (std::exchange(vector, here) != here)
        sources.push_back(getRun(row, lanes.run, here));
      positions[lane] =
          (sources.size() - 1) * length + llvm::mod(column, length);
    }
    return gatherLanes(b, sources, positions);
  }

  /// Returns vector `vector` of the windows along row `row`, numbered as in
  /// getSource().
  Accumulator reduceRow(int64_t row, int64_t vector) {
    Accumulator result;
    int64_t first = vector * length;
    for (const Lanes &lanes : runs.windowRuns)
      result = combine(result, getLanes(row, lanes.movedBy(first),
                                        runs.getNumOutputs(first)));
    return result;
  }

  /// Returns vector `vector` of output row `row`, with its argmax. Combines the
  /// input rows of its windows after each was reduced along the row.
  Accumulator reduceRows(int64_t row, int64_t vector) {
    Accumulator result;
    for (int64_t tap = 0; tap < numOuterTaps; ++tap)
      for (int64_t t = 0; t < rows.kernel; ++t) {
        int64_t inputRow = row * rows.stride + t * rows.dilation;
        int64_t source = tap * getSpan() + inputRow;
        auto [it, isNew] = rowCache.try_emplace({source, vector});
        if (isNew) {
          it->second = reduceRow(source, vector);
          Value code =
              b.splat(reduction.getIndexType(), runs.getRowCode(tap, inputRow));
          it->second.index = b.add(it->second.index, code);
        }
        result = combine(result, it->second);
      }
    return result;
  }

  /// Returns the number of input rows that the group covers, at one outer tap.
  int64_t getSpan() const { return rows.getSpan(numRows); }

  /// Sets `linesAhead` to the cache lines of a later group, so that store()
  /// prefetches them. Leaves it empty if a group has too many lines.
  void planPrefetch() {
    // The lines lie a fixed distance ahead in memory, which may be in the next
    // plane.
    int64_t lineLength = problem.getLineLength();
    int64_t numRuns = numRows * plane.rows.stride;
    int64_t runLength = shape.numColumns * columns.stride;
    // If a group reads a single whole row, prefetch into the first cache. For
    // several rows, or parts of rows, the hardware fills the first cache by
    // itself, faster than prefetch instructions do. Prefetches into it would
    // gain nothing, and compete with the current loads for the same buffers.
    // Prefetches into the second cache do not compete.
    bool inOrder = shape.cut == RowCut::Row && numRuns == 1;
    if (shape.cut == RowCut::Row)
      runLength = std::exchange(numRuns, 1) * *columns.knownInput;
    if (numRuns * llvm::divideCeil(runLength, lineLength) >
        cost::kMaxPrefetches)
      return;
    SmallVector<Value> extents = kernel.getInputShape();
    SmallVector<Value> position =
        join(plane.coordinates, b.mul(group.first, plane.rows.stride),
             b.mul(strip.firstOutput, columns.stride));
    Value rowLength = extents.back();
    Value first = getElementAhead(
        b, extents, position,
        cost::kPrefetchBytes / getElementBytes(kernel.input),
        /*reach=*/b.add(b.mul(rowLength, numRuns - 1), runLength));
    flatInput = collapseFrom(b, kernel.input, 0);
    cache = inOrder ? cost::kFirstCache : cost::kSecondCache;
    int64_t step = inOrder ? lineLength : problem.getFetchLength();
    for (int64_t run = 0; run < numRuns; ++run) {
      Value line = b.add(first, b.mul(rowLength, run));
      for (int64_t i = 0; i < runLength; i += step)
        linesAhead.emplace_back(line, i);
    }
    numFetched =
        llvm::divideCeil(linesAhead.size(), numRows * runs.getNumVectors());
  }

  /// Emits a load of a vector of input row `row`, at tap `outerTap` of the
  /// outer dimensions, and prepares it. `column` is the distance of its first
  /// column from vector 0. Lanes outside the input get the fill if windows use
  /// them. Returns null if all lanes are known to be outside the input, in
  /// every row.
  Value load(int64_t outerTap, int64_t row, int64_t column) {
    const InputRow &inputRow = getRow(outerTap, row);
    Value first = b.add(strip.firstInput, column);
    LaneRange inside;
    if (!strip.isInterior)
      inside = LaneRange::getInside(b, first, columns.input);
    auto known = inside.getKnown(length);
    if (known && known->first == known->second)
      return {};
    Value buffer = kernel.input, mask;
    SmallVector<Value> indices = append(inputRow.indices, first);
    if (inputRow.first && !strip.isInterior) {
      // Without padding, no window has lanes beyond the row, so they may have
      // any value.
      if (columns.coversPadding)
        mask = createLaneMask(b, length, inside);
      buffer = collapseFrom(b, kernel.input, 0);
      indices = {b.add(inputRow.first, first)};
      inside = {};
    }
    Value prepared =
        reduction.prepare(b, reduction.load(b, buffer, indices, inside));
    return fillUnless(inputRow.isInside, fillUnless(mask, prepared));
  }

  /// Emits a store of `lanes` to output row `row` of the group, from column
  /// `column` of the strip on. Leaves out columns that do not exist. Also emits
  /// some of the prefetches of planPrefetch().
  void store(int64_t row, int64_t column, Accumulator lanes) {
    for (size_t i = 0; i < numFetched && !linesAhead.empty(); ++i) {
      auto [line, offset] = linesAhead.front();
      prefetchElement(b, flatInput, b.add(line, offset), cache);
      linesAhead.pop_front();
    }
    Value outputRow = b.add(group.first, row * plane.rowStep);
    // Store a row beyond the plane to the plane's last row. The right values of
    // the last row overwrite it later, because emit() begins with the group's
    // last row.
    if (mayLackRows)
      outputRow = b.min(outputRow, b.sub(plane.rows.output, 1));
    SmallVector<Value> place =
        join(plane.coordinates, outputRow, b.add(strip.firstOutput, column));
    LaneRange existing = {0, runs.getNumOutputs(column)};
    if (strip.numOutputs)
      existing.end = b.sub(strip.numOutputs, column);
    if (reduction.hasPositions()) {
      markLanesWithoutMaximum(lanes, existing);
      lanes.index = getPositions(column, lanes.index);
    }
    kernel.store(reduction, lanes, place, existing, getFacts(column));
  }

  /// Returns the coordinates `outer`, then `row` if there are rows, then
  /// `column`.
  SmallVector<Value> join(ArrayRef<Value> outer, Value row, Value column) {
    SmallVector<Value> all(outer);
    if (problem.hasRows())
      all.push_back(row);
    all.push_back(column);
    return all;
  }

  /// The address of an input row, and whether it is inside the input.
  struct InputRow {
    /// Indices into the input, without the column.
    SmallVector<Value> indices;
    /// Number of the row's first element in the flattened buffer. Null unless
    /// vectors that reach past the ends are loaded whole (RowEnds::Whole).
    Value first;
    /// True if the row is inside the input. Null if it always is.
    Value isInside;
  };
  /// Returns the address of input row `row`, at tap `outerTap` of the outer
  /// dimensions. Emits the computation of the address only once.
  const InputRow &getRow(int64_t outerTap, int64_t row) {
    auto [it, isNew] = inputRows.try_emplace({outerTap, row});
    InputRow &result = it->second;
    if (!isNew)
      return result;
    result.indices = {plane.coordinates[0], plane.coordinates[1]};
    SmallVector<LoopDim> dims = plane.outer;
    dims.push_back(plane.rows);
    SmallVector<Value> starts = append(plane.outerStarts, group.start);
    // If there are no rows, getOffsets() has no offset for plane.rows, and
    // zip() ends before it.
    for (auto [dim, start, offset] :
         llvm::zip(dims, starts, runs.getOffsets(outerTap, row))) {
      LoopDim::Tap tap = dim.getTap(b, b.add(start, offset), group.isInterior,
                                    problem.mayClamp);
      result.indices.push_back(tap.position);
      result.isInside = b.both(result.isInside, tap.isInside);
    }
    if (plane.ends == RowEnds::Whole)
      result.first = getElementNumber(b, kernel.getInputShape(),
                                      append(result.indices, b.index(0)));
    return result;
  }

  /// Returns facts about the outputs from `column` of the strip on: in which
  /// dimensions their windows are known to have no padding, and whether they
  /// have positions.
  ElementFacts getFacts(int64_t column) {
    ElementFacts facts;
    if (group.isInterior) {
      bool isInterior = strip.isInterior;
      // For a whole row of known width, the columns of these windows are known.
      if (shape.cut == RowCut::Row) {
        int64_t first = column * columns.stride - *columns.knownPad;
        int64_t end = first + columns.getSpan(runs.getNumOutputs(column));
        isInterior = first >= 0 && end <= *columns.knownInput;
      }
      unsigned last = kernel.dims.size() - 1;
      facts =
          kernel.getFacts([&](unsigned d) { return isInterior || d != last; });
    }
    facts.hasPosition = reduction.hasPositions();
    return facts;
  }

  /// Converts `argmax`, the packed argmax of the outputs from `column` of the
  /// strip on, to positions as the operation counts them.
  Value getPositions(int64_t column, Value argmax) {
    bool isAfterPadding =
        strip.isInterior || (shape.cut == RowCut::Row &&
                             column * columns.stride >= *columns.knownPad);
    SmallVector<Value> starts =
        join(plane.outerStarts, group.start,
             b.add(strip.firstInput, runs.getLoadedColumns().first));
    return kernel.decodeArgmax(
        argmax, starts, runs.getArgmaxBits(), [&](unsigned d) {
          return d + 1 < starts.size() ? !group.isInterior : !isAfterPadding;
        });
  }

  Plane &plane;
  const PlaneShape &shape;
  const LoopDim &columns;
  const Strip &strip;
  const RowGroup &group;
  std::map<std::pair<int64_t, int64_t>, InputRow> inputRows;
  Value flatInput;
  unsigned cache = 0;
  /// Cache lines that are still to be prefetched. Each is the number of an
  /// element of `flatInput`, and a distance from it in elements. Each store
  /// prefetches only `numFetched` lines, because a processor keeps track of few
  /// at a time.
  std::deque<std::pair<Value, int64_t>> linesAhead;
  size_t numFetched = 0;
  int64_t numRows, numOuterTaps;
  const RowRuns runs;
  const KernelDim &rows;
  // Values that were emitted, by row (or run) and number of the vector, so that
  // each is emitted once.
  std::map<std::pair<int64_t, int64_t>, Column> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::tuple<int64_t, Run, int64_t>, Accumulator> runCache;
  std::map<std::pair<int64_t, int64_t>, Accumulator> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
