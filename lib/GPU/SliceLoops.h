// Finds the dimensions of serial loop nests whose iterations are independent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_SLICELOOPS_H
#define POOL_LIB_GPU_SLICELOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pool {

/// Puts the serial nest `loop` into a parallel loop over those of its
/// dimensions whose iterations are independent. The other dimensions stay
/// serial, in their order. Fails, and changes nothing, if no dimension is
/// independent.
LogicalResult parallelizeSlices(RewriterBase &rewriter, scf::ForOp loop);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_SLICELOOPS_H
