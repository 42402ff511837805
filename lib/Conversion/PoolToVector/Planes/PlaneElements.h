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
struct Plane {
  Plane(WindowKernel &kernel, const PlaneShape &shape)
      : kernel(kernel), problem(kernel.problem), shape(shape), at(kernel.at),
        outer(kernel.dims), rowStep(shape.getRowStep(problem)) {
    columns = outer.pop_back_val();
    rows = problem.hasRows() ? outer.pop_back_val() : LoopDim::getSingle(at);
    // Loops over rows end where the plane does.
    bool areWhole = !shape.carriesRows &&
                    rows.knownOutput.value_or(1) % shape.groupRows != 0;
    movesLastGroup = areWhole && kernel.reduction.isIdempotent();
    mayLackRows = areWhole && (!rows.knownOutput || !movesLastGroup);
    // Windows of rows that are not there are moved into the input like padding.
    rows.coversPadding |= mayLackRows;
  }

  WindowKernel &kernel;
  const Problem &problem;
  const PlaneShape &shape;
  KernelBuilder &at;
  /// The dimensions before rows and columns; a row of a plane without rows is
  /// the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  /// True if rows are fetched before they are needed.
  bool fetchesAhead = false;
  /// Distance of the rows of a group.
  int64_t rowStep;
  /// True if the last group is moved to the last rows. Sums of rows depend, in
  /// their last bits, on the place in the group: two groups, which may be on
  /// two threads, must not both store a row.
  bool movesLastGroup;
  /// True if a group may have rows that the plane has not.
  bool mayLackRows;
  RowEnds ends = RowEnds::Masked;
  /// Position of the plane: all output coordinates before the row, and where
  /// the windows of outer dimensions begin.
  SmallVector<Value> coordinates, outerStarts;
};

/// Loads and stores the elements of a group of rows of a strip, for the
/// straight code of `runs`. Each position is computed once.
class GroupElements {
public:
  GroupElements(Plane &plane, const Strip &strip, const RowGroup &group,
                int64_t numRows)
      : plane(plane), at(plane.at), reduction(plane.kernel.reduction),
        runs(plane.problem, plane.shape, numRows), strip(strip), group(group) {}

  /// Chooses lines of later groups, which store() fetches.
  void planPrefetch() {
    WindowKernel &kernel = plane.kernel;
    const PlaneShape &shape = plane.shape;
    const LoopDim &columns = plane.columns;
    // Planes follow each other in memory, and so do the rows of a group.
    int64_t elementBytes = getElementBytes(kernel.input);
    int64_t lineLength = plane.problem.getLineLength();
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
    int64_t step = inOrder ? lineLength : plane.problem.getFetchLength();
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
    std::optional<int64_t> knownFirst = getConstantIntValue(first);
    LaneRange inside;
    if (!strip.isInterior && knownFirst && columns.knownInput) {
      int64_t begin = -*knownFirst, end = begin + *columns.knownInput;
      if (end <= 0 || begin >= reduction.getLength())
        return {};
      inside = {begin, end};
    } else if (!strip.isInterior) {
      inside = LaneRange::getInside(at, first, columns.input);
    }
    auto create = [&](Value buffer, ValueRange indices,
                      const LaneRange &lanes) {
      return reduction.prepare(at, reduction.load(at, buffer, indices, lanes));
    };
    Value prepared;
    if (!inputRow.first || strip.isInterior) {
      prepared =
          create(plane.kernel.input, append(inputRow.indices, first), inside);
    } else {
      // Lanes beyond the row are in no window where there is no padding.
      Value mask;
      if (columns.coversPadding)
        mask = createLaneMask(at, reduction.getLength(), inside);
      prepared = create(collapseFrom(at, plane.kernel.input, 0),
                        at.add(inputRow.first, first), {});
      if (mask)
        prepared = at.select(mask, prepared, reduction.getFill(at));
    }
    if (!inputRow.isInside)
      return prepared;
    return at.select(inputRow.isInside, prepared, reduction.getFill(at));
  }

