// Large windows. The columns of a group of rows are reduced into a buffer of a
// few rows, with margins of padding. Then straight code reduces strips of the
// buffer's rows along the row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"

using namespace mlir;
using namespace mlir::pool;

Value PlaneNest::getScratchWidth(Value offset, const StripShape &strip) {
  // The columns, rounded to whole vectors, and the columns that the last strip
  // loads.
  int64_t end = RowRuns(reduction, strip).getLoadedColumns().second;
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
  StripShape strip = shape.getBufferedStrip(problem, shape.numColumns);
  StripShape narrow = shape.getBufferedStrip(problem, length);

  // The padding, rounded up: columns are stored and loaded most often, and
  // aligned.
  Value offset = at.mul(at.ceilDiv(columns.padBegin, length), length);
  Value width = getScratchWidth(offset, strip);
  Type elementType = reduction.getType().getElementType();
  Value scratch = memref::AllocOp::create(
      at,
      MemRefType::get(
          {shape.groupRows + shape.loopsOverRows, ShapedType::kDynamic},
          elementType),
      ValueRange{width}, at.getI64IntegerAttr(64));
  Value numRows = at.min(at.sub(rows.output, group.first), shape.groupRows);
  reduceIntoScratch(group, numRows, scratch, offset);

  at.forEach(at.index(0), numRows, 1, [&](Value row) {
    if (columns.knownOutput)
      return reduceFromScratch(group, scratch, offset, row, strip,
                               /*isPartial=*/*columns.knownOutput < length);
    at.ifElse(at.isAtLeast(columns.output, at.index(strip.numColumns)),
              [&](bool isWide) {
                reduceFromScratch(group, scratch, offset, row,
                                  isWide ? strip : narrow,
                                  /*isPartial=*/!isWide);
              });
  });
}

void PlaneNest::reduceIntoScratch(const RowGroup &group, Value numRows,
                                  Value scratch, Value offset) {
  Value zero = at.index(0);
  Value fill = reduction.getFill(at);
  auto fillColumns = [&](Value begin, Value end) {
    at.forEach(begin, end, length, [&](Value column) {
      at.forEach(zero, numRows, 1, [&](Value row) {
        at.store(fill, scratch, ValueRange{row, column});
      });
    });
  };
  Value width = memref::DimOp::create(at, scratch, 1);
  fillColumns(zero, offset);
  fillColumns(at.add(offset, columns.input), at.sub(width, length - 1));

  // The last strip is moved to the end of the row.
  auto emitFull = [&](int64_t numVectors) {
    int64_t width = numVectors * length;
    at.forEach(zero, columns.input, width, [&](Value first) {
      Strip strip;
      strip.firstInput = at.min(first, at.sub(columns.input, width));
      strip.isInterior = true;
      reduceColumns({group, strip, numVectors}, numRows, scratch, offset);
    });
  };
  // Use the widest strips that the row has; one partial strip if the row is
  // narrower than a vector.
  auto emitWidest = [&](int64_t numVectors, auto emitNarrower) {
    int64_t width = numVectors * length;
    if (columns.knownInput.value_or(0) >= width)
      return emitFull(numVectors);
    if (columns.knownInput)
      return emitNarrower();
    at.ifElse(at.isAtLeast(columns.input, at.index(width)), [&](bool isFull) {
      isFull ? emitFull(numVectors) : emitNarrower();
    });
  };
  auto emitPartial = [&] {
    Strip strip;
    strip.firstInput = zero;
    reduceColumns({group, strip, /*numVectors=*/1}, numRows, scratch, offset);
  };
  auto emitNarrow = [&] { emitWidest(/*numVectors=*/1, emitPartial); };
  if (shape.loopsOverRows)
    return emitWidest(shape.numVectors, emitNarrow);
  emitNarrow();
}

void PlaneNest::reduceColumns(const Columns &columns, Value numRows,
                              Value scratch, Value offset) {
  const Strip &strip = columns.strip;
  if (shape.loopsOverRows) {
    Value first = at.add(offset, strip.firstInput);
    reduceSuffixes(columns, numRows, at.index(rows.kernel), scratch, first);
    return appendPrefixes(columns, numRows, scratch, first);
  }
  StripShape stripShape = shape.getBufferedColumns(problem);
  Loader loader(*this, strip, columns.group);
  RowKernel(at, reduction, stripShape)
      .emit([&](int64_t outerTap, int64_t row,
                int64_t column) { return loader.load(outerTap, row, column); },
            [&](int64_t row, int64_t column, Accumulator lanes) {
              Value first = at.add(at.add(offset, strip.firstInput), column);
              at.store(lanes.value, scratch, ValueRange{at.index(row), first});
            });
}

