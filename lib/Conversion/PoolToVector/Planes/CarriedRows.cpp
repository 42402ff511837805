// Loops over the rows of a plane in which each group of output rows keeps, in
// registers, the input rows that its windows share with the next group's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

void PlaneNest::emitCarriedStrip(const Strip &strip, const RowGroup &part) {
  Value end = at.min(at.add(part.first, shape.partRows), rows.output);
  if (rowStep == 1)
    return emitCarriedGrid(strip, part, end);
  // One grid of rows for each offset below `rowStep`; each grid carries its own
  // rows.
  at.forEach(part.first, at.min(at.add(part.first, rowStep), end), 1,
             [&](Value first) {
               emitCarriedGrid(strip, getGroup(first, part.isInterior), end);
             });
}

void PlaneNest::emitCarriedGrid(const Strip &strip, const RowGroup &grid,
                                Value end) {
  Value begin = grid.first;
  // The first row of the grid that is no earlier.
  auto getNext = [&](Value row) {
    if (rowStep == 1)
      return row;
    Value distance = at.ceilDiv(at.sub(row, begin), rowStep);
    return at.add(begin, at.mul(distance, rowStep));
  };
  end = getNext(end);
  // The rows before the first may be padding.
  RowGroup before = grid;
  before.isInterior = false;
  Loader loader(*this, strip, before);
  StripShape stripShape = shape.getStrip(problem, shape.groupRows);
  RowKernel::Elements carried =
      RowKernel(b, loc, reduction, stripShape)
          .loadCarried([&](int64_t outerTap, int64_t row, int64_t column) {
            return loader.load(outerTap, row, column);
          });
  if (mayClamp || !grid.isInterior)
    return emitCarriedRows(strip, begin, end, /*isInterior=*/false, carried);
  if (!rows.coversPadding)
    return emitCarriedRows(strip, begin, end, /*isInterior=*/true, carried);
  // Windows begin in the padding, are inside, or end in the padding.
  Value first = rows.getFirstInterior(at);
  Value last = rows.getInteriorEnd(at);
  first = getNext(at.max(at.min(first, end), begin));
  last = getNext(at.max(at.min(last, end), first));
  emitCarriedRows(strip, begin, first, /*isInterior=*/false, carried);
  emitCarriedRows(strip, first, last, /*isInterior=*/true, carried);
  emitCarriedRows(strip, last, end, /*isInterior=*/false, carried);
}

void PlaneNest::emitCarriedRows(const Strip &strip, Value begin, Value end,
                                bool isInterior, RowKernel::Elements &carried) {
  auto emitLoop = [&](Value end, int64_t numRows) {
    at.forEach(begin, end, numRows * rowStep, carried.values, [&](Value first) {
      RowGroup group = getGroup(first, isInterior);
      planPrefetch(strip, group, numRows);
      emitRowGroup(strip, group, numRows, &carried);
    });
    begin = end;
  };
  // Rows at the borders are few.
  bool areFew = ends == RowEnds::Few || !(isInterior || mayClamp);
  int64_t numRows = areFew ? 1 : shape.groupRows;
  Value rest = at.rem(at.sub(end, begin), numRows * rowStep);
  emitLoop(at.sub(end, rest), numRows);
  if (!isConstantIntValue(rest, 0))
    emitLoop(end, 1);
}
