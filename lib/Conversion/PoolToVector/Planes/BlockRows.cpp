// Large windows at stride 1. Columns are reduced in blocks of as many rows as a
// window has (van Herk, 1992; Gil and Werman, 1993). Each row of results is
// reduced along the row at once, vector after vector, without a buffer between.
//
// A window that begins in row i of a block has two parts. The suffix covers the
// rows of the block from i on, without the last one; it is reduced backwards.
// The prefix covers the rest, and is reduced forwards.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"
#include "Planes/SlidingWindow.h"

using namespace mlir;
using namespace mlir::pool;

namespace mlir::pool {

class PlaneNest::BlockRows {
public:
  BlockRows(PlaneNest &nest, const RowGroup &group);

  void emit();

private:
  /// The part of a row's outputs that begins at `firstOutput`.
  void emitPart();
  /// Fills `suffixes` and `prefix` before the first row.
  void reduceSuffixes();
  void reduceSuffixes(Value vector, int64_t numVectors, bool isInterior);
  void emitRow(Value row);
  /// Takes vectors [begin, end) of an output row.
  void emitVectors(Value row, Value begin, Value end, bool isInterior,
                   SmallVector<Value> &state);
  void emitVector(Value row, Value vector, bool isInterior,
                  SmallVector<Value> &state);

  /// Columns that vector `vector` of a part begins at.
  Value getColumn(Value vector) { return at.mul(vector, nest.length); }
  Strip getInput(Value vector, bool isInterior);
  Value combine(Value acc, Value later) {
    return nest.reduction.combine(at, {acc, {}}, {later, {}}).value;
  }

  PlaneNest &nest;
  KernelBuilder &at;
  const RowGroup &group;
  SlidingWindow stream;
  /// Output columns of a part but the last.
  int64_t partColumns;
  Value numRows;
  /// For each row of a block what its window has of the block but its last
  /// row; see reduceSuffixes().
  Value suffixes;
  /// Prefixes of the current and of the previous row, alternately in two rows.
  /// If a maximum were stored where it was loaded, LLVM would make a masked
  /// store, which is slow on many processors.
  Value prefix;
  // State of a part: its outputs, the input column where vectors begin, the
  // number of vectors, and the range of vectors that lie inside the input.
  Value firstOutput, numOutputs, start, numVectors, interiorBegin, interiorEnd;
};

} // namespace mlir::pool

PlaneNest::BlockRows::BlockRows(PlaneNest &nest, const RowGroup &group)
    : nest(nest), at(nest.at), group(group),
      stream(nest.reduction, nest.columns),
      partColumns(nest.shape.numVectors * nest.length) {}

void PlaneNest::BlockRows::emit() {
  auto allocate = [&](ArrayRef<int64_t> shape) {
    auto type =
        MemRefType::get(shape, nest.reduction.getType().getElementType());
    return memref::AllocOp::create(at, type, ValueRange{},
                                   at.getI64IntegerAttr(64));
  };
  int64_t width = partColumns + stream.getDelay() * nest.length;
  suffixes = allocate({nest.rows.kernel + 1, width});
  prefix = allocate({2, width});
  numRows = at.min(at.sub(nest.rows.output, group.first), nest.shape.groupRows);
  firstOutput = at.index(0);
  if (nest.columns.knownOutput.value_or(partColumns + 1) <= partColumns)
    return emitPart();
  at.forEach(firstOutput, nest.columns.output, partColumns, [&](Value first) {
    firstOutput = first;
    emitPart();
  });
}

void PlaneNest::BlockRows::emitPart() {
  const LoopDim &columns = nest.columns;
  numOutputs = at.min(at.sub(columns.output, firstOutput), partColumns);
  start = columns.getStart(at, firstOutput);
  numVectors = at.add(at.ceilDiv(numOutputs, nest.length), stream.getDelay());
  Value before = at.max(at.sub(at.index(0), start), 0);
  interiorBegin = at.min(at.ceilDiv(before, nest.length), numVectors);
  interiorEnd =
      at.floorDiv(at.max(at.sub(columns.input, start), 0), nest.length);
  interiorEnd = at.max(at.min(interiorEnd, numVectors), interiorBegin);

  reduceSuffixes();
  at.forEach(at.index(0), numRows, 1, [&](Value row) { emitRow(row); });
}

Strip PlaneNest::BlockRows::getInput(Value vector, bool isInterior) {
  Strip strip;
  strip.firstInput = at.add(start, getColumn(vector));
  strip.isInterior = isInterior;
  return strip;
}

