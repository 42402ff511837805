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
  SmallVector<LoopDim> dims = getLoopDims(kernel);
  mayClamp = canClampToWindow(kernel);
  columns = dims.pop_back_val();
  hasRows = !dims.empty();
  rows = hasRows ? dims.pop_back_val() : LoopDim::getSingle(at);
  outer = std::move(dims);
  for (const LoopDim &dim : outer)
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

/// How many vectors wide strips of a row of `all` vectors are, so that the last
/// one repeats little of the one before.
static int64_t chooseNumVectors(int64_t all) {
  int64_t best = 4;
  auto getCost = [&](int64_t n) {
    return llvm::divideCeil(all, n) * (n + 0.3);
  };
  for (int64_t n : {5, 6, 3})
    if (getCost(n) < getCost(best))
      best = n;
  return best;
}

void PlaneLoops::chooseShape() {
  numVectors = 4;
  if (columns.knownOutput && columns.knownPad && columns.knownInput) {
    int64_t all = llvm::divideCeil(*columns.knownOutput, length);
    isWholeRow = all <= kMaxRowVectors;
    numVectors = isWholeRow ? all : chooseNumVectors(all);
    // From the row's own first column on loads are aligned if rows are, and the
    // padding before it is no load; from the window's on fewer lanes are moved.
    if (isWholeRow && getNumRowVectors(-*columns.knownPad) <
                          getNumRowVectors(0) + (*columns.knownPad > 0))
      firstColumn = -*columns.knownPad;
  }
  int64_t mostCarrying = getMostCarryingRows();
  // Narrower strips rather than none that carry.
  if (!columns.knownOutput && mostCarrying == 0) {
    for (numVectors = 2; numVectors > 0; numVectors /= 2)
      if ((mostCarrying = getMostCarryingRows()) > 0)
        break;
    if (mostCarrying == 0)
      numVectors = 4;
  }
  carriesRows = mostCarrying > 0;
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
  if (carriesRows)
    mostRows = std::min(mostRows, mostCarrying);
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
    double loads = carriesRows ? rows.stride : double(rows.getSpan(n)) / n;
    // Groups that carry rows need little besides.
    double perRow = getColumnCost(rows, n) + loads * numOuterTaps +
                    (carriesRows ? 0.0 : 1.0 / n);
    double cost = perRow * (carriesRows ? numRows : std::ceil(numRows / n) * n);
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
  if (std::max(rows.getExtent(), columns.getExtent()) > kMaxCodeSize ||
      std::max(rows.stride, columns.stride) > kMaxCodeSize)
    return failure();
  chooseShape();
  StripShape shape{groupRows, numVectors * length, numOuterTaps, rows, columns};
  auto isShort = [&](const StripShape &shape, int64_t factor) {
    return RowKernel(b, loc, reduction, shape).getCodeSize() <=
           factor * kMaxCodeSize;
  };
  // Of medium windows narrower strips, unless the widest are known to fit.
  if (!columns.knownOutput && columns.getExtent() <= length)
    for (; numVectors > 1 && !isShort(shape, 1);
         shape.numColumns = numVectors * length)
      numVectors /= 2;
  usesScratch = !isShort(shape, 1);
  carriesRows &= !usesScratch;
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
  rows.coversPadding |= !rows.knownOutput && groupRows > 1 && !carriesRows;
  // Whatever the first loaded column is, the codes are as many.
  if (reduction.hasPositions() &&
      (!mayClamp || !RowKernel(b, loc, reduction, shape).canFollowCodes()))
    return failure();

  if (isLarge() && !usesScratch) {
    streamAlignments = getStreamAlignments();
    // Hardware follows the rows of several planes, but not as well those of
    // one.
    fetchesAhead = hasRows && outer.empty();
  }
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

/// From so many bytes in and out on, which do not stay in caches, stores go
/// past these and rows are fetched ahead. Below, both cost more than they give.
static constexpr int64_t kStreamedBytes = 16'000'000;

static double getNumBytes(MemRefType type) {
  return double(type.getNumElements()) * (type.getElementTypeBitWidth() / 8);
}

bool PlaneLoops::isLarge() {
  double total = 0;
  auto add = [&](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    bool isKnown = type.hasStaticShape() && type.getLayout().isIdentity();
    if (isKnown)
      total += getNumBytes(type);
    return isKnown;
  };
  return add(kernel.input) && llvm::all_of(kernel.buffers, add) &&
         total >= kStreamedBytes;
}

SmallVector<int64_t> PlaneLoops::getStreamAlignments() {
  SmallVector<int64_t> alignments;
  for (Value buffer : kernel.buffers) {
    int64_t bytes =
        cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
    int64_t rowBytes = *columns.knownOutput * bytes;
    int64_t alignment = std::min<int64_t>(rowBytes & -rowBytes, 64);
    // A strip that is moved to the end of the row is aligned there.
    if (!isWholeRow)
      alignment = std::min(alignment, length * bytes);
    if (alignment < 32 || length * bytes < alignment)
      return {};
    alignments.push_back(alignment);
  }
  return alignments;
}

void PlaneLoops::emitLoops() {
  coordinates.clear();
  outerStarts.clear();
  SmallVector<Value> upper =
      getValueOrCreateConstantIndexOp(b, loc, kernel.getOutputShape());
  upper.truncate(rank - 1);
  int64_t partRows = carriesRows ? getNumPartRows() : groupRows;
  if (hasRows)
    upper.back() = at.ceilDiv(at.max(rows.output, 0), partRows);
  SmallVector<LoopDim> dims(outer);
  dims.append({rows, columns});
  upper.front() = getNumUnlessEmpty(at, b, loc, dims, upper.front());
  SmallVector<Value> lower(upper.size(), index(0)),
      steps(upper.size(), index(1));
  auto loops = scf::ParallelOp::create(b, loc, lower, upper, steps);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  coordinates = llvm::to_vector(ValueRange(loops.getInductionVars()));
  Value first = index(0);
  if (hasRows)
    first = at.mul(coordinates.pop_back_val(), partRows);
  if (carriesRows) {
    endRow = at.min(at.add(first, partRows), rows.output);
  } else if (hasRows) {
    // The last group is moved to the last rows.
    if (rows.knownOutput.value_or(1) % groupRows != 0)
      first = at.min(first, at.sub(rows.output, groupRows));
    if (!rows.knownOutput)
      first = at.max(first, 0);
  }
  setFirstRow(first);
  emitGroup();
}

void PlaneLoops::setFirstRow(Value row) {
  firstRow = row;
  rowStart = rows.getStart(at, row);
  inputRows.clear();
}

void PlaneLoops::emitGroup() {
  for (auto [i, dim] : llvm::enumerate(outer))
    outerStarts.push_back(dim.getStart(at, coordinates[2 + i]));

  // Where padding cannot be replaced, rows are tested, but not in the interior.
  Value isInterior;
  auto requireInside = [&](const LoopDim &dim, Value start, int64_t span) {
    if (!dim.coversPadding)
      return;
    Value fits = dim.contains(at, start, span);
    isInterior = isInterior ? at.both(isInterior, fits) : fits;
  };
  if (!mayClamp) {
    if (!carriesRows)
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
  // The widest strips that the row has as many columns as; of narrower ones
  // there are few, and most reach over an end.
  OpBuilder::InsertionGuard guard(b);
  for (int64_t n = numVectors; n > 0; n /= 2) {
    auto branch = scf::IfOp::create(
        b, loc, at.isAtLeast(columns.output, index(n * length)),
        /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    inputRows.clear();
    emitStrips(n, /*hasInterior=*/n == numVectors, /*isPartial=*/false);
    b.setInsertionPointToStart(branch.elseBlock());
    inputRows.clear();
  }
  emitStrips(1, /*hasInterior=*/false, /*isPartial=*/true);
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
  if (carriesRows)
    return emitCarriedStrip(strip, shape);
  prefetch(strip, shape.numRows, shape.numColumns);
  emitRowGroup(strip, shape, /*carried=*/nullptr);
}

void PlaneLoops::emitRowGroup(const Strip &strip, const StripShape &shape,
                              RowKernel::Elements *carried) {
  RowKernel rowKernel(b, loc, reduction, shape);
  rowKernel.emit(
      [&](OpBuilder &, Location, int64_t outerTap, int64_t row,
          int64_t column) { return load(strip, outerTap, row, column); },
      [&](OpBuilder &, Location, int64_t row, int64_t column, Lanes lanes) {
        store(strip, rowKernel, at.add(firstRow, row), column, lanes);
      },
      carried);
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
