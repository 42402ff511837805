// Planes with the values that code for them is emitted with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Planes/PlaneWindows.h"

using namespace mlir;
using namespace mlir::pool;

PlaneWindows::PlaneWindows(WindowKernel &kernel)
    : kernel(kernel), problem(kernel.problem), b(kernel.b),
      loc(kernel.getLoc()), at(b, loc), reduction(kernel.reduction),
      length(reduction.getLength()), rank(kernel.getRank()),
      hasRows(problem.hasRows()), mayClamp(problem.mayClamp),
      numOuterTaps(problem.getNumOuterTaps()) {
  SmallVector<LoopDim> dims = kernel.dims;
  columns = dims.pop_back_val();
  rows = hasRows ? dims.pop_back_val() : LoopDim::getSingle(at);
  outer = std::move(dims);
}
