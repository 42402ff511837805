// Large windows. The columns of a group of rows are reduced into a buffer, a
// row for each row of outputs, with margins of padding. Then each row of the
// buffer is reduced along the row.
//
// Columns are reduced by straight code for a vector of them, or in blocks of
// windows (BlockReduction.h). Rows are reduced by straight code for strips, or
// vector after vector (SlidingWindow.h).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"
#include "Planes/SlidingWindow.h"
#include "Reduce/BlockReduction.h"

using namespace mlir;
using namespace mlir::pool;

namespace mlir::pool {

class PlaneNest::BufferedRows {
public:
  BufferedRows(PlaneNest &nest, const RowGroup &group)
      : nest(nest), at(nest.at), shape(nest.shape), columns(nest.columns),
        group(group), length(nest.length), slides(shape.cut == RowCut::Blocks) {
  }

  void emit() {
    partColumns = columns.output;
    int64_t mostColumns = shape.numVectors * length;
    if (slides && columns.knownOutput.value_or(mostColumns) >= mostColumns)
      partColumns = at.index(mostColumns);
    numRows = at.min(at.sub(nest.rows.output, group.first), shape.groupRows);
    // The suffixes of blocks are in the row after the results that replace
    // them.
    Value rows = at.index(shape.groupRows + shape.loopsOverRows);
    // Vectors are loaded, and stored, beyond the columns that are needed. An
    // odd number of vectors, so that rows do not share the sets of a cache.
    Value width = at.add(getWidth(partColumns), getNumLoaded());
    width = at.mul(at.bitOr(at.ceilDiv(width, length), at.index(1)), length);
    buffer =
        AccumulatorBuffer::allocate(at, nest.reduction, {rows, width}).values;
    if (shape.loopsOverRows) {
      numVectors = slides ? cost::kBlockStripVectors : shape.numVectors;
      if (columns.knownInput)
        numVectors =
            std::clamp<int64_t>(*columns.knownInput / length, 1, numVectors);
    }
    if (!slides)
      return emitPart(at.index(0));
    at.forEach(at.index(0), columns.output, mostColumns,
               [&](Value first) { emitPart(first); });
  }

private:
  /// Emits the outputs of all rows from column `first` on, at most
  /// `partColumns`.
  void emitPart(Value first) {
    firstOutput = first;
    numOutputs = at.min(at.sub(columns.output, first), partColumns);
    start = at.sub(at.mul(first, columns.stride), getOffset());
    Value width = getWidth(numOutputs);
    Value begin = at.max(start, 0);
    Value end = at.max(at.min(at.add(start, width), columns.input), begin);
    if (columns.coversPadding) {
      // All columns of a part may lie before the input.
      fill(at.index(0), at.min(at.sub(begin, start), width));
      fill(at.sub(end, start), width);
    }
    forEachStrip(
        at, at.sub(end, begin), length, numVectors,
        [&](const VectorStrip &strip) { reduceColumns(begin, strip); });
    at.forEach(at.index(0), numRows, 1, [&](Value row) {
      if (slides)
        return slide(row);
      forEachStrip(at, columns.output, length, shape.numColumns / length,
                   [&](const VectorStrip &strip) { emitStrip(row, strip); });
    });
  }

  /// Stores padding to columns [begin, end) of the buffer.
  void fill(Value begin, Value end) {
    Value padding = nest.reduction.getFill(at);
    at.forEach(begin, end, length, [&](Value column) {
      at.forEach(at.index(0), numRows, 1, [&](Value row) {
        at.store(padding, buffer, ValueRange{row, column});
      });
    });
  }

  /// Reduces columns of the input, counted from `first`.
  void reduceColumns(Value first, const VectorStrip &vectors) {
    Strip strip;
    strip.firstInput = at.add(first, vectors.element);
    strip.isInterior = vectors.existing.areAll();
    Value column = at.sub(strip.firstInput, start);
    if (shape.loopsOverRows)
      return reduceBlock(strip, vectors.numVectors, column);
    Loader loader(nest, strip, group);
    RowKernel(at, nest.reduction, shape.getBufferedColumns(nest.problem))
        .emit(loader, [&](int64_t row, int64_t, Accumulator lanes) {
          at.store(lanes.value, buffer, ValueRange{at.index(row), column});
        });
  }

  void reduceBlock(const Strip &strip, int64_t numVectors, Value column) {
    // A row of vectors, with the outer taps of each.
    auto loadRow = [&](Value row) {
      RowGroup inputRow = group;
      inputRow.start = at.add(group.start, row);
      Loader loader(nest, strip, inputRow);
      SmallVector<Accumulator> lanes(numVectors);
      for (auto [i, acc] : llvm::enumerate(lanes)) {
        acc.value = loader(0, 0, i * length);
        if (nest.numOuterTaps > 1)
          acc.value = nest.reduction.begin(at, acc.value);
        for (int64_t tap = 1; tap < nest.numOuterTaps; ++tap)
          acc =
              nest.reduction.combine(at, acc, {loader(tap, 0, i * length), {}});
      }
      return lanes;
    };
    OpFoldResult one = at.getIndexAttr(1);
    OpFoldResult sizes[] = {at.getIndexAttr(shape.groupRows),
                            at.getIndexAttr(numVectors * length)};
    AccumulatorBuffer suffixes{
        memref::SubViewOp::create(at, buffer, {one, column}, sizes, {one, one}),
        {}};
    BlockReduction(at, nest.reduction, nest.rows, numVectors, shape.groupRows)
        .emit(numRows, suffixes, loadRow,
              [&](Value row, ArrayRef<Accumulator> results) {
                for (auto [i, acc] : llvm::enumerate(results))
                  at.store(acc.value, buffer,
                           ValueRange{row, at.add(column, i * length)});
              });
  }

