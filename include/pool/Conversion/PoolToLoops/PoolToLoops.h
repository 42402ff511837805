// Patterns that lower pool.window_reduce on buffers to loops, and their parts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
#define POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Adds a pattern that lowers pool.window_reduce on buffers to an scf.parallel
/// over the outputs around scf.for loops over the taps inside the input.
/// Nothing is allocated.
void populatePoolToLoopsPatterns(RewritePatternSet &patterns);

/// Creates loops over the elements of the window at the coordinates `output` in
/// the buffer `input`. Returns its results, of signless types.
SmallVector<Value> reduceWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                                Value input, ValueRange output);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
