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

Value pool::createPlanesCondition(WindowKernel &kernel, PlanAttr attr) {
  auto plan = getChecked<PlanesPlan>(attr);
  if (!plan.otherwise)
    return {};
  KernelBuilder at(kernel.b, kernel.getLoc());
  return at.isAtLeast(at.index(plan.shape.numColumns),
                      kernel.dims.back().output);
}

void pool::emitPlanes(WindowKernel &kernel, PlanAttr attr) {
  emitNest(kernel, getChecked<PlanesPlan>(attr).shape);
}

void pool::emitBuffered(WindowKernel &kernel, PlanAttr attr) {
  emitNest(kernel, getChecked<BufferedPlan>(attr).shape);
}

void pool::emitVanHerk(WindowKernel &kernel, PlanAttr attr) {
  PlaneShape shape = getChecked<VanHerkPlan>(attr).shape;
  // A block has as many rows as a window.
  shape.groupRows = kernel.problem.getRows().kernel;
  emitNest(kernel, shape);
}
