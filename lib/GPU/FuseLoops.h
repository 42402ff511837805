// Fuses neighbouring parallel loops, so that a chain of operations is one
// kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_FUSELOOPS_H
#define POOL_LIB_GPU_FUSELOOPS_H

#include "mlir/IR/Region.h"

namespace mlir {
class AliasAnalysis;
} // namespace mlir

namespace mlir::pool {

/// Fuses neighbouring parallel loops of `region` that have equal extents, if
/// all fusions keep the order of effects. Loads then take the values that the
/// same iteration has stored. Erases the buffers that nothing reads any more,
/// and returns their number.
unsigned fuseLoops(Region &region, AliasAnalysis &aliases);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_FUSELOOPS_H