  /// Stores the accumulators of the vector of outputs of a row from `column`
  /// on.
  void store(int64_t row, int64_t column, Accumulator lanes) {
    for (size_t i = 0; i < numFetched && !linesAhead.empty(); ++i) {
      auto [line, offset] = linesAhead.front();
      prefetchElement(at, flatInput, at.add(line, offset), cache);
      linesAhead.pop_front();
    }
    SmallVector<Value> place(plane.coordinates);
    if (plane.problem.hasRows()) {
      place.push_back(at.add(group.first, row * plane.rowStep));
      // Rows of the group beyond the plane are stored to its last row. The last
      // row itself is stored after them, and stays.
      if (plane.mayLackRows)
        place.back() = at.min(place.back(), at.sub(plane.rows.output, 1));
    }
    place.push_back(at.add(strip.firstOutput, column));
    LaneRange existing = {0, runs.getNumOutputs(column)};
    if (strip.numOutputs)
      existing.end = at.sub(strip.numOutputs, column);
    Value suspect =
        lanes.index ? reduction.getNeedsRecomputing(at, lanes.value) : Value();
    // Lanes that do not exist may be poison, which a selection leaves out.
    if (suspect)
      suspect =
          selectRange(at, existing, suspect,
                      at.constant(cast<VectorType>(suspect.getType()), false));
    if (lanes.index)
      lanes.index = getPositions(column, lanes.index);
    plane.kernel.store(reduction, lanes, place, existing, getFacts(column));
    needsRecomputing = at.bitOr(needsRecomputing, suspect);
  }

  /// Stores all outputs again one by one, as the loops of elements do, if any
  /// lane that was stored needs that.
  void finish() {
    if (!needsRecomputing)
      return;
    SmallVector<PositionRange> outputs;
    for (Value coordinate : plane.coordinates)
      outputs.push_back({coordinate, at.add(coordinate, 1)});
    if (plane.problem.hasRows())
      outputs.push_back({group.first, at.min(at.add(group.first, runs.numRows),
                                             plane.rows.output)});
    Value numColumns =
        strip.numOutputs ? strip.numOutputs : at.index(plane.shape.numColumns);
    outputs.push_back(
        {strip.firstOutput, at.add(strip.firstOutput, numColumns)});
    plane.kernel.recompute(needsRecomputing, outputs);
  }

protected:
  Plane &plane;
  KernelBuilder &at;
  const LaneReduction &reduction;
  const RowRuns runs;

private:
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
      Value position = at.add(start, offset);
      if (dim.coversPadding && !group.isInterior) {
        if (!plane.problem.mayClamp) {
          Value inside = dim.contains(at, position, 1);
          result.isInside = at.both(result.isInside, inside);
          // The value outside does not matter, but it must be readable.
          position = dim.clampToInput(at, position);
        } else {
          position = dim.clampToWindow(at, position);
        }
      }
      result.indices.push_back(position);
    };
    SmallVector<int64_t> offsets = runs.getOffsets(outerTap, row);
    for (auto [dim, start, offset] :
         llvm::zip(plane.outer, plane.outerStarts, offsets))
      add(dim, start, offset);
    if (plane.problem.hasRows())
      add(plane.rows, group.start, row);
    if (plane.ends != RowEnds::Whole)
      return result;
    result.first = getElementNumber(at, plane.kernel.getInputShape(),
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
      unsigned last = plane.kernel.dims.size() - 1;
      facts = plane.kernel.getFacts(
          [&](unsigned d) { return isInterior || d != last; });
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
    if (plane.problem.hasRows())
      starts.push_back(group.start);
    starts.push_back(at.add(strip.firstInput, runs.getLoadedColumns().first));
    return plane.kernel.decodeArgmax(
        argmax, starts, runs.getArgmaxBits(), [&](unsigned d) {
          return d + 1 < starts.size() ? !group.isInterior : !isAfterPadding;
        });
  }

  const Strip &strip;
  const RowGroup &group;
  std::map<std::pair<int64_t, int64_t>, InputRow> inputRows;
  /// Lanes that need recomputing; null if none do.
  Value needsRecomputing;
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
