// Loads and stores the elements of a group of rows of a plane, and fetches
// those of later groups meanwhile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H

#include "Emit/Memory.h"
#include "Planes/RowRuns.h"

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

  /// Emits a test that all loaded vectors of the plane's rows are in the
  /// input's buffer. Returns null if vectors are always loaded by masks.
  Value hasWholeVectors() {
    if (!shape.hasWholeVectors(problem) || !collapseFrom(at, kernel.input, 0))
      return {};
    int64_t end =
        RowRuns(problem, shape, shape.groupRows).getLoadedColumns().second;
    SmallVector<Value> extents = kernel.getInputShape();
    Value size = at.index(1);
    for (Value extent : ArrayRef(extents).drop_front(2))
      size = at.mul(size, extent);
    // All planes that the windows of the outer dimensions are in.
    Value number =
        getElementNumber(at, ArrayRef(extents).take_front(2), coordinates);
    Value first = at.mul(number, size);
    Value after =
        at.mul(at.sub(at.sub(at.mul(extents[0], extents[1]), number), 1), size);
    Value pad = columns.padBegin;
    // The last strip is moved to the end of the row.
    Value last = shape.cut == RowCut::Strips
                     ? at.max(at.sub(columns.output, shape.numColumns), 0)
                     : at.index(0);
    Value beyond = at.sub(
        at.add(at.sub(at.mul(last, columns.stride), pad), end), columns.input);
    return at.both(at.isAtLeast(first, pad), at.isAtLeast(after, beyond));
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
                const RowRuns &runs)
      : plane(plane), at(plane.at), reduction(plane.kernel.reduction),
        runs(runs), strip(strip), group(group) {}

  /// Chooses lines of later groups, which store() and finish() fetch.
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
    Value stored = loadStored(inputRow, column);
    if (!stored)
      return {};
    Value prepared = reduction.prepare(at, stored);
    if (!inputRow.isInside)
      return prepared;
    return at.select(inputRow.isInside, prepared, reduction.getFill(at));
  }

  /// Stores the accumulators of the vector of outputs of a row from `column`
  /// on.
  void store(int64_t row, int64_t column, Accumulator lanes) {
    fetchLines(numFetched);
    SmallVector<Value> place(plane.coordinates);
    if (plane.problem.hasRows()) {
      Value distance = at.mul(at.index(row), plane.rowStep);
      place.push_back(at.add(group.first, distance));
      // Rows of the group beyond the plane are stored to its last row. The last
      // row itself is stored after them, and stays.
      if (plane.mayLackRows)
        place.back() = at.min(place.back(), at.sub(plane.rows.output, 1));
    }
    place.push_back(at.add(strip.firstOutput, column));
    int64_t length = reduction.getLength();
    LaneRange existing =
        strip.numOutputs
            ? LaneRange{{}, at.sub(strip.numOutputs, column)}
            : LaneRange::get(at, length, 0, runs.getNumOutputs(column));
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
    fetchLines(linesAhead.size());
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
  const RowRuns &runs;

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
    SmallVector<int64_t> taps(plane.outer.size());
    for (unsigned i = taps.size(); i-- > 0; outerTap /= plane.outer[i].kernel)
      taps[i] = outerTap % plane.outer[i].kernel;
    for (auto [dim, start, tap] :
         llvm::zip_equal(plane.outer, plane.outerStarts, taps))
      add(dim, start, tap * dim.dilation);
    if (plane.problem.hasRows())
      add(plane.rows, group.start, row);
    if (plane.ends != RowEnds::Whole)
      return result;
    result.first = getElementNumber(at, plane.kernel.getInputShape(),
                                    append(result.indices, at.index(0)));
    return result;
  }

  Value loadStored(const InputRow &row, int64_t column) {
    auto create = [&](Value first, const LaneRange &range) {
      return reduction.load(at, plane.kernel.input, append(row.indices, first),
                            range);
    };
    Value first = at.add(strip.firstInput, column);
    if (strip.isInterior)
      return create(first, /*range=*/{});
    // Lanes beyond the row are in no window where there is no padding.
    if (row.first)
      return reduction.loadWhole(
          at, collapseFrom(at, plane.kernel.input, 0), at.add(row.first, first),
          plane.columns.coversPadding
              ? LaneRange::getInside(at, first, plane.columns.input)
              : LaneRange());
    std::optional<int64_t> knownFirst = getConstantIntValue(first);
    if (!knownFirst || !plane.columns.knownInput)
      return create(first,
                    LaneRange::getInside(at, first, plane.columns.input));
    int64_t begin = std::max<int64_t>(-*knownFirst, 0);
    int64_t end = std::min(*plane.columns.knownInput - *knownFirst,
                           reduction.getLength());
    if (begin >= end)
      return {};
    return create(first, LaneRange::get(at, reduction.getLength(), begin, end));
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
    ArgmaxLayout layout = runs.getArgmaxLayout();
    VectorType type = plane.kernel.getPositionType();
    SmallVector<OpFoldResult> weights = plane.kernel.op.getMixedPositions();
    // The part that all lanes share, and the other part.
    Value base = at.value(weights[0]), sum;
    Value rest = at.castIndex(type, argmax);
    // Takes one of `count` coordinates from the argmax.
    auto take = [&](int64_t count) -> Value {
      Value taken = rest, divisor = at.splat(type, count);
      rest = arith::DivUIOp::create(at, taken, divisor);
      return arith::RemUIOp::create(at, taken, divisor);
    };
    // Adds the position `offset` after `first`, in the last dimension that is
    // left.
    auto add = [&](const LoopDim &dim, Value offset, Value first,
                   bool isInside) {
      Value position = offset, weight = at.value(weights.pop_back_val());
      if (!dim.coversPadding || isInside) {
        base = at.add(base, at.mul(first, weight));
      } else {
        // Padding before a dimension stands for the window's first position
        // inside.
        position = at.add(position, at.splat(type, first));
        Value zero = at.splat(type, 0), step = at.splat(type, dim.dilation);
        if (dim.dilation == 1) {
          position = at.max(position, zero);
        } else {
          Value outside = at.max(at.sub(zero, position), zero);
          outside = at.add(outside, at.splat(type, dim.dilation - 1));
          outside = at.mul(at.divUnsigned(outside, step), step);
          position = at.add(position, outside);
        }
      }
      position = at.mul(position, at.splat(type, weight));
      sum = sum ? at.add(sum, position) : position;
    };
    bool isAfterPadding =
        strip.isInterior || (plane.shape.cut == RowCut::Row &&
                             column * columns.stride >= *columns.knownPad);
    add(columns, take(int64_t(1) << layout.columnBits),
        at.add(strip.firstInput, layout.firstColumn), isAfterPadding);
    if (plane.problem.hasRows())
      add(plane.rows, plane.outer.empty() ? rest : take(layout.numInputRows),
          group.start, group.isInterior);
    for (auto [dim, start] :
         llvm::reverse(llvm::zip_equal(plane.outer, plane.outerStarts))) {
      Value tap = take(dim.kernel);
      add(dim, at.mul(tap, at.splat(type, dim.dilation)), start,
          group.isInterior);
    }
    return at.add(sum, at.splat(type, base));
  }

  /// Fetches the next `count` lines, or what is left of them.
  void fetchLines(size_t count) {
    count = std::min(count, linesAhead.size());
    for (auto [line, offset] : ArrayRef(linesAhead).take_front(count))
      prefetchElement(at, flatInput, at.add(line, offset), cache);
    linesAhead.erase(linesAhead.begin(), linesAhead.begin() + count);
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
  SmallVector<std::pair<Value, int64_t>> linesAhead;
  size_t numFetched = 0;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEELEMENTS_H
