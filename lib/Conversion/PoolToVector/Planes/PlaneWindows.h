// Planes with the values that code for them is emitted with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEWINDOWS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEWINDOWS_H

#include "Planes/PlaneShape.h"

namespace mlir::pool {

struct PlaneWindows {
  explicit PlaneWindows(WindowKernel &kernel);

  WindowKernel &kernel;
  const Problem &problem;
  OpBuilder &b;
  Location loc;
  KernelBuilder at;
  const LaneReduction &reduction;
  int64_t length;
  unsigned rank;
  /// Before rows and columns; a row of a plane without rows is the only one.
  SmallVector<LoopDim> outer;
  LoopDim rows, columns;
  bool hasRows;
  bool mayClamp;
  int64_t numOuterTaps;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_PLANEWINDOWS_H
