// Parts that the lowerings of pool.window_reduce on buffers to scf loops and to
// affine loops share: the windows' dimensions, accumulators and positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// Returns the spatial dimensions of `op` over an input of `shape`. Does not
/// set `output` and `known`. The pads of `op` include the overhang.
SmallVector<SymbolicDim> getWindowDims(WindowReduceOp op,
                                       ArrayRef<OpFoldResult> shape);

/// Returns an i1 that is true if all positions of a window lie inside the
/// input. Returns null if createWindowInits does not need that condition.
/// `getCount(i)` returns the number of the window's positions inside the input
/// in `dims[i]`.
Value createIsWholeWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                          ArrayRef<SymbolicDim> dims,
                          function_ref<OpFoldResult(unsigned)> getCount);

/// Returns the initial accumulators of a window, one for each output, of
/// signless types. The first is the padding value if the window covers padding
/// that may be chosen, else the identity. The second, if there are positions,
/// is kNoPosition. `isWhole` comes from createIsWholeWindow.
SmallVector<Value> createWindowInits(OpBuilder &b, Location loc,
                                     WindowReduceOp op, Value isWhole);

/// Returns the accumulators `accs` after one more element. `stored` is the
/// element as the input stores it. `coordinates` has the element's index in
/// each dimension of the input. Only the spatial coordinates are read, and only
/// if `op` returns positions.
SmallVector<Value> accumulateInWindow(OpBuilder &b, Location loc,
                                      WindowReduceOp op, Value stored,
                                      ValueRange coordinates, ValueRange accs);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H
