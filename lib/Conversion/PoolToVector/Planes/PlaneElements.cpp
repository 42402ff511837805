// Loads and stores of the loops over planes. Rows in replaced padding move into
// the input; rows in other padding are tested. Columns at the ends of a row are
// masked. Outputs that vectors cannot decide are recomputed one by one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneElements.h"

#include "Emit/Memory.h"

using namespace mlir;
using namespace mlir::pool;

Plane::Plane(WindowKernel &kernel, const PlaneShape &shape)
    : kernel(kernel), problem(kernel.problem), shape(shape), at(kernel.at),
      outer(kernel.dims), rowStep(shape.getRowStep(problem)) {
  columns = outer.pop_back_val();
  rows = problem.hasRows() ? outer.pop_back_val() : LoopDim::getSingle(at);
  // Loops over rows end where the plane does.
  bool areWhole =
      !shape.carriesRows && rows.knownOutput.value_or(1) % shape.groupRows != 0;
  movesLastGroup = areWhole && kernel.reduction.isIdempotent();
  mayLackRows = areWhole && (!rows.knownOutput || !movesLastGroup);
  // Windows of rows that are not there are moved into the input like padding.
  rows.coversPadding |= mayLackRows;
}

Value Plane::hasWholeVectors() {
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
  Value beyond = at.sub(at.add(at.sub(at.mul(last, columns.stride), pad), end),
                        columns.input);
  return at.both(at.isAtLeast(first, pad), at.isAtLeast(after, beyond));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

const GroupElements::InputRow &GroupElements::getRow(int64_t outerTap,
                                                     int64_t row) {
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

Value GroupElements::loadStored(const InputRow &row, int64_t column) {
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
    return create(first, LaneRange::getInside(at, first, plane.columns.input));
  int64_t begin = std::max<int64_t>(-*knownFirst, 0);
  int64_t end =
      std::min(*plane.columns.knownInput - *knownFirst, reduction.getLength());
  if (begin >= end)
    return {};
  return create(first, LaneRange::get(at, reduction.getLength(), begin, end));
}

Value GroupElements::load(int64_t outerTap, int64_t row, int64_t column) {
  const InputRow &inputRow = getRow(outerTap, row);
  Value stored = loadStored(inputRow, column);
  if (!stored)
    return {};
  Value prepared = reduction.prepare(at, stored);
  if (!inputRow.isInside)
    return prepared;
  return at.select(inputRow.isInside, prepared, reduction.getFill(at));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

Value GroupElements::getPositions(int64_t column, Value argmax) {
  const LoopDim &columns = plane.columns;
  ArgmaxLayout layout = runs.getArgmaxLayout();
  VectorType type = plane.kernel.getPositionType();
  SmallVector<OpFoldResult> weights = plane.kernel.op.getMixedPositions();
  // What all lanes have in common, and the rest.
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
  auto add = [&](const LoopDim &dim, Value offset, Value first, bool isInside) {
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
  return at.extendToI64(at.add(sum, at.splat(type, base)));
}

ElementFacts GroupElements::getFacts(int64_t column) {
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

void GroupElements::store(int64_t row, int64_t column, Accumulator lanes) {
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
  SmallVector<Value> values = {reduction.finish(at, lanes)};
  if (lanes.index)
    values.push_back(getPositions(column, lanes.index));
  plane.kernel.store(values, {place, length, existing}, getFacts(column),
                     plane.alignments);
  needsRecomputing = at.bitOr(needsRecomputing, suspect);
}

void GroupElements::finish() {
  fetchLines(linesAhead.size());
  if (!needsRecomputing)
    return;
  SmallVector<WindowKernel::Range> outputs;
  for (Value coordinate : plane.coordinates)
    outputs.push_back({coordinate, {}});
  if (plane.problem.hasRows())
    outputs.push_back(
        {group.first,
         at.min(at.sub(plane.rows.output, group.first), runs.numRows)});
  outputs.push_back(
      {strip.firstOutput,
       strip.numOutputs ? strip.numOutputs : at.index(plane.shape.numColumns)});
  plane.kernel.recompute(needsRecomputing, outputs);
}

//===----------------------------------------------------------------------===//
// Rows that are fetched before they are needed
//===----------------------------------------------------------------------===//

void GroupElements::planPrefetch() {
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
  if (numRuns * llvm::divideCeil(runLength, lineLength) > cost::kMaxPrefetches)
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
  numFetched =
      llvm::divideCeil(linesAhead.size(), runs.numRows * runs.getNumVectors());
}

void GroupElements::fetchLines(size_t count) {
  count = std::min(count, linesAhead.size());
  for (auto [line, offset] : ArrayRef(linesAhead).take_front(count))
    prefetchElement(at, flatInput, at.add(line, offset), cache);
  linesAhead.erase(linesAhead.begin(), linesAhead.begin() + count);
}
