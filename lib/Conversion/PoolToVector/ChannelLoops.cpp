// Loops over channels-last buffers: groups of output rows, in these groups of
// output columns, and in these the channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChannelGroup.h"
#include "SharedReduction.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class ChannelLoops {
public:
  explicit ChannelLoops(WindowKernel &kernel);

  LogicalResult create();

private:
  Value index(int64_t value) { return at.constant(value); }

  /// About how many operations on vectors a group is.
  double getCodeSize(int64_t numRows, int64_t numColumns) const;
  /// About how many operations on vectors a column of output takes.
  double chooseShape();
  void emitRows();
  /// The columns of a group of rows, `groupColumns` at once.
  void emitColumns(int64_t groupColumns, bool mayHaveFewChannels);
  void emitGroup(ChannelPlace &place);

  WindowKernel &kernel;
  OpBuilder &b;
  Location loc;
  IndexArithmetic at;
  ChannelShape shape;
  int64_t numColumns = 1;

  /// Of the rows that are emitted.
  SmallVector<Value> coordinates, starts;
};
} // namespace

ChannelLoops::ChannelLoops(WindowKernel &kernel)
    : kernel(kernel), b(kernel.b), loc(kernel.getLoc()), at(b, loc) {
  shape.dims = getLoopDims(kernel);
  shape.hasRows = shape.dims.size() > 1;
  if (!shape.hasRows)
    shape.dims.insert(shape.dims.begin(), LoopDim::getSingle(at));
  shape.mayClamp = canClampToWindow(kernel);
  OpFoldResult channels = kernel.getOutputShape().back();
  shape.knownChannels = getConstantIntValue(channels);
  shape.channels = getValueOrCreateConstantIndexOp(b, loc, channels);
}

//===----------------------------------------------------------------------===//
// The shape of a group
//===----------------------------------------------------------------------===//

/// Operations of a group of straight code, which there may be twice: what takes
/// longer to compile than it is worth.
static constexpr int64_t kMaxCodeSize = 750;
/// What a group costs beside operations on vectors.
static constexpr int64_t kGroupCost = 8;

double ChannelLoops::getCodeSize(int64_t numRows, int64_t numColumns) const {
  const LoopDim &rows = shape.getRows(), &columns = shape.getColumns();
  int64_t perLine =
      columns.getSpan(numColumns) + getSharedSize(columns, numColumns);
  int64_t perColumn = getSharedSize(rows, numRows) + numRows;
  return double(shape.getNumOuterTaps()) *
         (double(rows.getSpan(numRows)) * perLine + numColumns * perColumn);
}

/// Input rows that are read at once: with more, the streams are too many for
/// the hardware's prefetching.
static constexpr int64_t kMaxInputRows = 6;
/// Vectors of channels that are reduced at once.
static constexpr int64_t kMaxChannelVectors = 8;

double ChannelLoops::chooseShape() {
  const LoopDim &rows = shape.getRows(), &columns = shape.getColumns();
  // Small windows share little with more than one neighbour.
  int64_t mostRows = 8, mostColumns = columns.kernel <= 3 ? 2 : 8;
  while (rows.kernel <= 3 && mostRows > 1 &&
         rows.getSpan(mostRows) > kMaxInputRows)
    --mostRows;
  // Taps are loops where one output is too long already.
  if (getCodeSize(1, 1) > kMaxCodeSize) {
    mostRows = 1;
    shape.numRolled = shape.dims.size() - 1;
  }
  bool isSingle = rows.knownOutput == 1 && columns.knownOutput == 1;
  if (isSingle || 2 * columns.getExtent() > kMaxCodeSize) {
    mostRows = mostColumns = 1;
    shape.numRolled = shape.dims.size();
    shape.numVectors = std::clamp<int64_t>(shape.knownChannels.value_or(1) /
                                               kernel.reduction.getLength(),
                                           1, kMaxChannelVectors);
  }
  auto getSize = [&](int64_t numRows, int64_t numColumns) -> double {
    if (shape.numRolled == 0)
      return getCodeSize(numRows, numColumns);
    return columns.getSpan(numColumns) + getSharedSize(columns, numColumns) +
           numColumns;
  };
  auto getCost = [](const LoopDim &dim, int64_t n) {
    // The last group's outputs that are computed twice included.
    if (!dim.knownOutput)
      return 1.0;
    return double(llvm::divideCeil(*dim.knownOutput, n) * n) / *dim.knownOutput;
  };
  mostRows = std::min(mostRows, rows.knownOutput.value_or(mostRows));
  mostColumns =
      std::min(mostColumns, columns.knownOutput.value_or(mostColumns));
  double best = std::numeric_limits<double>::infinity();
  for (int64_t r = 1; r <= mostRows; ++r) {
    for (int64_t c = 1; c <= mostColumns; ++c) {
      double size = getSize(r, c);
      if (size > kMaxCodeSize && r * c > 1 &&
          shape.numRolled < shape.dims.size())
        break;
      double cost = (size + kGroupCost) / (r * c) * getCost(rows, r) *
                    getCost(columns, c);
      if (cost < best * 0.999) {
        best = cost;
        shape.numRows = r;
        numColumns = c;
      }
    }
  }
  return best;
}

