// Loops over the planes of channels-first buffers: in each, groups of output
// rows that share input rows, and strips of these where a row is wide or its
// extent is not known.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneLoops.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

using namespace mlir;
using namespace mlir::pool;

PlaneLoops::PlaneLoops(WindowKernel &kernel)
    : kernel(kernel), b(kernel.b), loc(kernel.getLoc()), at(b, loc),
      reduction(kernel.reduction), length(reduction.getLength()),
      rank(kernel.getRank()) {
  SmallVector<OpFoldResult> outputs = kernel.getOutputShape();
  WindowAttrs window = kernel.op.getWindow();
  SmallVector<PlaneDim> dims;
  bool allClamp = kernel.op.getReduction() == Reduction::Max &&
                  kernel.op.getPadValue() == PadValue::NegInf;
  for (auto [i, symbolic] : llvm::enumerate(kernel.getDims())) {
    PlaneDim &dim = dims.emplace_back();
    dim.kernel = symbolic.kernel;
    dim.stride = symbolic.stride;
    dim.dilation = symbolic.dilation;
    OpFoldResult output = outputs[window.getSpatialDim(i)];
    dim.knownInput = getConstantIntValue(symbolic.input);
    dim.knownOutput = getConstantIntValue(output);
    dim.knownPad = getConstantIntValue(symbolic.padBegin);
    dim.coversPadding = mayCoverPadding(symbolic);
    allClamp &= hasNoEmptyWindow(symbolic);
    dim.input = getValueOrCreateConstantIndexOp(b, loc, symbolic.input);
    dim.output = getValueOrCreateConstantIndexOp(b, loc, output);
    dim.padBegin = getValueOrCreateConstantIndexOp(b, loc, symbolic.padBegin);
  }
  mayClamp = allClamp;
  columns = dims.pop_back_val();
  hasRows = !dims.empty();
  if (hasRows) {
    rows = dims.pop_back_val();
  } else {
    rows.input = rows.output = index(1);
    rows.padBegin = index(0);
    rows.knownInput = rows.knownOutput = 1;
    rows.knownPad = 0;
  }
  outer = std::move(dims);
  for (const PlaneDim &dim : outer)
    numOuterTaps *= dim.kernel;
}

//===----------------------------------------------------------------------===//
// The shape of a strip
//===----------------------------------------------------------------------===//

/// Vectors that a row is kept in at once, so that it need not be cut.
static constexpr int64_t kMaxRowVectors = 8;
/// Vectors of outputs of a group of rows: code grows with them.
static constexpr int64_t kMaxGroupVectors = 32;

/// Operations of a strip: what takes longer to compile than it is worth.
static constexpr int64_t kMaxCodeSize = 700;

/// Rows of a group that are kept in a buffer.
static constexpr int64_t kMaxScratchRows = 32;

void PlaneLoops::chooseShape() {
  numVectors = 4;
  if (columns.knownOutput && columns.knownPad && columns.knownInput) {
    int64_t all = llvm::divideCeil(*columns.knownOutput, length);
    isWholeRow = all <= kMaxRowVectors;
    numVectors = isWholeRow ? all : 4;
    // From the row's own first column on loads are aligned if rows are, and the
    // padding before it is no load; from the window's on fewer lanes are moved.
    if (isWholeRow && getNumRowVectors(-*columns.knownPad) <
                          getNumRowVectors(0) + (*columns.knownPad > 0))
      firstColumn = -*columns.knownPad;
  }
  // Few rows where few are shared: memory is read best in one stream.
  int64_t mostRows = rows.kernel <= rows.stride               ? 1
                     : rows.kernel <= 3 && rows.dilation == 1 ? 2
                     : rows.kernel < 9                        ? 4
                                                              : 16;
  mostRows =
      std::min(mostRows, std::max<int64_t>(kMaxGroupVectors / numVectors, 1));
  if (rows.kernel == 1 && numVectors < 4)
    mostRows = 4;
  if (reduction.hasPositions())
    mostRows = std::min<int64_t>(mostRows, rows.stride < rows.kernel ? 2 : 1);
  groupRows = chooseNumRows(mostRows);
}

int64_t PlaneLoops::getNumRowVectors(int64_t first) const {
  int64_t end = (*columns.knownOutput - 1) * columns.stride +
                columns.getExtent() - *columns.knownPad;
  end = std::min(end, *columns.knownInput);
  return llvm::divideCeil(end - first, length);
}

