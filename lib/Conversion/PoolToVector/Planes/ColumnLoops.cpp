// Columns of tall windows, reduced by loops over rows. The rows that all
// windows of a group share are reduced once. The rows before them are reduced
// backwards, and the rows after them forwards (van Herk, 1992; Gil and Werman,
// 1993).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

void PlaneNest::appendRow(const Columns &columns, MutableArrayRef<Value> accs,
                          Value row) {
  RowGroup inputRow = columns.group;
  inputRow.start = at.add(inputRow.start, row);
  Loader loader(*this, columns.strip, inputRow);
  for (auto [i, acc] : llvm::enumerate(accs))
    for (int64_t tap = 0; tap < numOuterTaps; ++tap)
      acc =
          reduction
              .combine(b, loc, {acc, {}}, {loader.load(tap, 0, i * length), {}})
              .value;
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
    vector::StoreOp::create(at.b, at.loc, vector, buffer,
                            ValueRange{row, at.add(column, i * length)});
}

void PlaneNest::reduceSuffixes(const Columns &columns, Value numRows, Value end,
                               Value scratch, Value column) {
  SmallVector<Value> accs(columns.numVectors, reduction.getIdentity(b, loc));
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
    return vector::LoadOp::create(
        b, loc, reduction.getType(), scratch,
        ValueRange{at.add(row, 1), at.add(column, vector * length)});
  };
  SmallVector<Value> results(columns.numVectors);
  for (auto [i, result] : llvm::enumerate(results))
    result = loadSuffix(at.index(0), i);
  storeColumns(at, results, scratch, at.index(0), column);

  SmallVector<Value> accs(columns.numVectors, reduction.getIdentity(b, loc));
  at.forEach(at.index(1), numRows, 1, accs, [&](Value row) {
    // As many more than the window before as the stride.
    Value begin = at.add(at.mul(at.sub(row, 1), rows.stride), rows.kernel);
    appendStride(columns, accs, begin);
    for (auto [i, result] : llvm::enumerate(results))
      result =
          reduction.combine(b, loc, {loadSuffix(row, i), {}}, {accs[i], {}})
              .value;
    storeColumns(at, results, scratch, row, column);
  });
}