/// How much longer an operation takes whose lanes are channels that are few.
static constexpr double kFewChannelsFactor = 1.6;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult ChannelLoops::create() {
  double cost = chooseShape();
  if (std::optional<double> few = getFewChannelsCost(kernel);
      few && *few <= kFewChannelsFactor * cost) {
    createFewChannels(kernel);
    return success();
  }
  shape.movesLastRows = kernel.reduction.isIdempotent();
  if (kernel.reduction.hasPositions() &&
      (!shape.mayClamp || !shape.canFollowCodes(numColumns)))
    return failure();

  SmallVector<Value> upper =
      getValueOrCreateConstantIndexOp(b, loc, kernel.getOutputShape());
  upper.truncate(shape.dims.size());
  const LoopDim &rows = shape.getRows();
  if (shape.hasRows)
    upper.back() = at.ceilDiv(at.max(rows.output, 0), shape.numRows);
  else
    upper.truncate(1);
  upper.front() = getNumUnlessEmpty(at, b, loc, shape.dims, upper.front());
  auto loops = createParallelLoops(b, loc, upper);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  coordinates = llvm::to_vector(ValueRange(loops.getInductionVars()));
  if (shape.hasRows) {
    Value &firstRow = coordinates.back();
    firstRow = at.mul(firstRow, shape.numRows);
    if (shape.movesLastRows &&
        rows.knownOutput.value_or(1) % shape.numRows != 0)
      firstRow =
          at.max(at.min(firstRow, at.sub(rows.output, shape.numRows)), 0);
  }
  emitRows();
  return success();
}

void ChannelLoops::emitRows() {
  for (auto [d, dim] : llvm::enumerate(ArrayRef(shape.dims).drop_back()))
    starts.push_back(d == shape.getRowDim() && !shape.hasRows
                         ? index(0)
                         : dim.getStart(at, coordinates[1 + d]));
  // Whether there are as many columns and channels as a group has.
  Value isFull;
  const LoopDim &columns = shape.getColumns();
  int64_t length = kernel.reduction.getLength();
  if (!columns.knownOutput && numColumns > 1)
    isFull = at.isAtLeast(columns.output, index(numColumns));
  if (!shape.knownChannels) {
    Value hasMany = at.isAtLeast(shape.channels, index(length));
    isFull = at.both(isFull, hasMany);
  }
  if (!isFull)
    return emitColumns(numColumns, /*mayHaveFewChannels=*/false);
  auto branch = scf::IfOp::create(b, loc, isFull, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitColumns(numColumns, /*mayHaveFewChannels=*/false);
  b.setInsertionPointToStart(branch.elseBlock());
  emitColumns(1, /*mayHaveFewChannels=*/!shape.knownChannels);
}

void ChannelLoops::emitColumns(int64_t groupColumns, bool mayHaveFewChannels) {
  const LoopDim &columns = shape.getColumns();
  auto loop =
      scf::ForOp::create(b, loc, index(0), columns.output, index(groupColumns));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ChannelPlace place;
  place.numColumns = groupColumns;
  place.mayHaveFewChannels = mayHaveFewChannels;
  Value first = loop.getInductionVar();
  // The last group is moved to the last columns.
  if (groupColumns > 1 && columns.knownOutput.value_or(1) % groupColumns != 0)
    first = at.min(first, at.sub(columns.output, groupColumns));
  place.coordinates = coordinates;
  place.coordinates.push_back(first);
  place.starts = starts;
  place.starts.push_back(columns.getStart(at, first));
  emitGroup(place);
}

void ChannelLoops::emitGroup(ChannelPlace &place) {
  // Padding is tested for or replaced, but not in the interior. Rolled loops
  // have no padding.
  Value isInterior;
  for (auto [d, dim] : llvm::enumerate(shape.dims)) {
    bool isColumns = d == shape.getColumnDim();
    if (!shape.mayLeaveInput(d) || (shape.mayClamp && !isColumns))
      continue;
    int64_t numOutputs = isColumns                ? place.numColumns
                         : d == shape.getRowDim() ? shape.numRows
                                                  : 1;
    Value fits = dim.contains(at, place.starts[d], dim.getSpan(numOutputs));
    isInterior = at.both(isInterior, fits);
  }
  if (!isInterior) {
    place.isInterior = true;
    return ChannelGroup(kernel, shape, place).emit();
  }
  emitInteriorAndBorder(b, loc, isInterior, [&](bool isHere) {
    place.isInterior = isHere;
    ChannelGroup(kernel, shape, place).emit();
  });
}

LogicalResult pool::createChannelLoops(WindowKernel &kernel) {
  // Lanes are consecutive channels.
  if (kernel.op.getWindow().layout != Layout::ChannelsLast ||
      !kernel.hasContiguousLanes())
    return failure();
  return ChannelLoops(kernel).create();
}
