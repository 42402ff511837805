// Large windows: the columns of a group of rows are reduced into a buffer of a
// few rows, with margins of padding, and these along the row. Both parts are
// the straight code of RowKernel, with loops around it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneLoops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

Value PlaneLoops::getScratchWidth(Value offset, const StripShape &shape) {
  // The columns themselves, whole vectors of them, and what the last strip
  // loads.
  int64_t end = RowKernel(b, loc, reduction, shape).getLoadedColumns().second;
  Value lastStrip = at.max(at.sub(columns.output, 1), 0);
  Value width = at.add(at.mul(lastStrip, columns.stride), end);
  width = at.max(width, at.add(at.add(offset, columns.input), length));
  return at.add(width, length);
}

void PlaneLoops::emitThroughScratch() {
  // A row is cut into strips, of one vector if it is shorter than several.
  StripShape shape{1, numVectors * length, 1, {}, columns};
  shape.columns.shift = 0;
  int64_t numFull = columns.knownOutput.value_or(1 << 16) / length;
  shape.numColumns = std::clamp<int64_t>(numFull, 1, numVectors) * length;
  StripShape narrow = shape;
  narrow.numColumns = length;

  Value offset = columns.padBegin;
  Value width = getScratchWidth(offset, shape);
  Type elementType = reduction.getType().getElementType();
  Value scratch = memref::AllocOp::create(
      b, loc, MemRefType::get({groupRows, ShapedType::kDynamic}, elementType),
      ValueRange{width}, b.getI64IntegerAttr(64));
  reduceIntoScratch(scratch, offset);

  auto loop = scf::ForOp::create(b, loc, index(0), index(groupRows), index(1));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value row = loop.getInductionVar();
    if (columns.knownOutput) {
      reduceFromScratch(scratch, offset, row, shape,
                        /*isPartial=*/numFull == 0);
    } else {
      auto branch = scf::IfOp::create(
          b, loc, at.isAtLeast(columns.output, index(shape.numColumns)),
          /*withElse=*/true);
      b.setInsertionPointToStart(branch.thenBlock());
      reduceFromScratch(scratch, offset, row, shape, /*isPartial=*/false);
      b.setInsertionPointToStart(branch.elseBlock());
      reduceFromScratch(scratch, offset, row, narrow, /*isPartial=*/true);
    }
  }
}

void PlaneLoops::reduceIntoScratch(Value scratch, Value offset) {
  // Margins first: the last vector of one may reach over the columns.
  Value zero = index(0), step = index(length);
  Value fill = reduction.getFill(b, loc);
  auto fillColumns = [&](Value begin, Value end) {
    auto loop = scf::ForOp::create(b, loc, begin, end, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    for (int64_t row = 0; row < groupRows; ++row)
      vector::StoreOp::create(b, loc, fill, scratch,
                              ValueRange{index(row), loop.getInductionVar()});
  };
  Value width = memref::DimOp::create(b, loc, scratch, 1);
  fillColumns(zero, offset);
  fillColumns(at.add(offset, columns.input), at.sub(width, length - 1));

  StripShape shape{groupRows, length, numOuterTaps, rows, {}};
  auto emit = [&](const Strip &strip) {
    inputRows.clear();
    RowKernel(b, loc, reduction, shape)
        .emit(
            [&](OpBuilder &, Location, int64_t outerTap, int64_t row,
                int64_t column) { return load(strip, outerTap, row, column); },
            [&](OpBuilder &, Location, int64_t row, int64_t, Lanes lanes) {
              vector::StoreOp::create(
                  b, loc, lanes.value, scratch,
                  ValueRange{index(row), at.add(offset, strip.firstInput)});
            });
  };
  // The last vector is moved to the end of the row.
  auto emitFull = [&] {
    auto loop = scf::ForOp::create(b, loc, zero, columns.input, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Strip strip;
    strip.firstInput =
        at.min(loop.getInductionVar(), at.sub(columns.input, length));
    strip.isInterior = true;
    emit(strip);
  };
  auto emitNarrow = [&] {
    Strip strip;
    strip.firstInput = zero;
    emit(strip);
  };
  if (columns.knownInput)
    return *columns.knownInput >= length ? emitFull() : emitNarrow();
  auto branch = scf::IfOp::create(b, loc, at.isAtLeast(columns.input, step),
                                  /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitFull();
  b.setInsertionPointToStart(branch.elseBlock());
  emitNarrow();
}

void PlaneLoops::reduceFromScratch(Value scratch, Value offset, Value row,
                                   const StripShape &shape, bool isPartial) {
  int64_t width = shape.numColumns;
  auto loop =
      scf::ForOp::create(b, loc, index(0), columns.output, index(width));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Strip strip;
  strip.firstOutput = loop.getInductionVar();
  if (isPartial)
    strip.numOutputs = at.min(at.sub(columns.output, strip.firstOutput), width);
  else
    strip.firstOutput =
        at.min(strip.firstOutput, at.sub(columns.output, width));
  // Of the buffer, whose columns begin `offset` before the input's.
  Value first = at.mul(strip.firstOutput, columns.stride);
  RowKernel rowKernel(b, loc, reduction, shape);
  auto emit = [&] {
    rowKernel.emit(
        [&](OpBuilder &, Location, int64_t, int64_t, int64_t column) -> Value {
          return vector::LoadOp::create(b, loc, reduction.getType(), scratch,
                                        ValueRange{row, at.add(first, column)});
        },
        [&](OpBuilder &, Location, int64_t, int64_t column, Lanes lanes) {
          store(strip, rowKernel, at.add(firstRow, row), column, lanes);
        });
  };
  // Counts are the same where no window covers padding.
  if (reduction.isIdempotent() || !columns.coversPadding || !isInteriorGroup)
    return emit();
  Value begin = at.sub(first, offset);
  Value end = at.add(begin, shape.columns.getSpan(width));
  Value fits =
      at.both(at.isAtLeast(begin, index(0)), at.isAtLeast(columns.input, end));
  auto branch = scf::IfOp::create(b, loc, fits, /*withElse=*/true);
  for (bool isThen : {true, false}) {
    b.setInsertionPointToStart(isThen ? branch.thenBlock()
                                      : branch.elseBlock());
    strip.isInterior = isThen;
    emit();
  }
}
