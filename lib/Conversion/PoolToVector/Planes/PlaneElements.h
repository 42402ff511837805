// Loads and stores the elements of a group of rows of a plane, and fetches
// those of later groups meanwhile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H

#include "Planes/PlaneShape.h"

#include <deque>

namespace mlir::pool {

/// Columns of outputs that straight code is emitted for.
struct Strip {
  /// The first output column, and the input column that its columns count from.
  Value firstOutput, firstInput;
  /// True if every column that is loaded is in the input.
  bool isInterior = false;
  /// Number of columns; null if as many as the strip is wide.
  Value numOutputs;
};

/// Rows of outputs that straight code is emitted for.
struct RowGroup {
  /// The first output row, and the input row that its first window begins at.
  Value first, start;
  /// True if all windows are inside the input, apart from their columns. If
  /// rows are carried, it is about the outer dimensions only.
  bool isInterior = false;
};

/// Vectors that reach over the ends of rows are loaded by masks, as whole
/// vectors, or by masks in the few planes in which those leave the buffer.
enum class RowEnds { Masked, Whole, Few };

/// The plane that is emitted.
struct Plane : GroupEmitter {
  Plane(WindowKernel &kernel, const PlaneShape &shape)
      : GroupEmitter(kernel), shape(shape), outer(kernel.dims),
        rowStep(shape.getRowStep(problem)) {
    columns = outer.pop_back_val();
    rows = problem.hasRows() ? outer.pop_back_val() : LoopDim::getSingle(at);
    // Loops over carried rows end where the plane does.
    if (!shape.carriesRows)
      setGroupRows(rows, shape.groupRows);
  }

  const PlaneShape &shape;
  /// The dimensions before rows and columns; a row of a plane without rows is
  /// the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// True if rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Distance of the rows of a group.
  int64_t rowStep;
  RowEnds ends = RowEnds::Masked;
  /// Position of the plane: all output coordinates before the row, and where
  /// the windows of outer dimensions begin.
  SmallVector<Value> coordinates, outerStarts;
};

/// Loads and stores the elements of a group of rows of a strip, for the
/// straight code of `runs`. Each position is computed once.
class GroupElements : protected GroupEmitter {
public:
  GroupElements(Plane &plane, const Strip &strip, const RowGroup &group,
                int64_t numRows)
      : GroupEmitter(plane.kernel), plane(plane),
        runs(problem, plane.shape, numRows), strip(strip), group(group) {}

  /// Chooses lines of later groups, which store() fetches.
  void planPrefetch() {
    const PlaneShape &shape = plane.shape;
    const LoopDim &columns = plane.columns;
    // Planes follow each other in memory, and so do the rows of a group.
    int64_t elementBytes = getElementBytes(kernel.input);
    int64_t lineLength = problem.getLineLength();
    int64_t numRuns = runs.numRows * plane.rows.stride;
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
    SmallVector<Value> position = plane.coordinates;
    position.push_back(at.mul(group.first, plane.rows.stride));
    position.push_back(at.mul(strip.firstOutput, columns.stride));
    Value rowLength = extents.back();
    Value first = getElementAhead(
        at, extents, position, cost::kPrefetchBytes / elementBytes,
        /*reach=*/at.add(at.mul(rowLength, numRuns - 1), runLength));
    flatInput = collapseFrom(at, kernel.input, 0);
    cache = inOrder ? cost::kFirstCache : cost::kSecondCache;
    int64_t step = inOrder ? lineLength : problem.getFetchLength();
    for (int64_t run = 0; run < numRuns; ++run) {
      Value line = at.add(first, at.mul(rowLength, run));
      for (int64_t i = 0; i < runLength; i += step)
        linesAhead.emplace_back(line, i);
    }
    numFetched = llvm::divideCeil(linesAhead.size(),
                                  runs.numRows * runs.getNumVectors());
  }

