// Loops over channels-last buffers: groups of output rows, in these groups of
// output columns, and in these the channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelGroup.h"
#include "Channels/Channels.h"
#include "Emit/Memory.h"
#include "Emit/ParallelLoops.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class ChannelLoops {
public:
  ChannelLoops(WindowKernel &kernel, const ChannelTile &tile)
      : kernel(kernel), b(kernel.b), loc(kernel.getLoc()), at(b, loc),
        shape(kernel, tile) {}

  /// Whether buffers begin where stores past the caches need them to; null if
  /// there are no such stores.
  Value isAligned();
  void create();

private:
  Value index(int64_t value) { return at.constant(value); }

  void emitRows();
  /// The columns of a group of rows, `groupColumns` at once.
  void emitColumns(int64_t groupColumns, bool mayHaveFewChannels);
  void emitGroup(ChannelPlace &place);

  WindowKernel &kernel;
  OpBuilder &b;
  Location loc;
  IndexArithmetic at;
  ChannelShape shape;

  /// Of the rows that are emitted.
  SmallVector<Value> coordinates, starts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value ChannelLoops::isAligned() {
  Value all;
  // Without such stores there are no alignments.
  for (auto [buffer, alignment] :
       llvm::zip(kernel.buffers, shape.storeAlignments))
    all = at.both(all, isAlignedTo(b, loc, buffer, alignment));
  return all;
}

void ChannelLoops::create() {
  SmallVector<Value> upper = kernel.getOutputShape();
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
  if (!columns.knownOutput && shape.numColumns > 1)
    isFull = at.isAtLeast(columns.output, index(shape.numColumns));
  if (!shape.knownChannels) {
    Value hasMany = at.isAtLeast(shape.channels, index(length));
    isFull = at.both(isFull, hasMany);
  }
  if (!isFull)
    return emitColumns(shape.numColumns, /*mayHaveFewChannels=*/false);
  auto branch = scf::IfOp::create(b, loc, isFull, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitColumns(shape.numColumns, /*mayHaveFewChannels=*/false);
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

void pool::emitChannels(WindowKernel &kernel, PlanAttr plan) {
  ChannelTile tile = getChecked<ChannelsPlan>(plan).tile;
  tile.isUniform = kernel.problem.isUniform;
  ChannelLoops loops(kernel, tile);
  OpBuilder &b = kernel.b;
  Value isAligned = loops.isAligned();
  if (!isAligned)
    return loops.create();
  auto branch = scf::IfOp::create(b, kernel.getLoc(), isAligned,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  loops.create();
  b.setInsertionPointToStart(branch.elseBlock());
  tile.streams = false;
  ChannelLoops(kernel, tile).create();
}
