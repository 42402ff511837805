// Loops over the rows of a plane in which each group of output rows keeps, in
// registers, the input rows that its windows share with the next group's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

/// Vector registers of targets with 512-bit vectors, and of x86 with others.
/// Rows that are carried take half of them at most; those and the group's own
/// three quarters.
static constexpr int64_t kNumRegisters = 32, kNumNarrowRegisters = 16;
/// Output rows of a part of a plane. Parts run on different threads; each loads
/// the rows that it shares with the one before.
static constexpr int64_t kMaxPartRows = 64;
/// Where a row may be many strips, each of which is read for all rows of a part
/// before the next.
static constexpr int64_t kMaxStripRows = 32;

int64_t PlaneLoops::getMostCarryingRows() const {
  // Wide rows are read as they are in memory, strip after strip.
  if (reduction.hasPositions() || (columns.knownOutput && !isWholeRow))
    return 0;
  StripShape shape{1, numVectors * length, numOuterTaps, rows, columns};
  shape.columns.shift = 0;
  if (isWholeRow) {
    shape.numColumns = *columns.knownOutput;
    shape.columns.shift = *columns.knownPad + firstColumn;
  }
  RowKernel rowKernel(b, loc, reduction, shape);
  int64_t numRows = rowKernel.getNumCarriedRows();
  int64_t numLoaded = rowKernel.getLoadedVectors().size();
  int64_t bits = length * reduction.getType().getElementTypeBitWidth();
  int64_t numRegisters = bits < 512 ? kNumNarrowRegisters : kNumRegisters;
  if (numRows == 0 || numRows * numLoaded > numRegisters / 2)
    return 0;
  int64_t numOwn = numRegisters * 3 / 4;
  return std::max<int64_t>((numOwn / numLoaded - numRows) / rows.stride, 1);
}

int64_t PlaneLoops::getNumPartRows() const {
  int64_t mostRows = isWholeRow ? kMaxPartRows : kMaxStripRows;
  if (!rows.knownOutput)
    return mostRows;
  int64_t numParts = llvm::divideCeil(*rows.knownOutput, mostRows);
  int64_t partRows = llvm::divideCeil(*rows.knownOutput, numParts);
  return llvm::alignTo(partRows, groupRows);
}

void PlaneLoops::emitCarriedStrip(const Strip &strip, const StripShape &shape) {
  RowKernel rowKernel(b, loc, reduction, shape);
  bool isOuterInterior = isInteriorGroup;
  isInteriorGroup = false;
  Value begin = firstRow, beginStart = rowStart;
  RowKernel::Elements carried = rowKernel.loadCarried(
      [&](OpBuilder &, Location, int64_t outerTap, int64_t row,
          int64_t column) { return load(strip, outerTap, row, column); });
  if (mayClamp || !isOuterInterior) {
    emitCarriedRows(strip, shape, begin, endRow, /*interior=*/false, carried);
  } else if (!rows.coversPadding) {
    emitCarriedRows(strip, shape, begin, endRow, /*interior=*/true, carried);
  } else {
    // Windows begin in the padding, are inside, or end in the padding.
    Value first = at.ceilDiv(rows.padBegin, rows.stride);
    Value reach = at.sub(at.add(rows.input, rows.padBegin), rows.getExtent());
    Value end =
        at.max(at.add(at.floorDiv(at.max(reach, -1), rows.stride), 1), 0);
    first = at.max(at.min(first, endRow), begin);
    end = at.max(at.min(end, endRow), first);
    emitCarriedRows(strip, shape, begin, first, /*interior=*/false, carried);
    emitCarriedRows(strip, shape, first, end, /*interior=*/true, carried);
    emitCarriedRows(strip, shape, end, endRow, /*interior=*/false, carried);
  }
  // As before, for another strip or block.
  isInteriorGroup = isOuterInterior;
  firstRow = begin;
  rowStart = beginStart;
  inputRows.clear();
}

void PlaneLoops::emitCarriedRows(const Strip &strip, const StripShape &shape,
                                 Value begin, Value end, bool interior,
                                 RowKernel::Elements &carried) {
  auto emitLoop = [&](Value end, int64_t numRows) {
    auto loop =
        scf::ForOp::create(b, loc, begin, end, index(numRows), carried.values);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      setFirstRow(loop.getInductionVar());
      isInteriorGroup = interior;
      prefetch(strip, numRows, shape.numColumns);
      RowKernel::Elements next{
          carried.places, llvm::to_vector_of<Value>(loop.getRegionIterArgs())};
      StripShape group = shape;
      group.numRows = numRows;
      emitRowGroup(strip, group, &next);
      if (!next.values.empty())
        scf::YieldOp::create(b, loc, next.values);
    }
    carried.values.assign(loop.getResults().begin(), loop.getResults().end());
    begin = end;
  };
  // Rows at the borders are few.
  int64_t numRows = interior || mayClamp ? shape.numRows : 1;
  Value rest = at.rem(at.sub(end, begin), numRows);
  emitLoop(at.sub(end, rest), numRows);
  if (!isConstantIntValue(rest, 0))
    emitLoop(end, 1);
}