  /// Returns prepared lanes of input row `row` of the strip, from `column` on,
  /// fill outside the input. Null if all of it is outside whatever the row.
  Value load(int64_t outerTap, int64_t row, int64_t column) {
    const InputRow &inputRow = getRow(outerTap, row);
    const LoopDim &columns = plane.columns;
    Value first = at.add(strip.firstInput, column);
    LaneRange inside;
    if (!strip.isInterior)
      inside = LaneRange::getInside(at, first, columns.input);
    auto known = inside.getKnown(length);
    if (known && known->first == known->second)
      return {};
    auto create = [&](Value buffer, ValueRange indices,
                      const LaneRange &lanes) {
      return reduction.prepare(at, reduction.load(at, buffer, indices, lanes));
    };
    Value prepared;
    if (!inputRow.first || strip.isInterior) {
      prepared = create(kernel.input, append(inputRow.indices, first), inside);
    } else {
      // Lanes beyond the row are in no window where there is no padding.
      Value mask;
      if (columns.coversPadding)
        mask = createLaneMask(at, length, inside);
      prepared = create(collapseFrom(at, kernel.input, 0),
                        at.add(inputRow.first, first), {});
      prepared = fillUnless(mask, prepared);
    }
    return fillUnless(inputRow.isInside, prepared);
  }

  /// Stores the accumulators of the vector of outputs of a row from `column`
  /// on.
  void store(int64_t row, int64_t column, Accumulator lanes) {
    for (size_t i = 0; i < numFetched && !linesAhead.empty(); ++i) {
      auto [line, offset] = linesAhead.front();
      prefetchElement(at, flatInput, at.add(line, offset), cache);
      linesAhead.pop_front();
    }
    SmallVector<Value> place = getFirstOutput();
    place.back() = at.add(place.back(), column);
    if (problem.hasRows()) {
      Value &outputRow = place.end()[-2];
      outputRow = at.add(outputRow, row * plane.rowStep);
      // Rows of the group beyond the plane are stored to its last row. The last
      // row itself is stored after them, and stays.
      if (plane.mayLackRows)
        outputRow = at.min(outputRow, at.sub(plane.rows.output, 1));
    }
    LaneRange existing = {0, runs.getNumOutputs(column)};
    if (strip.numOutputs)
      existing.end = at.sub(strip.numOutputs, column);
    if (reduction.hasPositions()) {
      noteUnknown(lanes, existing);
      lanes.index = getPositions(column, lanes.index);
    }
    kernel.store(reduction, lanes, place, existing, getFacts(column));
  }

  /// Stores outputs again if a lane that was stored needs that.
  void finish() {
    SmallVector<int64_t> sizes(kernel.getRank(), 1);
    sizes.back() = plane.shape.numColumns;
    if (problem.hasRows())
      sizes.end()[-2] = runs.numRows;
    recompute(getFirstOutput(), sizes);
  }

protected:
  Plane &plane;
  const RowRuns runs;

private:
  /// Returns the coordinates of the first output.
  SmallVector<Value> getFirstOutput() const {
    SmallVector<Value> place = plane.coordinates;
    if (problem.hasRows())
      place.push_back(group.first);
    place.push_back(strip.firstOutput);
    return place;
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
    auto add = [&](const LoopDim &dim, Value start, int64_t offset) {
      LoopDim::Tap tap = dim.getTap(at, at.add(start, offset), group.isInterior,
                                    problem.mayClamp);
      result.indices.push_back(tap.position);
      result.isInside = at.both(result.isInside, tap.isInside);
    };
    SmallVector<int64_t> offsets = runs.getOffsets(outerTap, row);
    for (auto [dim, start, offset] :
         llvm::zip(plane.outer, plane.outerStarts, offsets))
      add(dim, start, offset);
    if (problem.hasRows())
      add(plane.rows, group.start, row);
    if (plane.ends == RowEnds::Whole)
      result.first = getElementNumber(at, kernel.getInputShape(),
                                      append(result.indices, at.index(0)));
    return result;
  }

  /// Returns facts about the vector of outputs from `column` on.
  ElementFacts getFacts(int64_t column) {
    ElementFacts facts;
    if (group.isInterior) {
      const LoopDim &columns = plane.columns;
      bool isInterior = strip.isInterior;
      // In a known row without strips, the positions of outputs are known.
      if (plane.shape.cut == RowCut::Row) {
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
    const LoopDim &columns = plane.columns;
    bool isAfterPadding =
        strip.isInterior || (plane.shape.cut == RowCut::Row &&
                             column * columns.stride >= *columns.knownPad);
    SmallVector<Value> starts = plane.outerStarts;
    if (problem.hasRows())
      starts.push_back(group.start);
    starts.push_back(at.add(strip.firstInput, runs.getLoadedColumns().first));
    return kernel.decodeArgmax(
        argmax, starts, runs.getArgmaxBits(), [&](unsigned d) {
          return d + 1 < starts.size() ? !group.isInterior : !isAfterPadding;
        });
  }

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
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H
