// Emits the outputs of a strip of a few rows as straight vector code. It first
// combines columns of the input rows, once for all output rows that share them.
// Then it reduces the windows along each row by slides between registers. With
// positions the order is reversed, so that the first of equal elements is met
// first. No row goes through memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H

#include "Planes/PlaneElements.h"

namespace mlir::pool {

class RowKernel : GroupElements {
public:
  RowKernel(Plane &plane, const Strip &strip, const RowGroup &group,
            int64_t numRows)
      : GroupElements(plane, strip, group, numRows), numRows(numRows),
        numOuterTaps(problem.getNumOuterTaps()), rows(runs.rows) {}

  /// Prepared elements of some of a strip's input rows, by row and vector, that
  /// need not be loaded. Without argmax.
  using Carried = std::map<std::pair<int64_t, int64_t>, Value>;

  /// Returns the elements that a strip shares with the one before.
  Carried loadCarried() {
    Carried carried;
    for (int64_t row : runs.getCarriedRows())
      for (int64_t vector : runs.getLoadedVectors())
        if (Value element = getElement(row, vector).value)
          carried[{row, vector}] = element;
    return carried;
  }

  /// `carried` has the elements that the strip shares with the strip before. On
  /// return it has those for the next strip.
  void emit(Carried &carried) {
    // Groups whose rows are emitted one by one are few.
    const PlaneShape &shape = plane.shape;
    if (plane.fetchesAhead && (shape.carriesRows || numRows == shape.groupRows))
      planPrefetch();
    for (auto [place, value] : carried)
      elementCache[place] = {value, numOuterTaps > 1};
    // Column by column, so that few vectors are alive at a time.
    for (int64_t vector = 0; vector < runs.getNumVectors(); ++vector)
      for (int64_t i = 0; i < numRows; ++i) {
        // See store().
        int64_t row = plane.mayLackRows ? numRows - 1 - i : i;
        store(row, vector * length,
              reduction.hasPositions() ? reduceRows(row, vector)
                                       : reduceRow(row, vector));
      }
    for (auto &[place, value] : carried)
      value =
          getElement(place.first + numRows * rows.stride, place.second).value;
    finish();
  }

private:
  using Run = RowRuns::Run;
  using Lanes = RowRuns::Lanes;

  Accumulator combine(Accumulator acc, Accumulator later) {
    return reduction.combine(at, acc, later);
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
    Value columns = at.lanes(reduction.getIndexType(), [&](int64_t lane) {
      return vector * length + lane - runs.getLoadedColumns().first;
    });
    return {element ? reduction.begin(at, element) : reduction.getFill(at),
            columns};
  }

  /// Reduces columns of the vector for all output rows.
  SmallVector<Value> reduceColumns(int64_t vector) {
    // Where a column is outside the input, all of its rows are.
    if (!getElement(0, vector).value)
      return SmallVector<Value>(numRows, reduction.getFill(at));
    SmallVector<Value> results(numRows);
    SharedTaps{rows, numRows, runs.problem.isUniform}.reduce<Column>(
        [&](int64_t row, bool) { return getElement(row, vector); },
        [&](auto &first, auto &later) { return join(first, later); },
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
    return column.value && !column.isBegun ? reduction.begin(at, column.value)
                                           : column.value;
  }

  Column join(const Column &first, const Column &later) {
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
        it->second = join(it->second, {element});
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
    return gatherLanes(at, sources, positions);
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
          Value code = at.splat(reduction.getIndexType(),
                                runs.getRowCode(tap, inputRow));
          it->second.index = at.add(it->second.index, code);
        }
        result = combine(result, it->second);
      }
    return result;
  }

  /// Input rows of each outer tap.
  int64_t getSpan() const { return rows.getSpan(numRows); }

  int64_t numRows, numOuterTaps;
  const KernelDim &rows;
  // Values that were emitted.
  std::map<std::pair<int64_t, int64_t>, Column> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::tuple<int64_t, Run, int64_t>, Accumulator> runCache;
  std::map<std::pair<int64_t, int64_t>, Accumulator> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
