// Loops over planes: in each, groups of output rows, and in these the row or
// strips of it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

void PlaneNest::create() {
  setStreaming();
  at.ifElse(canStream(), [&](bool streams) {
    if (!streams) {
      alignments.clear();
      // Buffers that are known to be large are prefetched at any alignment.
      fetchesAhead &= problem.isLarge.has_value();
    }
    emit();
  });
}

void PlaneNest::emit() {
  ends = RowEnds::Masked;
  outerStarts.clear();
  SmallVector<Value> upper = kernel.getOutputShape();
  upper.truncate(rank - 1);
  int64_t partRows = shape.carriesRows ? shape.partRows : shape.groupRows;
  if (hasRows)
    upper.back() = at.ceilDiv(at.max(rows.output, 0), partRows);
  SmallVector<LoopDim> dims(outer);
  dims.append({rows, columns});
  upper.front() = getNumUnlessEmpty(at, dims, upper.front());
  at.forEachParallel(upper, [&](ValueRange outputs) {
    coordinates = llvm::to_vector(outputs);
    Value first = at.index(0);
    if (hasRows)
      first = at.mul(coordinates.pop_back_val(), partRows);
    if (movesLastGroup)
      first = at.min(first, at.sub(rows.output, shape.groupRows));
    if (movesLastGroup && mayLackRows)
      first = at.max(first, 0);
    for (auto [i, dim] : llvm::enumerate(outer))
      outerStarts.push_back(dim.getStart(at, coordinates[2 + i]));
    emitGroup(first);
  });
}

void PlaneNest::emitGroup(Value firstRow) {
  Value isWhole = shape.cut == RowCut::Narrow ? hasWholeVectors() : Value();
  if (!isWhole)
    return emitGroupByEnds(firstRow);
  at.ifElse(isWhole, [&](bool isHere) {
    ends = isHere ? RowEnds::Whole : RowEnds::Few;
    emitGroupByEnds(firstRow);
  });
}

void PlaneNest::emitGroupByEnds(Value firstRow) {
  if (ends == RowEnds::Few)
    return emitRows(getGroup(firstRow, /*isInterior=*/false));
  // Where padding cannot be replaced, rows are tested, but not in the interior.
  RowGroup group = getGroup(firstRow, !mayClamp);
  Value isInterior;
  auto requireInside = [&](const LoopDim &dim, Value start, int64_t span) {
    if (!dim.coversPadding)
      return;
    Value fits = dim.contains(at, start, span);
    isInterior = at.both(isInterior, fits);
  };
  if (!mayClamp) {
    if (!shape.carriesRows)
      requireInside(rows, group.start, rows.getSpan(shape.groupRows));
    for (auto [dim, start] : llvm::zip_equal(outer, outerStarts))
      requireInside(dim, start, dim.getExtent());
  }
  if (!isInterior)
    return emitRows(group);
  at.ifElse(isInterior, [&](bool isHere) {
    group.isInterior = isHere;
    emitRows(group);
  });
}

void PlaneNest::emitRows(const RowGroup &group) {
  switch (shape.cut) {
  case RowCut::Row:
    return emitStrip(
        {at.index(0), at.index(shape.firstColumn), /*isInterior=*/false, {}},
        group);
  case RowCut::Narrow: {
    Strip strip = getStrip(at.index(0), /*isInterior=*/false);
    strip.numOutputs = columns.output;
    return emitStrip(strip, group);
  }
  case RowCut::Strips:
    return emitStrips(group);
  case RowCut::Buffered:
  case RowCut::Blocks:
    return emitThroughBuffer(group);
  }
}

std::optional<std::pair<int64_t, int64_t>>
PlaneNest::getInnerStrips(int64_t width, std::pair<int64_t, int64_t> loaded) {
  if (!columns.knownOutput || !columns.knownPad || !columns.knownInput)
    return std::nullopt;
  auto isInterior = [&](int64_t number) {
    int64_t first = std::min(number * width, *columns.knownOutput - width);
    int64_t start = first * columns.stride - *columns.knownPad;
    return start + loaded.first >= 0 &&
           start + loaded.second <= *columns.knownInput;
  };
  // The search stops as soon as there are too many strips at the border.
  // Otherwise its time would grow with the extents.
  int64_t end = llvm::divideCeil(*columns.knownOutput, width);
  int64_t first = 0, last = end;
  auto areFew = [&] { return first + end - last <= cost::kMaxKnownStrips; };
  while (areFew() && first < end && !isInterior(first))
    ++first;
  while (areFew() && last > first && !isInterior(last - 1))
    --last;
  return areFew() ? std::optional(std::pair(first, last)) : std::nullopt;
}

