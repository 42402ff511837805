// Columns of tall windows, by loops over rows: what all windows of a group
// share is reduced once, and what is before and after it towards and away from
// it (van Herk, 1992; Gil and Werman, 1993).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<Value> PlaneNest::appendRow(const Columns &columns, ValueRange accs,
                                        Value row) {
  RowGroup inputRow = columns.group;
  inputRow.start = at.add(inputRow.start, row);
  Loader loader(*this, columns.strip, inputRow);
  SmallVector<Value> results;
  for (auto [i, acc] : llvm::enumerate(accs)) {
    Accumulator lanes{acc, {}};
    for (int64_t tap = 0; tap < numOuterTaps; ++tap)
      lanes = reduction.combine(b, loc, lanes,
                                {loader.load(tap, 0, i * length), {}});
    results.push_back(lanes.value);
  }
  return results;
}

SmallVector<Value> PlaneNest::appendRows(const Columns &columns,
                                         ValueRange accs, Value begin,
                                         Value end) {
  if (isEqualConstantIntOrValue(begin, end))
    return llvm::to_vector(accs);
  auto loop = scf::ForOp::create(b, loc, begin, end, index(1), accs);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(
      b, loc,
      appendRow(columns, loop.getRegionIterArgs(), loop.getInductionVar()));
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> PlaneNest::appendStride(const Columns &columns,
                                           ValueRange accs, Value begin) {
  if (rows.stride > cost::kMaxStraightStride)
    return appendRows(columns, accs, begin, at.add(begin, rows.stride));
  SmallVector<Value> results(accs);
  for (int64_t i = 0; i < rows.stride; ++i)
    results = appendRow(columns, results, at.add(begin, i));
  return results;
}

/// Stores vectors side by side.
static void storeColumns(OpBuilder &b, Location loc, IndexArithmetic &at,
                         ValueRange vectors, Value buffer, Value row,
                         Value column) {
  int64_t length = cast<VectorType>(vectors.front().getType()).getNumElements();
  for (auto [i, vector] : llvm::enumerate(vectors))
    vector::StoreOp::create(b, loc, vector, buffer,
                            ValueRange{row, at.add(column, i * length)});
}

void PlaneNest::reduceSuffixes(const Columns &columns, Value numRows, Value end,
                               Value scratch, Value column) {
  SmallVector<Value> accs(columns.numVectors, reduction.getIdentity(b, loc));
  Value last = at.sub(numRows, 1);
  accs = appendRows(columns, accs, at.mul(last, rows.stride), end);
  storeColumns(b, loc, at, accs, scratch, numRows, column);
  auto loop = scf::ForOp::create(b, loc, index(0), last, index(1), accs);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value next = at.sub(last, loop.getInductionVar());
  Value begin = at.mul(at.sub(next, 1), rows.stride);
  accs = appendStride(columns, loop.getRegionIterArgs(), begin);
  storeColumns(b, loc, at, accs, scratch, next, column);
  scf::YieldOp::create(b, loc, accs);
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
    result = loadSuffix(index(0), i);
  storeColumns(b, loc, at, results, scratch, index(0), column);

  SmallVector<Value> accs(columns.numVectors, reduction.getIdentity(b, loc));
  auto loop = scf::ForOp::create(b, loc, index(1), numRows, index(1), accs);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = loop.getInductionVar();
  // As many more than the window before as the stride.
  Value begin = at.add(at.mul(at.sub(row, 1), rows.stride), rows.kernel);
  accs = appendStride(columns, loop.getRegionIterArgs(), begin);
  for (auto [i, result] : llvm::enumerate(results))
    result = reduction.combine(b, loc, {loadSuffix(row, i), {}}, {accs[i], {}})
                 .value;
  storeColumns(b, loc, at, results, scratch, row, column);
  scf::YieldOp::create(b, loc, accs);
}
