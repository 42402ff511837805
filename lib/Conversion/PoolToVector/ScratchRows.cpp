// Large windows: the columns of a group of rows are reduced into a buffer of a
// few rows, with margins of padding, and these along the row. Rows, and columns
// of windows of fewer rows, are the straight code of RowKernel with loops
// around it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneNest.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

Value PlaneNest::getScratchWidth(Value offset, const StripShape &strip) {
  // The columns themselves, whole vectors of them, and what the last strip
  // loads.
  int64_t end = RowKernel(b, loc, reduction, strip).getLoadedColumns().second;
  Value lastStrip = at.max(at.sub(columns.output, 1), 0);
  Value width = at.add(getScratchColumn(offset, lastStrip), end);
  width = at.max(width, at.add(at.add(offset, columns.input), length));
  return at.mul(at.ceilDiv(at.add(width, length), length), length);
}

Value PlaneNest::getScratchColumn(Value offset, Value outputColumn) {
  return at.add(at.mul(outputColumn, columns.stride),
                at.sub(offset, columns.padBegin));
}

void PlaneNest::emitThroughScratch(const RowGroup &group) {
  // A row is cut into strips, of one vector if it is shorter than several.
  StripShape strip{1, length, 1, {}, columns};
  StripShape narrow = strip;
  int64_t numFull = columns.knownOutput.value_or(1 << 16) / length;
  strip.numColumns =
      std::clamp(numFull * length, strip.numColumns, shape.numColumns);

  // The padding, rounded up: columns are stored and loaded most often, and
  // aligned.
  Value offset = at.mul(at.ceilDiv(columns.padBegin, length), length);
  Value width = getScratchWidth(offset, strip);
  Type elementType = reduction.getType().getElementType();
  Value scratch = memref::AllocOp::create(
      b, loc,
      MemRefType::get({shape.groupRows, ShapedType::kDynamic}, elementType),
      ValueRange{width}, b.getI64IntegerAttr(64));
  Value numRows = index(shape.groupRows);
  if (mayLackRows || shape.usesBlocks)
    numRows = at.min(at.sub(rows.output, group.first), numRows);
  reduceIntoScratch(group, numRows, scratch, offset);

  auto loop = scf::ForOp::create(b, loc, index(0), numRows, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = loop.getInductionVar();
  if (columns.knownOutput)
    return reduceFromScratch(group, scratch, offset, row, strip,
                             /*isPartial=*/numFull == 0);
  auto branch = scf::IfOp::create(
      b, loc, at.isAtLeast(columns.output, index(strip.numColumns)),
      /*withElse=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  reduceFromScratch(group, scratch, offset, row, strip, /*isPartial=*/false);
  b.setInsertionPointToStart(branch.elseBlock());
  reduceFromScratch(group, scratch, offset, row, narrow, /*isPartial=*/true);
}

/// Vectors of a row that blocks reduce at once, so that it is read in long
/// runs.
static constexpr int64_t kBlockVectors = 8;

void PlaneNest::reduceIntoScratch(const RowGroup &group, Value numRows,
                                  Value scratch, Value offset) {
  Value zero = index(0);
  Value fill = reduction.getFill(b, loc);
  auto fillColumns = [&](Value begin, Value end) {
    auto loop = scf::ForOp::create(b, loc, begin, end, index(length));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    auto ofRow = scf::ForOp::create(b, loc, zero, numRows, index(1));
    b.setInsertionPointToStart(ofRow.getBody());
    vector::StoreOp::create(
        b, loc, fill, scratch,
        ValueRange{ofRow.getInductionVar(), loop.getInductionVar()});
  };
  Value width = memref::DimOp::create(b, loc, scratch, 1);
  fillColumns(zero, offset);
  fillColumns(at.add(offset, columns.input), at.sub(width, length - 1));

  // Of a strip alone, so that it stays in the first-level cache.
  Value ends;
  if (shape.usesBlocks)
    ends = memref::AllocOp::create(
        b, loc,
        MemRefType::get({shape.groupRows, kBlockVectors * length},
                        reduction.getType().getElementType()),
        ValueRange{}, b.getI64IntegerAttr(64));
  auto emit = [&](const Strip &strip, int64_t width) {
    if (shape.usesBlocks)
      return reduceBlocks(group, strip, width, numRows, ends, scratch, offset);
    reduceColumns(group, strip, width, scratch, offset);
  };
  // The last strip is moved to the end of the row.
  auto emitFull = [&](int64_t width) {
    auto loop = scf::ForOp::create(b, loc, zero, columns.input, index(width));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Strip strip;
    strip.firstInput =
        at.min(loop.getInductionVar(), at.sub(columns.input, width));
    strip.isInterior = true;
    emit(strip, width);
  };
  OpBuilder::InsertionGuard guard(b);
  for (int64_t n = shape.usesBlocks ? kBlockVectors : 1; n > 0;
       n /= kBlockVectors) {
    int64_t width = n * length;
    if (columns.knownInput && *columns.knownInput < width)
      continue;
    if (columns.knownInput)
      return emitFull(width);
    auto branch = scf::IfOp::create(
        b, loc, at.isAtLeast(columns.input, index(width)), /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    emitFull(width);
    b.setInsertionPointToStart(branch.elseBlock());
  }
  Strip strip;
  strip.firstInput = zero;
  emit(strip, length);
}

void PlaneNest::reduceColumns(const RowGroup &group, const Strip &strip,
                              int64_t width, Value scratch, Value offset) {
  StripShape stripShape{shape.groupRows, width, numOuterTaps, rows, {}};
  Loader loader(*this, strip, group);
  RowKernel(b, loc, reduction, stripShape)
      .emit([&](int64_t outerTap, int64_t row,
                int64_t column) { return loader.load(outerTap, row, column); },
            [&](int64_t row, int64_t column, Lanes lanes) {
              Value first = at.add(at.add(offset, strip.firstInput), column);
              vector::StoreOp::create(b, loc, lanes.value, scratch,
                                      ValueRange{index(row), first});
            });
}

void PlaneNest::reduceBlocks(const RowGroup &group, const Strip &strip,
                             int64_t width, Value numRows, Value ends,
                             Value scratch, Value offset) {
  SmallVector<int64_t> firsts;
  for (int64_t column = 0; column < width; column += length)
    firsts.push_back(column);
  auto combine = [&](Value acc, Value later) {
    return reduction.combine(b, loc, {acc, {}}, {later, {}}).value;
  };
  /// Accumulators with an input row of the group.
  auto appendRow = [&](ValueRange accs, Value row, bool fetchesAhead) {
    RowGroup single{group.first, at.add(group.start, row), group.isInterior};
    Loader loader(*this, strip, single);
    SmallVector<Value> results;
    for (auto [acc, column] : llvm::zip_equal(accs, firsts)) {
      Value result = acc;
      for (int64_t tap = 0; tap < numOuterTaps; ++tap) {
        result = combine(result, loader.load(tap, 0, column));
        // The next strip's: hardware does not follow so many rows.
        if (fetchesAhead)
          loader.prefetch(tap, 0, width + column);
      }
      results.push_back(result);
    }
    return results;
  };
  SmallVector<Value> none(firsts.size(), reduction.getIdentity(b, loc));
  using Body = function_ref<SmallVector<Value>(Value i, ValueRange accs)>;
  auto emitLoop = [&](Value begin, Value end, Body body) {
    auto loop = scf::ForOp::create(
        b, loc, begin, end, index(1), none,
        [&](OpBuilder &, Location, Value i, ValueRange accs) {
          scf::YieldOp::create(b, loc, body(i, accs));
        });
    return loop.getResults();
  };
  auto store = [&](ValueRange accs, Value buffer, Value row, Value first) {
    for (auto [acc, column] : llvm::zip_equal(accs, firsts))
      vector::StoreOp::create(b, loc, acc, buffer,
                              ValueRange{row, at.add(first, column)});
  };
  // From the last row of the block back: the ends of windows that begin in it.
  Value last = index(rows.kernel - 1);
  ValueRange firstWindow =
      emitLoop(index(0), index(rows.kernel), [&](Value i, ValueRange accs) {
        Value row = at.sub(last, i);
        SmallVector<Value> results =
            appendRow(accs, row, /*fetchesAhead=*/false);
        store(results, ends, row, index(0));
        return results;
      });
  Value first = at.add(offset, strip.firstInput);
  store(firstWindow, scratch, index(0), first);
  // And on: what they have of the next block.
  emitLoop(index(1), numRows, [&](Value row, ValueRange accs) {
    SmallVector<Value> results =
        appendRow(accs, at.add(last, row), /*fetchesAhead=*/true);
    SmallVector<Value> windows;
    for (auto [result, column] : llvm::zip_equal(results, firsts)) {
      Value end = vector::LoadOp::create(b, loc, reduction.getType(), ends,
                                         ValueRange{row, index(column)});
      windows.push_back(combine(end, result));
    }
    store(windows, scratch, row, first);
    return results;
  });
}

void PlaneNest::reduceFromScratch(const RowGroup &group, Value scratch,
                                  Value offset, Value row,
                                  const StripShape &stripShape,
                                  bool isPartial) {
  OpBuilder::InsertionGuard guard(b);
  int64_t width = stripShape.numColumns;
  Strip strip = beginStrips(width, isPartial);
  Value first = getScratchColumn(offset, strip.firstOutput);
  RowKernel rowKernel(b, loc, reduction, stripShape);
  auto emit = [&] {
    rowKernel.emit(
        [&](int64_t, int64_t, int64_t column) -> Value {
          return vector::LoadOp::create(b, loc, reduction.getType(), scratch,
                                        ValueRange{row, at.add(first, column)});
        },
        [&](int64_t, int64_t column, Lanes lanes) {
          store(strip, group, rowKernel, row, column, lanes);
        });
  };
  // Counts are the same where no window covers padding.
  if (reduction.isIdempotent() || !columns.coversPadding || !group.isInterior)
    return emit();
  Value begin = at.sub(first, offset);
  Value fits = columns.contains(at, begin, stripShape.columns.getSpan(width));
  emitInteriorAndBorder(b, loc, fits, [&](bool isHere) {
    strip.isInterior = isHere;
    emit();
  });
}
