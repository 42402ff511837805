// Declares functions that create the finishes of an operation. getFinishes() in
// Finish.h calls the overload for its operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_FINISHES_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_FINISHES_H

#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

SmallVector<Finish> createFinishes(ExtremumOpInterface op,
                                   const WindowExtents &extents);
SmallVector<Finish> createFinishes(AvgPoolOp op, const WindowExtents &extents);
SmallVector<Finish> createFinishes(LpPoolOp op, const WindowExtents &extents);
SmallVector<Finish> createFinishes(AdaptiveAvgPoolOp op,
                                   const AdaptiveExtents &extents);
SmallVector<Finish> createFinishes(AdaptiveMaxPoolOp op,
                                   const AdaptiveExtents &extents);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_FINISHES_H
