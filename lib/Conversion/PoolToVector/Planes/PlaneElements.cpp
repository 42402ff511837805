// Loads and stores of the loops over planes. Rows in replaced padding move into
// the input; rows in other padding are tested. Columns at the ends of a row are
// masked. Outputs that vectors cannot decide are recomputed one by one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Memory.h"
#include "Planes/PlaneNest.h"

using namespace mlir;
using namespace mlir::pool;

PlaneNest::PlaneNest(WindowKernel &kernel, const PlaneShape &shape)
    : kernel(kernel), problem(kernel.problem), shape(shape), at(kernel.at),
      reduction(kernel.reduction), length(reduction.getLength()),
      rank(kernel.getRank()), hasRows(problem.hasRows()),
      mayClamp(problem.mayClamp), numOuterTaps(problem.getNumOuterTaps()),
      outer(kernel.dims), rowStep(shape.getRowStep(problem)) {
  columns = outer.pop_back_val();
  rows = hasRows ? outer.pop_back_val() : LoopDim::getSingle(at);
  // Loops over rows end where the plane does.
  bool areWhole = !shape.carriesRows && !shape.loopsOverRows &&
                  rows.knownOutput.value_or(1) % shape.groupRows != 0;
  movesLastGroup = areWhole && reduction.isIdempotent();
  mayLackRows = areWhole && (!rows.knownOutput || !movesLastGroup);
  // Windows of rows that are not there are moved into the input like padding.
  rows.coversPadding |= mayLackRows;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

const PlaneNest::Loader::InputRow &PlaneNest::Loader::getRow(int64_t outerTap,
                                                             int64_t row) {
  auto [it, isNew] = rows.try_emplace({outerTap, row});
  InputRow &result = it->second;
  if (!isNew)
    return result;
  result.indices = {nest.coordinates[0], nest.coordinates[1]};
  auto add = [&](const LoopDim &dim, Value start, int64_t offset) {
    Value position = at.add(start, offset);
    if (dim.coversPadding && !group.isInterior) {
      if (!nest.mayClamp) {
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
  SmallVector<int64_t> taps(nest.outer.size());
  for (unsigned i = taps.size(); i-- > 0; outerTap /= nest.outer[i].kernel)
    taps[i] = outerTap % nest.outer[i].kernel;
  for (auto [dim, start, tap] :
       llvm::zip_equal(nest.outer, nest.outerStarts, taps))
    add(dim, start, tap * dim.dilation);
  if (nest.hasRows)
    add(nest.rows, group.start, row);
  if (nest.ends != RowEnds::Whole)
    return result;
  result.first = getElementNumber(at, nest.kernel.getInputShape(),
                                  append(result.indices, at.index(0)));
  return result;
}

Value PlaneNest::hasWholeVectors() {
  if (!shape.hasWholeVectors(problem) || !collapseFrom(at, kernel.input, 0))
    return {};
  StripShape strip = shape.getStrip(problem, shape.groupRows);
  int64_t end = RowRuns(reduction, strip).getLoadedColumns().second;
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

Value PlaneNest::Loader::loadStored(const InputRow &row, int64_t column) {
  auto create = [&](Value first, const LaneRange &range) {
    return nest.reduction.load(at, nest.kernel.input,
                               append(row.indices, first), range);
  };
  Value first = at.add(strip.firstInput, column);
  if (strip.isInterior)
    return create(first, /*range=*/{});
  // Lanes beyond the row are in no window where there is no padding.
  if (row.first)
    return nest.reduction.loadWhole(
        at, collapseFrom(at, nest.kernel.input, 0), at.add(row.first, first),
        nest.columns.coversPadding
            ? LaneRange::getInside(at, first, nest.columns.input)
            : LaneRange());
  std::optional<int64_t> knownFirst = getConstantIntValue(first);
  if (!knownFirst || !nest.columns.knownInput)
    return create(first, LaneRange::getInside(at, first, nest.columns.input));
  int64_t begin = std::max<int64_t>(-*knownFirst, 0);
  int64_t end = std::min(*nest.columns.knownInput - *knownFirst, nest.length);
  if (begin >= end)
    return {};
  return create(first, LaneRange::get(at, nest.length, begin, end));
}

Value PlaneNest::Loader::operator()(int64_t outerTap, int64_t row,
                                    int64_t column) {
  const InputRow &inputRow = getRow(outerTap, row);
  Value stored = loadStored(inputRow, column);
  if (!stored)
    return {};
  Value prepared = nest.reduction.prepare(at, stored);
  if (!inputRow.isInside)
    return prepared;
  return at.select(inputRow.isInside, prepared, nest.reduction.getFill(at));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

Value PlaneNest::getPositions(const Strip &strip, const RowGroup &group,
                              int64_t firstOutput, const ArgmaxLayout &layout,
                              Value argmax) {
  VectorType type = kernel.getPositionType();
  SmallVector<OpFoldResult> weights = kernel.op.getMixedPositions();
  Value sum = at.splat(type, at.value(weights[0]));
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
    Value position = at.add(offset, at.splat(type, first));
    // Padding before a dimension stands for the window's first position inside.
    bool isClamped = dim.coversPadding && !isInside;
    Value zero = at.splat(type, 0), step = at.splat(type, dim.dilation);
    if (isClamped && dim.dilation == 1) {
      position = at.max(position, zero);
    } else if (isClamped) {
      Value before = at.max(at.sub(zero, position), zero);
      before = at.add(before, at.splat(type, dim.dilation - 1));
      position = at.add(position, at.mul(at.divUnsigned(before, step), step));
    }
    OpFoldResult weight = weights.pop_back_val();
    if (getConstantIntValue(weight) != 1)
      position = at.mul(position, at.splat(type, at.value(weight)));
    sum = at.add(position, sum);
  };
  bool isAfterPadding =
      strip.isInterior || (shape.cut == RowCut::Row &&
                           firstOutput * columns.stride >= *columns.knownPad);
  add(columns, take(int64_t(1) << layout.columnBits),
      at.add(strip.firstInput, layout.firstColumn), isAfterPadding);
  if (hasRows)
    add(rows, outer.empty() ? rest : take(layout.numInputRows), group.start,
        group.isInterior);
  for (unsigned i = outer.size(); i-- > 0;) {
    Value tap = take(outer[i].kernel);
    add(outer[i], at.mul(tap, at.splat(type, outer[i].dilation)),
        outerStarts[i], group.isInterior);
  }
  return at.extendToI64(sum);
}

void PlaneNest::recompute(const Strip &strip, const RowGroup &group,
                          int64_t numRows, Value needsRecomputing) {
  SmallVector<WindowKernel::Range> outputs;
  for (Value coordinate : coordinates)
    outputs.push_back({coordinate, {}});
  if (hasRows)
    outputs.push_back(
        {group.first, at.min(at.sub(rows.output, group.first), numRows)});
  outputs.push_back({strip.firstOutput, strip.numOutputs
                                            ? strip.numOutputs
                                            : at.index(shape.numColumns)});
  kernel.recompute(needsRecomputing, outputs);
}

ElementFacts PlaneNest::getFacts(const Strip &strip, const RowGroup &group,
                                 int64_t column, int64_t numOutputs) {
  ElementFacts facts;
  facts.hasPosition = reduction.hasPositions();
  if (!group.isInterior)
    return facts;
  facts.countCoordinates.assign(rank, Value());
  auto setInterior = [&](const LoopDim &dim, unsigned d) {
    facts.countCoordinates[d] = dim.getFirstInterior(at);
  };
  for (auto [i, dim] : llvm::enumerate(outer))
    setInterior(dim, 2 + i);
  if (hasRows)
    setInterior(rows, rank - 2);
  // In a known row without strips, the positions of outputs are known.
  bool isKnownInterior = false;
  if (shape.cut == RowCut::Row) {
    int64_t first = column * columns.stride - *columns.knownPad;
    int64_t end = first + columns.getSpan(numOutputs);
    isKnownInterior = first >= 0 && end <= *columns.knownInput;
  }
  if (strip.isInterior || isKnownInterior)
    setInterior(columns, rank - 1);
  return facts;
}

Value PlaneNest::store(const Strip &strip, const RowGroup &group, Value row,
                       int64_t column, int64_t numOutputs, Accumulator lanes,
                       const ArgmaxLayout *layout) {
  SmallVector<Value> place(coordinates);
  if (hasRows) {
    place.push_back(at.add(group.first, at.mul(row, rowStep)));
    // Rows of the group beyond the plane are stored to its last row. The last
    // row itself is stored after them, and stays.
    if (mayLackRows)
      place.back() = at.min(place.back(), at.sub(rows.output, 1));
  }
  place.push_back(at.add(strip.firstOutput, column));
  LaneRange existing = strip.numOutputs
                           ? LaneRange{{}, at.sub(strip.numOutputs, column)}
                           : LaneRange::get(at, length, 0, numOutputs);
  Value needsRecomputing =
      lanes.index ? reduction.getNeedsRecomputing(at, lanes.value) : Value();
  // Lanes that do not exist may be poison, which a selection leaves out.
  if (needsRecomputing)
    needsRecomputing = selectRange(
        at, existing, needsRecomputing,
        at.constant(cast<VectorType>(needsRecomputing.getType()), false));
  SmallVector<Value> values = {reduction.finish(at, lanes)};
  if (lanes.index)
    values.push_back(getPositions(strip, group, column, *layout, lanes.index));
  kernel.store(values, {place, length, existing},
               getFacts(strip, group, column, numOutputs), alignments);
  return needsRecomputing;
}