int64_t PlaneLoops::chooseNumRows(int64_t mostRows) const {
  if (rows.knownOutput)
    mostRows = std::min(mostRows, *rows.knownOutput);
  // Rows of the last group that are computed twice count.
  int64_t bestRows = 1;
  double best = std::numeric_limits<double>::infinity();
  for (int64_t n = 1; n <= mostRows; ++n) {
    double numRows = rows.knownOutput.value_or(1 << 16);
    double loads = double(rows.getSpan(n)) / n;
    double perRow = getColumnCost(rows, n) + loads * numOuterTaps + 1.0 / n;
    double cost = perRow * std::ceil(numRows / n) * n;
    if (cost < best * 0.999) {
      best = cost;
      bestRows = n;
    }
  }
  return bestRows;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult PlaneLoops::create() {
  chooseShape();
  StripShape shape{groupRows, numVectors * length, numOuterTaps, rows, columns};
  auto isShort = [&](const StripShape &shape, int64_t factor) {
    return RowKernel(b, loc, reduction, shape).getCodeSize() <=
           factor * kMaxCodeSize;
  };
  if (std::max(rows.getExtent(), columns.getExtent()) > kMaxCodeSize ||
      columns.stride > kMaxCodeSize)
    return failure();
  usesScratch = !isShort(shape, 1);
  if (usesScratch) {
    if (reduction.hasPositions())
      return failure();
    isWholeRow = false;
    groupRows = chooseNumRows(kMaxScratchRows);
    if (!isShort({groupRows, length, numOuterTaps, rows, {}}, 4))
      return failure();
    // More vectors share what they read past their own.
    numVectors = 8;
    while (!isShort({1, numVectors * length, 1, {}, columns}, 1))
      if ((numVectors /= 2) == 0)
        return failure();
  }
  // A plane may have fewer rows than a group.
  rows.coversPadding |= !rows.knownOutput && groupRows > 1;
  // Whatever the first loaded column is, the codes are as many.
  if (reduction.hasPositions() &&
      (!mayClamp || !RowKernel(b, loc, reduction, shape).canFollowCodes()))
    return failure();

  streamAlignments = getStreamAlignments();
  if (streamAlignments.empty()) {
    emitLoops();
    return success();
  }
  Value isAligned;
  for (auto [buffer, alignment] :
       llvm::zip_equal(kernel.buffers, streamAlignments)) {
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    Value rest = b.createOrFold<arith::RemUIOp>(loc, address, index(alignment));
    Value fits = at.isAtLeast(index(0), rest);
    isAligned = isAligned ? at.both(isAligned, fits) : fits;
  }
  auto branch = scf::IfOp::create(b, loc, isAligned, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitLoops();
  streamAlignments.clear();
  b.setInsertionPointToStart(branch.elseBlock());
  emitLoops();
  return success();
}

/// From so many bytes in and out on stores go past the caches: below they reach
/// more than the memory does.
static constexpr int64_t kStreamedBytes = 16'000'000;

SmallVector<int64_t> PlaneLoops::getStreamAlignments() {
  auto inputType = cast<MemRefType>(kernel.input.getType());
  if (!inputType.hasStaticShape() || usesScratch)
    return {};
  auto getNumBytes = [](MemRefType type) {
    return type.getElementTypeBitWidth() / 8;
  };
  double total = double(inputType.getNumElements()) * getNumBytes(inputType);
  SmallVector<int64_t> alignments;
  for (Value buffer : kernel.buffers) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return {};
    total += double(type.getNumElements()) * getNumBytes(type);
    int64_t rowBytes = *columns.knownOutput * getNumBytes(type);
    int64_t alignment = std::min<int64_t>(rowBytes & -rowBytes, 64);
    // A strip that is moved to the end of the row is aligned there.
    if (!isWholeRow)
      alignment = std::min(alignment, length * getNumBytes(type));
    if (alignment < 32 || length * getNumBytes(type) < alignment)
      return {};
    alignments.push_back(alignment);
  }
  if (total < kStreamedBytes)
    return {};
  return alignments;
}

void PlaneLoops::emitLoops() {
  coordinates.clear();
  outerStarts.clear();
  SmallVector<Value> upper =
      getValueOrCreateConstantIndexOp(b, loc, kernel.getOutputShape());
  upper.truncate(rank - 1);
  if (hasRows)
    upper.back() = at.ceilDiv(rows.output, groupRows);
  SmallVector<Value> lower(upper.size(), index(0)),
      steps(upper.size(), index(1));
  auto loops = scf::ParallelOp::create(b, loc, lower, upper, steps);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  coordinates = llvm::to_vector(ValueRange(loops.getInductionVars()));
  if (hasRows) {
    // The last group is moved to the last rows.
    Value group = coordinates.pop_back_val();
    firstRow = at.mul(group, groupRows);
    if (rows.knownOutput.value_or(1) % groupRows != 0)
      firstRow = at.min(firstRow, at.sub(rows.output, groupRows));
    if (!rows.knownOutput)
      firstRow = at.max(firstRow, 0);
  } else {
    firstRow = index(0);
  }
  emitGroup();
}

void PlaneLoops::emitGroup() {
  rowStart = at.sub(at.mul(firstRow, rows.stride), rows.padBegin);
  for (auto [i, dim] : llvm::enumerate(outer))
    outerStarts.push_back(
        at.sub(at.mul(coordinates[2 + i], dim.stride), dim.padBegin));

  // Where padding cannot be replaced, rows are tested, but not in the interior.
  Value isInterior;
  auto requireInside = [&](const PlaneDim &dim, Value start, int64_t span) {
    if (!dim.coversPadding)
      return;
    Value fits = at.isAtLeast(start, index(0));
    fits = at.both(fits, at.isAtLeast(at.sub(dim.input, span), start));
    isInterior = isInterior ? at.both(isInterior, fits) : fits;
  };
  if (!mayClamp) {
    requireInside(rows, rowStart, rows.getSpan(groupRows));
    for (auto [dim, start] : llvm::zip_equal(outer, outerStarts))
      requireInside(dim, start, dim.getExtent());
  }
  if (!isInterior) {
    isInteriorGroup = !mayClamp;
    emitRows();
    return;
  }
  auto branch = scf::IfOp::create(b, loc, isInterior, /*withElse=*/true);
  for (bool isThen : {true, false}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(isThen ? branch.thenBlock()
                                      : branch.elseBlock());
    isInteriorGroup = isThen;
    emitRows();
  }
}

void PlaneLoops::emitRows() {
  inputRows.clear();
  if (usesScratch)
    return emitThroughScratch();
  if (isWholeRow) {
    StripShape shape{groupRows, *columns.knownOutput, numOuterTaps, rows,
                     columns};
    shape.columns.shift = *columns.knownPad + firstColumn;
    return emitStrip({}, shape);
  }
  if (columns.knownOutput) {
    int64_t numFull = *columns.knownOutput / length;
    if (numFull == 0)
      return emitStrips(1, /*hasInterior=*/false, /*isPartial=*/true);
    return emitStrips(std::min(numVectors, numFull), /*hasInterior=*/true,
                      /*isPartial=*/false);
  }
  // Wide strips where the row has as many columns.
  Value width = columns.output;
  auto branch =
      scf::IfOp::create(b, loc, at.isAtLeast(width, index(4 * length)), true);
  auto emitIn = [&](Block *block, int64_t numVectors, bool isPartial) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    inputRows.clear();
    emitStrips(numVectors, /*hasInterior=*/numVectors > 1, isPartial);
  };
  emitIn(branch.thenBlock(), 4, false);
  emitIn(branch.elseBlock(), 1, true);
}