void PlaneNest::reduceFromScratch(const RowGroup &group, Value scratch,
                                  Value offset, Value row,
                                  const StripShape &stripShape,
                                  bool isPartial) {
  int64_t width = stripShape.numColumns;
  RowKernel rowKernel(at, reduction, stripShape);
  forEachStrip(width, isPartial, [&](Strip strip) {
    Value first = getScratchColumn(offset, strip.firstOutput);
    auto emit = [&](bool isInterior) {
      strip.isInterior = isInterior;
      rowKernel.emit(
          [&](int64_t, int64_t, int64_t column) -> Value {
            return at.load(reduction.getType(), scratch,
                           ValueRange{row, at.add(first, column)});
          },
          [&](int64_t, int64_t column, Accumulator lanes) {
            store(strip, group, row, column, rowKernel.getNumOutputs(column),
                  lanes);
          });
    };
    // Counts are the same where no window covers padding.
    if (reduction.isIdempotent() || !columns.coversPadding || !group.isInterior)
      return emit(/*isInterior=*/false);
    Value begin = at.sub(first, offset);
    at.ifElse(columns.contains(at, begin, stripShape.columns.getSpan(width)),
              emit);
  });
}

//===----------------------------------------------------------------------===//
// Loops over rows
//===----------------------------------------------------------------------===//

void PlaneNest::appendRow(const Columns &columns, MutableArrayRef<Value> accs,
                          Value row) {
  RowGroup inputRow = columns.group;
  inputRow.start = at.add(inputRow.start, row);
  Loader loader(*this, columns.strip, inputRow);
  for (auto [i, acc] : llvm::enumerate(accs))
    for (int64_t tap = 0; tap < numOuterTaps; ++tap)
      // Columns that are known to be beside the input add nothing.
      if (Value lanes = loader.load(tap, 0, i * length))
        acc = reduction.combine(at, {acc, {}}, {lanes, {}}).value;
}

void PlaneNest::appendRows(const Columns &columns, MutableArrayRef<Value> accs,
                           Value begin, Value end) {
  if (!isEqualConstantIntOrValue(begin, end))
    at.forEach(begin, end, 1, accs,
               [&](Value row) { appendRow(columns, accs, row); });
}

void PlaneNest::appendStride(const Columns &columns,
                             MutableArrayRef<Value> accs, Value begin) {
  if (rows.stride > cost::kMaxStraightStride)
    return appendRows(columns, accs, begin, at.add(begin, rows.stride));
  for (int64_t i = 0; i < rows.stride; ++i)
    appendRow(columns, accs, at.add(begin, i));
}

/// Stores vectors side by side.
static void storeColumns(KernelBuilder &at, ValueRange vectors, Value buffer,
                         Value row, Value column) {
  int64_t length = cast<VectorType>(vectors.front().getType()).getNumElements();
  for (auto [i, vector] : llvm::enumerate(vectors))
    at.store(vector, buffer, ValueRange{row, at.add(column, i * length)});
}

void PlaneNest::reduceSuffixes(const Columns &columns, Value numRows, Value end,
                               Value scratch, Value column) {
  SmallVector<Value> accs(columns.numVectors, reduction.getIdentity(at));
  Value last = at.sub(numRows, 1);
  appendRows(columns, accs, at.mul(last, rows.stride), end);
  storeColumns(at, accs, scratch, numRows, column);
  at.forEach(at.index(0), last, 1, accs, [&](Value i) {
    Value next = at.sub(last, i);
    appendStride(columns, accs, at.mul(at.sub(next, 1), rows.stride));
    storeColumns(at, accs, scratch, next, column);
  });
}

void PlaneNest::appendPrefixes(const Columns &columns, Value numRows,
                               Value scratch, Value column) {
  auto loadSuffix = [&](Value row, int64_t vector) -> Value {
    return at.load(reduction.getType(), scratch,
                   ValueRange{at.add(row, 1), at.add(column, vector * length)});
  };
  SmallVector<Value> results(columns.numVectors);
  for (auto [i, result] : llvm::enumerate(results))
    result = loadSuffix(at.index(0), i);
  storeColumns(at, results, scratch, at.index(0), column);

  SmallVector<Value> accs(columns.numVectors, reduction.getIdentity(at));
  at.forEach(at.index(1), numRows, 1, accs, [&](Value row) {
    // As many more than the window before as the stride.
    Value begin = at.add(at.mul(at.sub(row, 1), rows.stride), rows.kernel);
    appendStride(columns, accs, begin);
    for (auto [i, result] : llvm::enumerate(results))
      result =
          reduction.combine(at, {loadSuffix(row, i), {}}, {accs[i], {}}).value;
    storeColumns(at, results, scratch, row, column);
  });
}
