// Emits a tile: the outputs of a strip of a group of rows, as straight-line
// code. Windows are separable: their rows are combined first, then their
// columns. Maxima over 3 x 3 windows at stride 1, a group of two output rows:
//
//   input row 0   a0  a1  a2  a3 ..
//   input row 1   b0  b1  b2  b3 ..    m = max(b, c), for both output rows
//   input row 2   c0  c1  c2  c3 ..    output row 0: r = max(a, m)
//   input row 3   d0  d1  d2  d3 ..    output row 1: r = max(m, d)
//
// Then the windows along each r, by doubling (RowRuns.cpp):
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

  /// Elements that need not be loaded, because the group before has them in
  /// registers. A key is an input row, counted from the first one of this
  /// group, and a vector. Elements are prepared (LaneReduction::prepare()), and
  /// reduced over the taps of the dimensions before the rows. There are none
  /// with an argmax.
  using CarriedRows = std::map<std::pair<int64_t, int64_t>, Value>;

  /// Emits loads of the rows that this group shares with the group before. The
  /// first group of a part needs them.
  CarriedRows loadCarried() {
    CarriedRows carried;
    for (int64_t row : runs.getCarriedRows())
      for (int64_t vector : runs.getLoadedVectors())
        if (Value element = getElement(row, vector).value)
          carried[{row, vector}] = element;
    return carried;
  }

  /// Emits the tile. `carried` has the elements that it shares with the group
  /// before, or none. On return it has those for the next group.
  void emit(CarriedRows &carried) {
    // No prefetches for rows that are emitted one by one: there are few.
    if (plane.fetchesAhead && (shape.carriesRows || numRows == shape.groupRows))
      planPrefetch();
    for (auto [place, value] : carried)
      elementCache[place] = {value, numOuterTaps > 1};
    // All rows of a vector before the next vector, so that few values are live
    // at a time.
    for (int64_t vector = 0; vector < runs.getNumVectors(); ++vector)
      for (int64_t i = 0; i < numRows; ++i) {
        // Rows beyond the plane come first; store() says why.
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
  /// argmax, that is an input row. Then `row` counts the rows of all outer
  /// taps, one tap after the other. Otherwise, it is output row `row`, already
  /// reduced over its windows' rows.
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

  /// Returns, for each output row, vector `vector` reduced over the rows of its
  /// windows.
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

  /// The combination of some input rows, for a vector of columns. `value` is
  /// null if there are no rows.
  struct Column {
    Value value;
    /// True for an accumulator. False for prepared elements, which begin()
    /// converts.
    bool isBegun = false;
  };
  /// Returns the accumulator of `column`, or null.
  Value begin(const Column &column) {
    return column.value && !column.isBegun ? reduction.begin(b, column.value)
                                           : column.value;
  }

  Column combineColumns(const Column &first, const Column &later) {
    if (!first.value || !later.value)
      return first.value ? first : later;
    // The first operand must be an accumulator. Take the one that already is,
    // because converting elements is an operation.
    bool isSwapped = !first.isBegun && later.isBegun;
    const Column &acc = isSwapped ? later : first;
    const Column &other = isSwapped ? first : later;
    return {combine({begin(acc), {}}, {other.value, {}}).value, true};
  }

  /// Returns a vector of an input row, reduced over the taps of the outer
  /// dimensions. Its value is null if all lanes are outside the input.
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

  /// Returns vector `vector` of `run`, a run of row `row`. Emits it if it is
  /// new.
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

  /// Returns a vector that has the first `numLanes` of `lanes`, of row `row`,
  /// in its first lanes. Its other lanes are arbitrary.
  Accumulator getLanes(int64_t row, const Lanes &lanes, int64_t numLanes) {
    int64_t vector = llvm::divideFloorSigned(lanes.first, length);
    if (!runs.areMoved(lanes))
      return getRun(row, lanes.run, vector);
    SmallVector<Accumulator> sources = {getRun(row, lanes.run, vector)};
    // Unneeded lanes must be poison. If they repeated another lane, LLVM 22's
    // X86 backend would take the shuffle for a splat, and needed lanes would be
    // wrong.
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

  /// Returns the windows of vector `vector`, reduced along row `row`.
  Accumulator reduceRow(int64_t row, int64_t vector) {
    Accumulator result;
    int64_t first = vector * length;
    for (const Lanes &lanes : runs.windowRuns)
      result = combine(result, getLanes(row, lanes.movedBy(first),
                                        runs.getNumOutputs(first)));
    return result;
  }

  /// Returns vector `vector` of output row `row`, with its argmax. Combines its
  /// input rows, which are already reduced along the row.
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

  /// Returns the number of input rows that the group covers for each outer tap.
  int64_t getSpan() const { return rows.getSpan(numRows); }

  /// Chooses the cache lines, of later groups, that store() prefetches. Chooses
  /// none if a group has too many.
  void planPrefetch() {
    // The lines lie a fixed distance ahead in memory, perhaps in the next
    // plane.
    int64_t lineLength = problem.getLineLength();
    int64_t numRuns = numRows * plane.rows.stride;
    int64_t runLength = shape.numColumns * columns.stride;
    // If a group reads a single whole row, its lines are fetched into the first
    // cache. For several rows, or parts of rows, the hardware fills the first
    // cache by itself, faster than prefetch instructions do. There, prefetches
    // into the first cache would compete with the current loads for the same
    // buffers, and gain nothing. Prefetches into the second cache do not
    // compete.
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

  /// Loads the vector from `column` on of input row `row`, at tap `outerTap` of
  /// the outer dimensions, and prepares it. Lanes outside the input are
  /// padding. Returns null if all lanes are known to be outside, whatever the
  /// row.
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
      // Without padding, no window has the lanes beyond the row, so that they
      // may have any value.
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

  /// Stores a vector of outputs of row `row`, from column `column` of the strip
  /// on. Also prefetches a few lines.
  void store(int64_t row, int64_t column, Accumulator lanes) {
    for (size_t i = 0; i < numFetched && !linesAhead.empty(); ++i) {
      auto [line, offset] = linesAhead.front();
      prefetchElement(b, flatInput, b.add(line, offset), cache);
      linesAhead.pop_front();
    }
    Value outputRow = b.add(group.first, row * plane.rowStep);
    // A row beyond the plane is stored to the plane's last row. This row itself
    // is stored later, and overwrites that; see the order in emit().
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

  /// Returns the coordinates `outer`, `row` if there are rows, and `column`.
  SmallVector<Value> join(ArrayRef<Value> outer, Value row, Value column) {
    SmallVector<Value> all(outer);
    if (problem.hasRows())
      all.push_back(row);
    all.push_back(column);
    return all;
  }

  /// Where an input row lies.
  struct InputRow {
    /// Indices into the input, without the column.
    SmallVector<Value> indices;
    /// Number of the row's first element in the flattened buffer. Null unless
    /// vectors at the ends are loaded whole (RowEnds::Whole).
    Value first;
    /// True if the row is inside the input. Null if it always is.
    Value isInside;
  };
  /// Returns where input row `row` lies, at tap `outerTap` of the outer
  /// dimensions. Emits the address computation once.
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

  /// Returns what is known about the outputs from `column` on: in which
  /// dimensions their windows have no padding, and whether they have positions.
  ElementFacts getFacts(int64_t column) {
    ElementFacts facts;
    if (group.isInterior) {
      bool isInterior = strip.isInterior;
      // A whole row of known width knows where its windows lie.
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

  /// Converts `argmax` of the outputs from `column` on to positions as the
  /// operation counts them.
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
  /// Cache lines that are still to be prefetched: an element, and the line's
  /// distance from it in elements. Each store prefetches `numFetched` of them,
  /// because a processor keeps track of few at a time.
  std::deque<std::pair<Value, int64_t>> linesAhead;
  size_t numFetched = 0;
  int64_t numRows, numOuterTaps;
  const RowRuns runs;
  const KernelDim &rows;
  // Values that were emitted, by row (or run) and vector, so that each is
  // emitted once.
  std::map<std::pair<int64_t, int64_t>, Column> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::tuple<int64_t, Run, int64_t>, Accumulator> runCache;
  std::map<std::pair<int64_t, int64_t>, Accumulator> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
