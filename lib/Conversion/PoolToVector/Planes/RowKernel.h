// Emits the outputs of a strip of a few rows as straight vector code. It first
// combines columns of the input rows, once for all output rows that share them.
// Then it reduces the windows along each row by slides between registers. With
// positions the order is reversed, so that the first of equal elements is met
// first. No row goes through memory.
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

  /// Prepared elements of some of a strip's input rows, by row and vector, that
  /// need not be loaded. Without argmax.
  using CarriedRows = std::map<std::pair<int64_t, int64_t>, Value>;

  /// Returns the elements that a strip shares with the one before.
  CarriedRows loadCarried() {
    CarriedRows carried;
    for (int64_t row : runs.getCarriedRows())
      for (int64_t vector : runs.getLoadedVectors())
        if (Value element = getElement(row, vector).value)
          carried[{row, vector}] = element;
    return carried;
  }

  /// `carried` has the elements that the strip shares with the strip before. On
  /// return it has those for the next strip.
  void emit(CarriedRows &carried) {
    // Groups whose rows are emitted one by one are few.
    if (plane.fetchesAhead && (shape.carriesRows || numRows == shape.groupRows))
      planPrefetch();
    for (auto [place, value] : carried)
      elementCache[place] = {value, numOuterTaps > 1};
    // Column by column, so that few vectors are alive at a time.
    for (int64_t vector = 0; vector < runs.getNumVectors(); ++vector)
      for (int64_t i = 0; i < numRows; ++i) {
        // See store().
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

  /// Returns the source of a window along the row: an input row if there are
  /// positions, else an output row with reduced columns.
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

  /// Reduces columns of the vector for all output rows.
  SmallVector<Value> reduceColumns(int64_t vector) {
    // Where a column is outside the input, all of its rows are.
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

  /// Taps of a column that were reduced; null if there are none.
  struct Column {
    Value value;
    /// True for an accumulator, false for an element to be combined with one.
    bool isBegun = false;
  };
  Value begin(const Column &column) {
    return column.value && !column.isBegun ? reduction.begin(b, column.value)
                                           : column.value;
  }

  Column combineColumns(const Column &first, const Column &later) {
    if (!first.value || !later.value)
      return first.value ? first : later;
    // To begin is an operation, which no accumulator needs.
    bool isSwapped = !first.isBegun && later.isBegun;
    const Column &acc = isSwapped ? later : first;
    const Column &other = isSwapped ? first : later;
    return {combine({begin(acc), {}}, {other.value, {}}).value, true};
  }

  /// The input row reduced over the outer taps.
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

  /// Returns vector `vector` of a run of row `row`.
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

  /// Returns the first `numLanes` of `lanes` of row `row`.
  Accumulator getLanes(int64_t row, const Lanes &lanes, int64_t numLanes) {
    int64_t vector = llvm::divideFloorSigned(lanes.first, length);
    if (!runs.areMoved(lanes))
      return getRun(row, lanes.run, vector);
    SmallVector<Accumulator> sources = {getRun(row, lanes.run, vector)};
    // Lanes that are not needed become poison. (LLVM 22's X86 backend takes
    // shuffles that repeat lanes there for splats, also of the lanes needed.)
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

  Accumulator reduceRow(int64_t row, int64_t vector) {
    Accumulator result;
    int64_t first = vector * length;
    for (const Lanes &lanes : runs.windowRuns)
      result = combine(result, getLanes(row, lanes.movedBy(first),
                                        runs.getNumOutputs(first)));
    return result;
  }

  /// An output row from its input rows reduced along the row.
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

  /// Input rows of each outer tap.
  int64_t getSpan() const { return rows.getSpan(numRows); }

  /// Chooses lines of later groups, which store() fetches.
  void planPrefetch() {
    // Planes follow each other in memory, and so do the rows of a group.
    int64_t lineLength = problem.getLineLength();
    int64_t numRuns = numRows * plane.rows.stride;
    int64_t runLength = shape.numColumns * columns.stride;
    // The processor prefetches consecutive rows into its first cache by itself,
    // faster than prefetch instructions do. For several rows, or parts of rows,
    // a prefetch into the first cache competes with the current loads for the
    // same buffers, and gains nothing. A prefetch into the second cache does
    // not compete.
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

  /// Returns prepared lanes of input row `row` of the strip, from `column` on,
  /// fill outside the input. Null if all of it is outside whatever the row.
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
      // Lanes beyond the row are in no window where there is no padding.
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

  /// Stores the accumulators of the vector of outputs of a row from `column`
  /// on.
  void store(int64_t row, int64_t column, Accumulator lanes) {
    for (size_t i = 0; i < numFetched && !linesAhead.empty(); ++i) {
      auto [line, offset] = linesAhead.front();
      prefetchElement(b, flatInput, b.add(line, offset), cache);
      linesAhead.pop_front();
    }
    Value outputRow = b.add(group.first, row * plane.rowStep);
    // Rows of the group beyond the plane are stored to its last row. The last
    // row itself is stored after them, and stays.
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

  /// Returns `outer` and then the rest: `row`, if there are rows, and
  /// `column`.
  SmallVector<Value> join(ArrayRef<Value> outer, Value row, Value column) {
    SmallVector<Value> all(outer);
    if (problem.hasRows())
      all.push_back(row);
    all.push_back(column);
    return all;
  }

  struct InputRow {
    SmallVector<Value> indices;
    /// Index of the first element in the whole buffer. Null unless whole
    /// vectors are loaded.
    Value first;
    /// Null if it is always inside the input.
    Value isInside;
  };
  const InputRow &getRow(int64_t outerTap, int64_t row) {
    auto [it, isNew] = inputRows.try_emplace({outerTap, row});
    InputRow &result = it->second;
    if (!isNew)
      return result;
    result.indices = {plane.coordinates[0], plane.coordinates[1]};
    SmallVector<LoopDim> dims = plane.outer;
    dims.push_back(plane.rows);
    SmallVector<Value> starts = append(plane.outerStarts, group.start);
    // Without rows there is no offset of one.
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

  /// Returns facts about the vector of outputs from `column` on.
  ElementFacts getFacts(int64_t column) {
    ElementFacts facts;
    if (group.isInterior) {
      bool isInterior = strip.isInterior;
      // In a known row without strips, the positions of outputs are known.
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

  /// Returns the positions of an argmax, of outputs from `column` on.
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
  /// Cache lines to be fetched beside the stores: an element, and how many are
  /// between it and the line. Each store fetches `numFetched` of them, because
  /// many at once are more than a processor keeps track of.
  std::deque<std::pair<Value, int64_t>> linesAhead;
  size_t numFetched = 0;
  int64_t numRows, numOuterTaps;
  const RowRuns runs;
  const KernelDim &rows;
  // Values that were emitted.
  std::map<std::pair<int64_t, int64_t>, Column> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::tuple<int64_t, Run, int64_t>, Accumulator> runCache;
  std::map<std::pair<int64_t, int64_t>, Accumulator> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
