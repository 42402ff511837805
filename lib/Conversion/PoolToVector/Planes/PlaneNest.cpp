// Emits the loops around the tiles of PlaneShape.h:
//
//   for each plane, and each group of rows, in parallel
//     if the group is in the interior: a variant without tests, else with tests
//       for each strip
//         straight-line code for the tile (RowKernel.h)
//
// If rows are carried, the parallel loop is over parts of a plane instead of
// groups. Each strip then has a loop over the groups of the part, which passes
// the shared rows in registers from one group to the next. If the buffers
// exceed the caches, rows are prefetched and stores are non-temporal.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/RowKernel.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class PlaneNest : public Plane {
public:
  using Plane::Plane;

  void emit() {
    emitStreaming(shape.streams, shape.getStoreDistance(problem),
                  [&] { emitPlanes(); });
  }

private:
  //===--------------------------------------------------------------------===//
  // Planes
  //===--------------------------------------------------------------------===//

  void emitPlanes() {
    // Only the variant with non-temporal stores tests at run time whether the
    // buffers are large. A test for prefetches only is not worth it. So if the
    // size is unknown, prefetch in that variant only. If the plan has no such
    // stores, or if the size is known, prefetch as the plan says.
    fetchesAhead = shape.prefetches && (!kernel.alignments.empty() ||
                                        !shape.streams || problem.isLarge);
    outerStarts.clear();
    int64_t partRows = shape.carriesRows ? shape.partRows : shape.groupRows;
    forEachGroup(kernel.getRank() - 1, rows, partRows, [&](ValueRange outputs) {
      coordinates = llvm::to_vector(outputs);
      Value first = problem.hasRows() ? coordinates.pop_back_val() : b.index(0);
      for (auto [i, dim] : llvm::enumerate(outer))
        outerStarts.push_back(dim.getStart(b, coordinates[2 + i]));
      emitByEnds(shape.cut == RowCut::Narrow ? hasWholeVectors() : Value(),
                 [&] { emitGroup(first); });
    });
  }

  RowGroup getGroup(Value firstRow, bool isInterior) {
    return {firstRow, rows.getStart(b, firstRow), isInterior};
  }

  /// Calls `body` for each way in which the ends of rows may be loaded, with
  /// `ends` set to that way. If `isWhole` is null, there is one way: by masks.
  /// Otherwise emits a branch. If `isWhole` is true at run time, whole vectors
  /// are loaded. Else the code for the few other planes runs.
  void emitByEnds(Value isWhole, function_ref<void()> body) {
    b.ifElse(isWhole, [&](bool inThen) {
      ends = !isWhole ? RowEnds::Masked
             : inThen ? RowEnds::Whole
                      : RowEnds::Few;
      body();
    });
    ends = RowEnds::Masked;
  }

  /// Emits a test that is true if all vectors that the plane's tiles load lie
  /// in the input's buffer. Returns null if there is no variant with whole
  /// vectors.
  Value hasWholeVectors() {
    if (!shape.hasWholeVectors(problem) || !collapseFrom(b, kernel.input, 0))
      return {};
    int64_t end =
        RowRuns(problem, shape, shape.groupRows).getLoadedColumns().second;
    SmallVector<Value> extents = kernel.getInputShape();
    Value size = b.product(ArrayRef(extents).drop_front(2));
    // `size` is the number of elements of a channel. `first` elements of the
    // buffer are before the plane's channel, `after` elements after it.
    Value number =
        getElementNumber(b, ArrayRef(extents).take_front(2), coordinates);
    Value first = b.mul(number, size);
    Value after =
        b.mul(b.sub(b.sub(b.mul(extents[0], extents[1]), number), 1), size);
    Value pad = columns.padBegin;
    // The last strip is moved back to the end of the row.
    Value last = shape.cut == RowCut::Strips
                     ? b.max(b.sub(columns.output, shape.numColumns), 0)
                     : b.index(0);
    Value beyond = b.sub(b.add(b.sub(b.mul(last, columns.stride), pad), end),
                         columns.input);
    return b.both(b.isAtLeast(first, pad), b.isAtLeast(after, beyond));
  }

  /// Emits a group that begins with output row `firstRow`, or, if rows are
  /// carried, a part.
  void emitGroup(Value firstRow) {
    RowGroup group = getGroup(firstRow, /*isInterior=*/false);
    if (ends == RowEnds::Few || problem.mayClamp)
      return emitColumns(group);
    // Here, padding cannot be replaced by elements inside the input, so each
    // row must be tested for being inside. Emit a branch that has a variant
    // without tests, for groups in the interior.
    Value isInterior;
    if (!shape.carriesRows)
      isInterior =
          rows.isInterior(b, group.start, rows.getSpan(shape.groupRows));
    for (auto [dim, start] : llvm::zip_equal(outer, outerStarts))
      isInterior =
          b.both(isInterior, dim.isInterior(b, start, dim.getExtent()));
    b.ifElse(isInterior, [&](bool inThen) {
      group.isInterior = inThen;
      emitColumns(group);
    });
  }

  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  /// Emits all columns of the group.
  void emitColumns(const RowGroup &group) {
    if (shape.cut == RowCut::Strips)
      return emitStrips(group);
    bool isKnown = shape.cut == RowCut::Row;
    Value first = b.index(0);
    emitStrip(
        {first,
         isKnown ? b.index(shape.firstColumn) : columns.getStart(b, first),
         /*isInterior=*/false, isKnown ? Value() : columns.output},
        group);
  }

  void emitStrips(const RowGroup &group) {
    int64_t width = shape.numColumns;
    std::pair<int64_t, int64_t> loaded =
        RowRuns(problem, shape, shape.groupRows).getLoadedColumns();
    // Test the columns of all strips in groups at the border. Such groups are
    // few, and a variant without tests would make the code longer.
    bool areTested =
        !columns.knownOutput && !problem.mayClamp && !group.isInterior;
    // Without padding, no window has columns outside the row. So no variant
    // with whole vectors is needed.
    Value isWhole =
        columns.coversPadding && !areTested ? hasWholeVectors() : Value();
    auto emitAt = [&](Value firstOutput, bool isInner) {
      Strip strip{firstOutput, columns.getStart(b, firstOutput), isInner, {}};
      if (isInner || areTested)
        return emitStrip(strip, group);
      Value fits = b.both(
          b.isAtLeast(b.add(strip.firstInput, loaded.first), 0),
          b.isAtLeast(b.sub(columns.input, loaded.second), strip.firstInput));
      b.ifElse(fits, [&](bool inThen) {
        strip.isInterior = inThen;
        emitByEnds(inThen ? Value() : isWhole,
                   [&] { emitStrip(strip, group); });
      });
    };
    // The last strip is moved back to the end of the row.
    Value last = b.sub(columns.output, width);
    auto emitAll = [&] {
      b.forEach(0, columns.output, width, [&](Value first) {
        emitAt(b.min(first, last), /*isInner=*/false);
      });
    };
    std::optional<int64_t> output = columns.knownOutput;
    if (!output || !columns.knownPad || !columns.knownInput)
      return emitAll();
    // In a row of known width, emit one loop for the strips that load nothing
    // outside the input. Emit the other strips one by one, so that their lanes
    // of padding are known. If there are too many of them, emit one loop for
    // all strips, with tests.
    auto strips = llvm::seq<int64_t>(llvm::divideCeil(*output, width));
    auto findFirst = [&](int64_t least) {
      return *llvm::partition_point(strips, [&](int64_t number) {
        int64_t first = std::min(number * width, *output - width);
        return first * columns.stride - *columns.knownPad < least;
      });
    };
    int64_t begin = findFirst(-loaded.first);
    int64_t end = findFirst(*columns.knownInput - loaded.second + 1);
    end = std::max(begin, end);
    int64_t numStrips = strips.size();
    if (begin + numStrips - end > cost::kMaxKnownStrips)
      return emitAll();
    for (int64_t number = 0, next = 0; number < numStrips; number = next) {
      bool isInner = number == begin && number < end;
      next = isInner ? end : number + 1;
      b.forEach(number * width, next * width, width, [&](Value first) {
        emitAt(next == numStrips ? b.min(first, last) : first, isInner);
      });
    }
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  /// Emits the columns of `strip` for a group, or, if rows are carried, for all
  /// groups of a part.
  void emitStrip(const Strip &strip, const RowGroup &group) {
    if (shape.carriesRows)
      return emitPart(strip, group);
    bool isCut = ends == RowEnds::Few ||
                 (!group.isInterior && shape.cutsBorder(problem));
    RowKernel::CarriedRows none;
    if (!isCut)
      return RowKernel(*this, strip, group, shape.groupRows).emit(none);
    Value end = b.min(b.add(group.first, shape.groupRows), rows.output);
    emitRows(strip, group.first, end, group.isInterior, none);
  }

  /// Emits the groups of a part, in a loop that carries rows from one group to
  /// the next. If rows interleave, rows at a distance of `rowStep` form a grid.
  /// The grids are computed one after the other, and each carries its own rows.
  void emitPart(const Strip &strip, const RowGroup &part) {
    Value end = b.min(b.add(part.first, shape.partRows), rows.output);
    if (rowStep == 1)
      return emitGrid(strip, part, end);
    b.forEach(part.first, b.min(b.add(part.first, rowStep), end), 1,
              [&](Value first) {
                emitGrid(strip, getGroup(first, part.isInterior), end);
              });
  }

  /// Emits the rows grid.first, grid.first + rowStep, ... below `end`.
  void emitGrid(const Strip &strip, const RowGroup &grid, Value end) {
    Value begin = grid.first;
    // Returns the first row of the grid that is not before `row`.
    auto getNext = [&](Value row) {
      Value distance = b.ceilDiv(b.sub(row, begin), rowStep);
      return b.add(begin, b.mul(distance, rowStep));
    };
    end = getNext(end);
    // Load with tests, because the rows that the first group shares with the
    // group before may be padding.
    RowGroup before = grid;
    before.isInterior = false;
    RowKernel::CarriedRows carried =
        RowKernel(*this, strip, before, shape.groupRows).loadCarried();
    if (problem.mayClamp || !grid.isInterior || !rows.coversPadding)
      return emitRows(strip, begin, end, grid.isInterior, carried);
    // Three loops: for windows that begin in the padding, that are inside the
    // input, and that end in the padding.
    Value first = rows.getFirstInterior(b);
    Value last = rows.getInteriorEnd(b);
    first = getNext(b.max(b.min(first, end), begin));
    last = getNext(b.max(b.min(last, end), first));
    emitRows(strip, begin, first, /*isInterior=*/false, carried);
    emitRows(strip, first, last, /*isInterior=*/true, carried);
    emitRows(strip, last, end, /*isInterior=*/false, carried);
  }

  /// Emits rows [begin, end) of a group or a grid. Emits groups of `groupRows`
  /// rows, and then the remaining rows one by one. Emits all rows one by one if
  /// they are at the border. Updates `carried`.
  void emitRows(const Strip &strip, Value begin, Value end, bool isInterior,
                RowKernel::CarriedRows &carried) {
    auto values = llvm::make_second_range(carried);
    auto emitLoop = [&](Value first, Value last, int64_t numRows) {
      b.forEach(first, last, numRows * rowStep, values, [&](Value row) {
        RowKernel(*this, strip, getGroup(row, isInterior), numRows)
            .emit(carried);
      });
    };
    // Border rows are few, so short code is better than fast code.
    bool areFew = ends == RowEnds::Few || !(isInterior || problem.mayClamp);
    int64_t numRows = areFew ? 1 : shape.groupRows;
    Value rest = b.rem(b.sub(end, begin), numRows * rowStep);
    Value last = b.sub(end, rest);
    emitLoop(begin, last, numRows);
    if (!isConstantIntValue(rest, 0))
      emitLoop(last, end, 1);
  }
};
} // namespace

void pool::emitPlanes(WindowKernel &kernel, const PlaneShape &shape) {
  PlaneNest(kernel, shape).emit();
}
