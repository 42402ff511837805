// Loads of the loops over planes. Rows in replaced padding move into the input;
// rows in other padding are tested. Columns at the ends of a row are masked.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"
#include "Planes/PlaneNest.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

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
  SmallVector<Value> position(result.indices);
  position.push_back(at.index(0));
  result.first = getElementNumber(at, nest.kernel.getInputShape(), position);
  return result;
}

Value PlaneNest::hasWholeVectors() {
  if (!shape.hasWholeVectors(problem) || !collapseFrom(b, loc, kernel.input, 0))
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
  OpBuilder &b = nest.b;
  Location loc = nest.loc;
  auto getMask = [&](Value first) {
    return createLaneMask(b, loc, nest.length, at.sub(at.index(0), first),
                          at.sub(nest.columns.input, first));
  };
  auto create = [&](Value first, Value mask) {
    SmallVector<Value> all(row.indices);
    all.push_back(first);
    return nest.kernel.load(nest.kernel.input, all, mask);
  };
  if (strip.firstInput) {
    Value first = at.add(strip.firstInput, column);
    if (strip.isInterior)
      return create(first, /*mask=*/{});
    // Lanes beyond the row are in no window where there is no padding.
    if (row.first)
      return nest.reduction.loadWhole(
          b, loc, collapseFrom(b, loc, nest.kernel.input, 0),
          at.add(row.first, first),
          nest.columns.coversPadding ? getMask(first) : Value());
    std::optional<int64_t> knownFirst = getConstantIntValue(first);
    if (!knownFirst || !nest.columns.knownInput)
      return create(first, getMask(first));
    column = *knownFirst;
  } else {
    column += nest.shape.firstColumn;
  }
  int64_t begin = std::max<int64_t>(-column, 0);
  int64_t end = std::min(*nest.columns.knownInput - column, nest.length);
  if (begin >= end)
    return {};
  bool isFull = begin == 0 && end == nest.length;
  return create(at.index(column),
                isFull ? Value()
                       : createLaneMask(b, loc, nest.length, begin, end));
}

Value PlaneNest::Loader::load(int64_t outerTap, int64_t row, int64_t column) {
  const InputRow &inputRow = getRow(outerTap, row);
  Value stored = loadStored(inputRow, column);
  if (!stored)
    return {};
  OpBuilder &b = nest.b;
  Value prepared = nest.reduction.prepare(b, nest.loc, stored);
  if (!inputRow.isInside)
    return prepared;
  return arith::SelectOp::create(b, nest.loc, inputRow.isInside, prepared,
                                 nest.reduction.getFill(b, nest.loc));
}
