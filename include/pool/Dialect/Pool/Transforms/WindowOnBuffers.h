// Parts that all loops over a pool.window_reduce on buffers share: the windows'
// dimensions, accumulators and positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// Returns the spatial dimensions of `op` over an input of `shape`. Output
/// extents are not set, and overhang counts as padding.
SmallVector<SymbolicDim> getWindowDims(WindowReduceOp op,
                                       ArrayRef<OpFoldResult> shape);

/// Returns a condition that is true if all positions of a window lie inside the
/// input, or null if the initial accumulators do not depend on it (see
/// createWindowInits). `getCount` returns how many positions lie inside in the
/// i-th of `dims`.
Value createIsWholeWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                          ArrayRef<SymbolicDim> dims,
                          function_ref<OpFoldResult(unsigned)> getCount);

/// Returns the initial accumulators of a window, one for each output, of
/// signless types. If the window covers padding that may be chosen, they are
/// the padding value, else the identity. `isWhole` comes from
/// createIsWholeWindow.
SmallVector<Value> createWindowInits(OpBuilder &b, Location loc,
                                     WindowReduceOp op, Value isWhole);

/// Returns `accs` after the element `stored` of the input. `coordinates` has an
/// index for each dimension of the input; only the spatial ones are read, and
/// only for positions.
SmallVector<Value> accumulateInWindow(OpBuilder &b, Location loc,
                                      WindowReduceOp op, Value stored,
                                      ValueRange coordinates, ValueRange accs);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H