void PlaneNest::BlockRows::reduceSuffixes() {
  Value numInterior = at.sub(interiorEnd, interiorBegin);
  at.forEach(at.index(0), at.sub(numVectors, numInterior), 1, [&](Value i) {
    Value isAfter = at.isAtLeast(i, interiorBegin);
    Value vector = at.select(isAfter, at.add(i, numInterior), i);
    reduceSuffixes(vector, 1, /*isInterior=*/false);
  });
  // The last strip is moved to the end.
  auto emitInterior = [&](int64_t width) {
    at.forEach(interiorBegin, interiorEnd, width, [&](Value vector) {
      vector = at.min(vector, at.sub(interiorEnd, width));
      reduceSuffixes(vector, width, /*isInterior=*/true);
    });
  };
  at.ifElse(at.isAtLeast(numInterior, at.index(cost::kBlockStripVectors)),
            [&](bool isWide) {
              emitInterior(isWide ? cost::kBlockStripVectors : 1);
            });
}

void PlaneNest::BlockRows::reduceSuffixes(Value vector, int64_t numVectors,
                                          bool isInterior) {
  Value first = getColumn(vector);
  Strip input = getInput(vector, isInterior);
  for (int64_t i = 0; i < numVectors; ++i)
    at.store(nest.reduction.getIdentity(at), prefix,
             ValueRange{at.index(0), at.add(first, i * nest.length)});
  nest.reduceSuffixes({group, input, numVectors}, at.index(nest.rows.kernel),
                      at.index(nest.rows.kernel - 1), suffixes, first);
}

void PlaneNest::BlockRows::emitRow(Value row) {
  // Vectors [interiorBegin, last) have only existing outputs, with all windows
  // inside. They are stored a delay later.
  Value reach = at.sub(nest.columns.input, start);
  reach = at.max(at.sub(reach, nest.columns.getExtent() - 1), 0);
  Value last = at.floorDiv(at.min(reach, numOutputs), nest.length);
  Value storeBegin =
      at.min(at.add(interiorBegin, stream.getDelay()), numVectors);
  Value end =
      at.max(at.min(interiorEnd, at.add(last, stream.getDelay())), storeBegin);
  Value begin = at.index(0);
  SmallVector<Value> state = stream.begin(at);
  auto emitTo = [&](Value end, bool isInterior) {
    emitVectors(row, begin, end, isInterior, state);
    begin = end;
  };
  // At the sides there are few: one loop, with masks, for all of them.
  emitTo(storeBegin, /*isInterior=*/false);
  emitTo(end, /*isInterior=*/true);
  emitTo(numVectors, /*isInterior=*/false);
}

void PlaneNest::BlockRows::emitVectors(Value row, Value begin, Value end,
                                       bool isInterior,
                                       SmallVector<Value> &state) {
  if (isEqualConstantIntOrValue(begin, end))
    return;
  at.forEach(begin, end, 1, state,
             [&](Value vector) { emitVector(row, vector, isInterior, state); });
}

void PlaneNest::BlockRows::emitVector(Value row, Value vector, bool isInterior,
                                      SmallVector<Value> &state) {
  Value column = getColumn(vector);
  Strip input = getInput(vector, isInterior);
  VectorType type = nest.reduction.getType();
  Value prefixVector =
      at.load(type, prefix, ValueRange{at.rem(row, 2), column});
  Value lastRow = at.add(row, nest.rows.kernel - 1);
  nest.appendRow({group, input, /*numVectors=*/1}, prefixVector, lastRow);
  at.store(prefixVector, prefix, ValueRange{at.rem(at.add(row, 1), 2), column});
  Value suffix = at.load(type, suffixes, ValueRange{at.add(row, 1), column});
  Value result = stream.push(at, combine(suffix, prefixVector), state);

  Value first = at.sub(column, at.index(stream.getDelay() * nest.length));
  Strip output;
  output.firstOutput = at.add(firstOutput, first);
  output.isInterior = isInterior;
  auto store = [&] {
    nest.store(output, group, row, 0, nest.length, {result, {}});
  };
  if (isInterior)
    return store();
  output.numOutputs = at.min(at.sub(numOutputs, first), nest.length);
  at.ifTrue(at.isAtLeast(first, at.index(0)), store);
}

void PlaneNest::emitInBlocks(const RowGroup &group) {
  BlockRows(*this, group).emit();
}
