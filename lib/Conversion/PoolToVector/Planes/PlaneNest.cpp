// Loops over planes: in each, groups of output rows, and in these the row or
// strips of it. Stores go past the caches, and rows are fetched ahead, where
// the buffers exceed the caches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"

#include "Emit/Memory.h"

using namespace mlir;
using namespace mlir::pool;

namespace mlir::pool {

class PlaneNest::Loops : public PlaneNest {
public:
  Loops(const PlaneNest &nest, bool fetchesAhead)
      : PlaneNest(nest), fetchesAhead(fetchesAhead) {}

  void emit() {
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
      emitByEnds(shape.cut == RowCut::Narrow ? hasWholeVectors() : Value(),
                 [&] { emitGroup(first); });
    });
  }

private:
  RowGroup getGroup(Value firstRow, bool isInterior) {
    return {firstRow, rows.getStart(at, firstRow), isInterior};
  }

  /// Builds `body` for planes whose rows are loaded as whole vectors, and for
  /// the other ones. A null `isWhole` is for no such planes.
  void emitByEnds(Value isWhole, function_ref<void()> body) {
    at.ifElse(isWhole, [&](bool isHere) {
      ends = !isWhole ? RowEnds::Masked
             : isHere ? RowEnds::Whole
                      : RowEnds::Few;
      body();
    });
    ends = RowEnds::Masked;
  }

  void emitGroup(Value firstRow) {
    if (ends == RowEnds::Few)
      return emitColumns(getGroup(firstRow, /*isInterior=*/false));
    // Where padding cannot be replaced, rows are tested, but not in the
    // interior.
    RowGroup group = getGroup(firstRow, !mayClamp);
    Value isInterior;
    auto requireInside = [&](const LoopDim &dim, Value start, int64_t span) {
      if (dim.coversPadding && !mayClamp)
        isInterior = at.both(isInterior, dim.contains(at, start, span));
    };
    if (!shape.carriesRows)
      requireInside(rows, group.start, rows.getSpan(shape.groupRows));
    for (auto [dim, start] : llvm::zip_equal(outer, outerStarts))
      requireInside(dim, start, dim.getExtent());
    at.ifElse(isInterior, [&](bool isHere) {
      group.isInterior = isHere && !mayClamp;
      emitColumns(group);
    });
  }

  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  Strip getStrip(Value firstOutput, bool isInterior) {
    return {firstOutput, columns.getStart(at, firstOutput), isInterior, {}};
  }

  void emitColumns(const RowGroup &group) {
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

  /// Returns the first strip of a known row that loads nothing outside of it,
  /// and the one after the last. The other strips are emitted one by one, so
  /// that their loads of padding are known. `loaded` are the columns that a
  /// strip loads, counted from the first column of its first window. Returns
  /// none if the row is not known or more than kMaxKnownStrips are at the
  /// border.
  std::optional<std::pair<int64_t, int64_t>>
  getInnerStrips(int64_t width, std::pair<int64_t, int64_t> loaded) {
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

  void emitStrips(const RowGroup &group) {
    int64_t width = shape.numColumns;
    std::pair<int64_t, int64_t> loaded =
        shape.getRuns(problem, shape.groupRows).getLoadedColumns();
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
        emitByEnds(isHere ? Value() : isWhole,
                   [&] { emitStrip(strip, group); });
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

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  /// Emits a group of a strip, or the groups of a part.
  void emitStrip(const Strip &strip, const RowGroup &group) {
    if (shape.carriesRows)
      return emitPart(strip, group);
    bool isCut = ends == RowEnds::Few ||
                 (!group.isInterior && shape.cutsBorder(problem));
    if (!isCut) {
      planPrefetch(strip, group, shape.groupRows);
      return emitOutputs(strip, group, shape.groupRows);
    }
    Value end = at.min(at.add(group.first, shape.groupRows), rows.output);
    at.forEach(group.first, end, 1, [&](Value row) {
      emitOutputs(strip, getGroup(row, group.isInterior), /*numRows=*/1);
    });
  }

  /// Emits `numRows` rows of a strip; see RowKernel::emit().
  void emitOutputs(const Strip &strip, const RowGroup &group, int64_t numRows,
                   RowKernel::Elements *carried = nullptr) {
    StripShape stripShape = shape.getStrip(problem, numRows);
    stripShape.lastRowFirst = mayLackRows;
    RowKernel rowKernel(at, reduction, stripShape);
    ArgmaxLayout layout = rowKernel.getArgmaxLayout();
    Value needsRecomputing;
    int64_t numStores = numRows * llvm::divideCeil(shape.numColumns, length);
    size_t numFetched = llvm::divideCeil(linesAhead.size(), numStores);
    rowKernel.emit(
        Loader(*this, strip, group),
        [&](int64_t row, int64_t column, Accumulator lanes) {
          fetchLines(numFetched);
          Value suspect =
              store(strip, group, at.index(row), column,
                    rowKernel.getNumOutputs(column), lanes, &layout);
          needsRecomputing = at.bitOr(needsRecomputing, suspect);
        },
        carried);
    fetchLines(linesAhead.size());
    if (needsRecomputing)
      recompute(strip, group, numRows, needsRecomputing);
  }

  /// Emits the rows of a part, one group after the other, which hands rows on
  /// to the next one. Rows that are `rowStep` apart are a grid, which carries
  /// its own rows.
  void emitPart(const Strip &strip, const RowGroup &part) {
    Value end = at.min(at.add(part.first, shape.partRows), rows.output);
    if (rowStep == 1)
      return emitGrid(strip, part, end);
    at.forEach(part.first, at.min(at.add(part.first, rowStep), end), 1,
               [&](Value first) {
                 emitGrid(strip, getGroup(first, part.isInterior), end);
               });
  }

  void emitGrid(const Strip &strip, const RowGroup &grid, Value end) {
    Value begin = grid.first;
    // Returns the first row of the grid that is no earlier.
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
    RowKernel::Elements carried =
        RowKernel(at, reduction, shape.getStrip(problem, shape.groupRows))
            .loadCarried(Loader(*this, strip, before));
    auto emitRange = [&](Value first, Value last, bool isInterior) {
      emitRows(strip, first, last, isInterior, carried);
    };
    if (mayClamp || !grid.isInterior)
      return emitRange(begin, end, /*isInterior=*/false);
    if (!rows.coversPadding)
      return emitRange(begin, end, /*isInterior=*/true);
    // Windows begin in the padding, are inside, or end in the padding.
    Value first = rows.getFirstInterior(at);
    Value last = rows.getInteriorEnd(at);
    first = getNext(at.max(at.min(first, end), begin));
    last = getNext(at.max(at.min(last, end), first));
    emitRange(begin, first, /*isInterior=*/false);
    emitRange(first, last, /*isInterior=*/true);
    emitRange(last, end, /*isInterior=*/false);
  }

  /// Emits rows [begin, end) of a grid.
  void emitRows(const Strip &strip, Value begin, Value end, bool isInterior,
                RowKernel::Elements &carried) {
    auto emitLoop = [&](Value first, Value last, int64_t numRows) {
      at.forEach(first, last, numRows * rowStep, carried.values,
                 [&](Value row) {
                   RowGroup group = getGroup(row, isInterior);
                   planPrefetch(strip, group, numRows);
                   emitOutputs(strip, group, numRows, &carried);
                 });
    };
    // Rows at the borders are few.
    bool areFew = ends == RowEnds::Few || !(isInterior || mayClamp);
    int64_t numRows = areFew ? 1 : shape.groupRows;
    Value rest = at.rem(at.sub(end, begin), numRows * rowStep);
    Value last = at.sub(end, rest);
    emitLoop(begin, last, numRows);
    if (!isConstantIntValue(rest, 0))
      emitLoop(last, end, 1);
  }

  //===--------------------------------------------------------------------===//
  // Rows that are fetched before they are needed
  //===--------------------------------------------------------------------===//

  /// Sets the lines to be prefetched during a group's rows of a strip.
  void planPrefetch(const Strip &strip, const RowGroup &group,
                    int64_t numRows) {
    if (!fetchesAhead)
      return;
    // Planes follow each other in memory, and so do the rows of a group.
    int64_t elementBytes = getElementBytes(kernel.input);
    int64_t lineLength = problem.getLineLength();
    int64_t numRuns = numRows * rows.stride;
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
    SmallVector<Value> position = coordinates;
    position.push_back(at.mul(group.first, rows.stride));
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
  }

  /// Fetches the next `count` lines, or what is left of them.
  void fetchLines(size_t count) {
    count = std::min(count, linesAhead.size());
    for (auto [line, offset] : ArrayRef(linesAhead).take_front(count))
      prefetchElement(at, flatInput, at.add(line, offset), cache);
    linesAhead.erase(linesAhead.begin(), linesAhead.begin() + count);
  }

  bool fetchesAhead;
  Value flatInput;
  unsigned cache = 0;
  /// Cache lines to be fetched while a group is emitted: an element, and how
  /// many are between it and the line. A few are fetched beside each store,
  /// because many at once are more than a processor keeps track of.
  SmallVector<std::pair<Value, int64_t>> linesAhead;
};

} // namespace mlir::pool

//===----------------------------------------------------------------------===//
// Stores past the caches
//===----------------------------------------------------------------------===//

void PlaneNest::create() {
  // Elementwise consumers may have given buffers another type than the planner
  // knew.
  for (Value buffer : shape.streams ? kernel.buffers : SmallVector<Value>())
    if (std::optional<int64_t> alignment =
            shape.getStoreAlignment(problem, getElementBytes(buffer)))
      alignments.push_back(*alignment);
  // True if buffers do not stay in the caches and are aligned.
  Value canStream;
  auto require = [&](Value fits) { canStream = at.both(canStream, fits); };
  if (alignments.size() < kernel.buffers.size())
    alignments.clear();
  for (auto [buffer, alignment] : llvm::zip(kernel.buffers, alignments)) {
    require(isAlignedTo(at, buffer, alignment));
    if (!columns.knownOutput) {
      Value bytes = at.mul(columns.output, getElementBytes(buffer));
      require(at.isAtLeast(at.index(0), at.rem(bytes, alignment)));
    }
  }
  if (!alignments.empty() && !problem.isLarge) {
    Value total;
    for (Value buffer : append(kernel.input, kernel.buffers)) {
      Value bytes = at.index(getElementBytes(buffer));
      for (OpFoldResult extent : memref::getMixedSizes(at, at.getLoc(), buffer))
        bytes = at.mul(bytes, at.value(extent));
      total = total ? at.add(total, bytes) : bytes;
    }
    require(at.isAtLeast(total, problem.target.streamedBytes));
  }
  at.ifElse(canStream, [&](bool holds) {
    if (!holds)
      alignments.clear();
    // Buffers that are known to be large are prefetched at any alignment. To
    // fetch alone is not worth a test at run time.
    bool isWorthIt = !alignments.empty() || !shape.streams || problem.isLarge;
    Loops(*this, shape.prefetches && isWorthIt).emit();
  });
}