void PlaneNest::emitStrips(const RowGroup &group) {
  StripShape stripShape = shape.getStrip(problem, shape.groupRows);
  int64_t width = stripShape.numColumns;
  std::pair<int64_t, int64_t> loaded =
      RowRuns(reduction, stripShape).getLoadedColumns();
  // All columns of groups at the border are tested; such groups are few.
  bool areTested = !columns.knownOutput && !mayClamp && !group.isInterior;
  // Without padding all columns that are needed are inside.
  Value isWhole =
      columns.coversPadding && !areTested ? hasWholeVectors() : Value();
  auto emitAt = [&](Value firstOutput, bool isInner) {
    Strip strip = getStrip(firstOutput, isInner);
    if (isInner || areTested)
      return emitStrip(strip, group);
    Value fits = at.both(
        at.isAtLeast(at.add(strip.firstInput, loaded.first), 0),
        at.isAtLeast(at.sub(columns.input, loaded.second), strip.firstInput));
    at.ifElse(fits, [&](bool isHere) {
      strip.isInterior = isHere;
      if (isHere || !isWhole)
        return emitStrip(strip, group);
      at.ifElse(isWhole, [&](bool isWholeHere) {
        ends = isWholeHere ? RowEnds::Whole : RowEnds::Few;
        emitStrip(strip, group);
        ends = RowEnds::Masked;
      });
    });
  };
  // The last strip is moved to the end of the row.
  Value last = at.sub(columns.output, width);
  auto inner = getInnerStrips(width, loaded);
  if (!inner)
    return at.forEach(at.index(0), columns.output, width, [&](Value first) {
      emitAt(at.min(first, last), /*isInner=*/false);
    });
  int64_t end = llvm::divideCeil(*columns.knownOutput, width);
  for (int64_t number = 0, next = 0; number < end; number = next) {
    bool isInner = number == inner->first && number < inner->second;
    next = isInner ? inner->second : number + 1;
    at.forEach(at.index(number * width), at.index(next * width), width,
               [&](Value first) {
                 emitAt(next == end ? at.min(first, last) : first, isInner);
               });
  }
}

void PlaneNest::emitStrip(const Strip &strip, const RowGroup &group) {
  if (shape.carriesRows)
    return emitCarriedStrip(strip, group);
  bool isCut =
      ends == RowEnds::Few || (!group.isInterior && shape.cutsBorder(problem));
  if (!isCut) {
    planPrefetch(strip, group, shape.groupRows);
    return emitRowGroup(strip, group, shape.groupRows, /*carried=*/nullptr);
  }
  Value end = at.min(at.add(group.first, shape.groupRows), rows.output);
  at.forEach(group.first, end, 1, [&](Value row) {
    emitRowGroup(strip, getGroup(row, group.isInterior), /*numRows=*/1,
                 /*carried=*/nullptr);
  });
}

void PlaneNest::emitRowGroup(const Strip &strip, const RowGroup &group,
                             int64_t numRows, RowKernel::Elements *carried) {
  StripShape stripShape = shape.getStrip(problem, numRows);
  stripShape.lastRowFirst = mayLackRows;
  RowKernel rowKernel(at, reduction, stripShape);
  Loader loader(*this, strip, group);
  ArgmaxLayout layout = rowKernel.getArgmaxLayout();
  Value needsRecomputing;
  int64_t numStores = numRows * llvm::divideCeil(shape.numColumns, length);
  size_t numFetched = llvm::divideCeil(ahead.lines.size(), numStores);
  rowKernel.emit(
      loader,
      [&](int64_t row, int64_t column, Accumulator lanes) {
        fetchLines(numFetched);
        Value suspect = store(strip, group, at.index(row), column,
                              rowKernel.getNumOutputs(column), lanes, &layout);
        needsRecomputing = at.bitOr(needsRecomputing, suspect);
      },
      carried);
  fetchLines(ahead.lines.size());
  if (needsRecomputing)
    recompute(strip, group, stripShape, needsRecomputing);
}

//===----------------------------------------------------------------------===//
// Rows that are carried from one group to the next
//===----------------------------------------------------------------------===//

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
      RowKernel(at, reduction, stripShape).loadCarried(loader);
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
