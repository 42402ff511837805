// Loops over planes for the shape that a plan says.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneNest.h"

using namespace mlir;
using namespace mlir::pool;

static void emitNest(WindowKernel &kernel, const PlaneShape &shape) {
  PlaneWindows windows(kernel);
  NonTemporal streaming = NonTemporal::get(kernel, shape);
  windows.at.ifElse(canStream(windows, streaming), [&](bool streams) {
    if (streams)
      return PlaneNest(windows, shape, streaming).emit();
    // Buffers that are known to be large are prefetched at any alignment.
    NonTemporal otherwise;
    otherwise.fetchesAhead = streaming.fetchesAhead && !streaming.asksSize;
    PlaneNest(windows, shape, otherwise).emit();
  });
}

Value PlanesPlan::createCondition(WindowKernel &kernel) const {
  if (!otherwise)
    return {};
  KernelBuilder at(kernel.b, kernel.getLoc());
  return at.isAtLeast(at.index(shape.numColumns), kernel.dims.back().output);
}

void PlanesPlan::emit(WindowKernel &kernel) const { emitNest(kernel, shape); }

void BufferedPlan::emit(WindowKernel &kernel) const { emitNest(kernel, shape); }

void VanHerkPlan::emit(WindowKernel &kernel) const {
  PlaneShape blocks = shape;
  // A block has as many rows as a window.
  blocks.groupRows = kernel.problem.getRows().kernel;
  emitNest(kernel, blocks);
}
