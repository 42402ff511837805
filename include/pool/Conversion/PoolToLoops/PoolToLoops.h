// Patterns that lower pool.window_reduce on buffers to loops, and their parts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
#define POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Adds a pattern that lowers pool.window_reduce on buffers. The outer loop is
/// an scf.parallel over the outputs. In it, scf.for loops go over those taps of
/// a window that lie inside the input. Nothing is allocated. With the plan
/// `gpu-output` and `clamp = true` they go over all taps instead, at
/// coordinates clamped to the input, so that all windows run the same code.
void populatePoolToLoopsPatterns(RewritePatternSet &patterns);

/// Returns why coordinates of `op` outside of the input may not be clamped to
/// it; empty if they may. Then a clamped coordinate is that of another tap of
/// the same window, and counting an element twice does not change the result.
StringRef getClampObstacle(WindowReduceOp op);

/// Returns why a subgroup of threads may not reduce each window of `op`; empty
/// if it may. Its threads take turns at the elements of a plane, so the window
/// must be a known plane, and outside of loops.
StringRef getSubgroupObstacle(WindowReduceOp op);

/// Creates loops that reduce one window of `op` over the buffer `input`, which
/// stands for the input of `op`. `output` has the window's coordinates in the
/// output. Returns one scalar of signless type for each output of `op`.
SmallVector<Value> reduceWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                                Value input, ValueRange output);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
