// Channels-first buffers: loops over their planes for each shape that rows may
// have at run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneNest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

static void emitNest(PlaneWindows &windows, const PlaneShape &shape) {
  Streaming streaming = getStreaming(windows, shape);
  Value streams = canStream(windows, streaming);
  if (!streams)
    return PlaneNest(windows, shape, streaming).emit();
  OpBuilder &b = windows.b;
  auto branch = scf::IfOp::create(b, windows.loc, streams, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  PlaneNest(windows, shape, streaming).emit();
  b.setInsertionPointToStart(branch.elseBlock());
  // What is known to be large is fetched ahead at any alignment.
  Streaming otherwise;
  otherwise.fetchesAhead = streaming.fetchesAhead && !streaming.asksSize;
  PlaneNest(windows, shape, otherwise).emit();
}

LogicalResult pool::createPlaneLoops(WindowKernel &kernel) {
  // Lanes are consecutive columns.
  if (kernel.op.getWindow().layout != Layout::ChannelsFirst ||
      !kernel.hasContiguousLanes())
    return failure();
  PlaneWindows windows(kernel);
  FailureOr<SmallVector<PlaneShape>> shapes = choosePlaneShapes(windows);
  if (failed(shapes))
    return failure();
  OpBuilder &b = windows.b;
  OpBuilder::InsertionGuard guard(b);
  for (const PlaneShape &shape : ArrayRef(*shapes).drop_back()) {
    Value fits = windows.at.isAtLeast(windows.index(shape.numColumns),
                                      windows.columns.output);
    auto branch = scf::IfOp::create(b, windows.loc, fits, /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    emitNest(windows, shape);
    b.setInsertionPointToStart(branch.elseBlock());
  }
  emitNest(windows, shapes->back());
  return success();
}
