// Patterns that lower pool.window_reduce on buffers to loops, and their parts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
#define POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// pool.window_reduce on buffers to an scf.parallel over the outputs with
/// scf.for over what their windows have of the input. Nothing is allocated.
void populatePoolToLoopsPatterns(RewritePatternSet &patterns);

/// The results of one window, at the coordinates `output`, of signless types:
/// loops over its elements in the buffer `input`.
SmallVector<Value> reduceWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                                Value input, ValueRange output);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