void PlaneLoops::emitStrips(int64_t numVectors, bool hasInterior,
                            bool isPartial) {
  int64_t width = numVectors * length;
  StripShape shape{groupRows, width, numOuterTaps, rows, columns};
  shape.columns.shift = 0;
  Value zero = index(0);
  auto loop = scf::ForOp::create(b, loc, zero, columns.output, index(width));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  inputRows.clear();
  Strip strip;
  strip.firstOutput = loop.getInductionVar();
  if (isPartial)
    strip.numOutputs = at.min(at.sub(columns.output, strip.firstOutput), width);
  else
    // The last strip is moved to the end of the row.
    strip.firstOutput =
        at.min(strip.firstOutput, at.sub(columns.output, width));
  strip.firstInput =
      at.sub(at.mul(strip.firstOutput, columns.stride), columns.padBegin);
  if (!hasInterior)
    return emitStrip(strip, shape);
  auto [first, end] = RowKernel(b, loc, reduction, shape).getLoadedColumns();
  Value fits = at.isAtLeast(at.add(strip.firstInput, first), zero);
  fits =
      at.both(fits, at.isAtLeast(at.sub(columns.input, end), strip.firstInput));
  auto branch = scf::IfOp::create(b, loc, fits, /*withElse=*/true);
  for (bool isThen : {true, false}) {
    b.setInsertionPointToStart(isThen ? branch.thenBlock()
                                      : branch.elseBlock());
    inputRows.clear();
    strip.isInterior = isThen;
    emitStrip(strip, shape);
  }
}

void PlaneLoops::emitStrip(const Strip &strip, const StripShape &shape) {
  RowKernel rowKernel(b, loc, reduction, shape);
  rowKernel.emit(
      [&](OpBuilder &, Location, int64_t outerTap, int64_t row,
          int64_t column) { return load(strip, outerTap, row, column); },
      [&](OpBuilder &, Location, int64_t row, int64_t column, Lanes lanes) {
        store(strip, rowKernel, at.add(firstRow, row), column, lanes);
      });
}

LogicalResult pool::createPlaneLoops(WindowKernel &kernel) {
  if (kernel.op.getWindow().layout != Layout::ChannelsFirst)
    return failure();
  // Lanes are consecutive columns.
  auto isContiguous = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).isLastDimUnitStride();
  };
  if (!isContiguous(kernel.input) ||
      !llvm::all_of(kernel.buffers, isContiguous))
    return failure();
  return PlaneLoops(kernel).create();
}