  /// Reduces a strip of a row of the buffer, or a row vector after vector.
  void emitStrip(Value row, const VectorStrip &vectors) {
    int64_t width = vectors.numVectors * length;
    Strip strip;
    strip.firstOutput = vectors.element;
    if (!vectors.existing.areAll())
      strip.numOutputs = columns.output;
    Value first = getColumn(strip.firstOutput);
    auto emitHere = [&](bool isInterior) {
      strip.isInterior = isInterior;
      RowKernel rowKernel(at, nest.reduction,
                          shape.getBufferedStrip(nest.problem, width));
      rowKernel.emit(
          [&](int64_t, int64_t, int64_t column) {
            return load(row, at.add(first, column));
          },
          [&](int64_t, int64_t column, Accumulator lanes) {
            nest.store(strip, group, row, column,
                       rowKernel.getNumOutputs(column), lanes);
          });
    };
    emitByPlace(strip.firstOutput, width, emitHere);
  }

  void slide(Value row) {
    SlidingWindow window(nest.reduction, columns);
    SmallVector<Value> state = window.begin(at);
    Value first = getColumn(firstOutput);
    auto push = [&](Value vector) {
      Value column = at.add(first, at.mul(vector, length));
      return window.push(at, load(row, column), state);
    };
    Value delay = at.index(window.getDelay());
    at.forEach(at.index(0), delay, 1, state, push);
    auto emitVectors = [&](Value begin, Value end, bool areWhole) {
      at.forEach(begin, end, 1, state, [&](Value vector) {
        Value lanes = push(at.add(vector, delay));
        Value column = at.mul(vector, length);
        Strip strip;
        strip.firstOutput = at.add(firstOutput, column);
        if (!areWhole)
          strip.numOutputs = at.sub(numOutputs, column);
        emitByPlace(strip.firstOutput, length, [&](bool isInterior) {
          strip.isInterior = isInterior;
          nest.store(strip, group, row, 0, length, {lanes, {}});
        });
      });
    };
    Value numWhole = at.divUnsigned(numOutputs, length);
    emitVectors(at.index(0), numWhole, /*areWhole=*/true);
    emitVectors(numWhole, at.ceilDiv(numOutputs, length), /*areWhole=*/false);
  }

  /// Builds `body` for windows inside the input and for others, if that makes a
  /// difference: for the windows of `numOutputs` outputs, the first of which is
  /// `output`.
  void emitByPlace(Value output, int64_t numOutputs,
                   function_ref<void(bool isInterior)> body) {
    // Counts are the same where no window covers padding.
    if (nest.reduction.isIdempotent() || !columns.coversPadding ||
        !group.isInterior)
      return body(/*isInterior=*/false);
    at.ifElse(columns.contains(at, columns.getStart(at, output),
                               columns.getSpan(numOutputs)),
              body);
  }

  /// Columns that are loaded for a strip or a vector of outputs.
  int64_t getNumLoaded() {
    if (slides)
      return (SlidingWindow(nest.reduction, columns).getDelay() + 1) * length;
    StripShape strip = shape.getBufferedStrip(nest.problem, shape.numColumns);
    return RowRuns(nest.reduction, strip).getLoadedColumns().second;
  }

  /// Columns of the buffer that outputs side by side need. The padding before
  /// them is rounded up to vectors.
  Value getWidth(Value numOutputs) {
    Value last = at.mul(at.sub(numOutputs, 1), columns.stride);
    Value moved = at.sub(getOffset(), columns.padBegin);
    return at.add(at.add(moved, last), columns.getExtent());
  }

  /// The padding, rounded up: columns are stored and loaded most often, and
  /// aligned.
  Value getOffset() {
    return at.mul(at.ceilDiv(columns.padBegin, length), length);
  }

  /// The column of the buffer where the window of an output begins.
  Value getColumn(Value output) {
    return at.sub(columns.getStart(at, output), start);
  }

  Value load(Value row, Value column) {
    return at.load(nest.reduction.getType(), buffer, ValueRange{row, column});
  }

  PlaneNest &nest;
  KernelBuilder &at;
  const PlaneShape &shape;
  const LoopDim &columns;
  const RowGroup &group;
  int64_t length;
  /// True if rows are reduced vector after vector.
  bool slides;
  /// Vectors of columns that are reduced at once.
  int64_t numVectors = 1;
  /// The most outputs of a part.
  Value partColumns;
  Value numRows, buffer;
  // State of a part: its first output, the number of them, and the input column
  // where the buffer begins.
  Value firstOutput, numOutputs, start;
};

} // namespace mlir::pool

void PlaneNest::emitThroughBuffer(const RowGroup &group) {
  BufferedRows(*this, group).emit();
}
