// What loops over a pool.window_reduce on buffers share, whatever loops these
// are: the windows' dimensions, accumulators and positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// The spatial dimensions of `op` over an input of `shape`; extents of the
/// output are not set, and overhang is padding.
SmallVector<SymbolicDim> getWindowDims(WindowReduceOp op,
                                       ArrayRef<OpFoldResult> shape);

/// True at run time if a window has all its positions inside the input;
/// `getCount` says how many it has there in the i-th of `dims`. Null if the
/// initial accumulators do not depend on it: see createWindowInits.
Value createIsWholeWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                          ArrayRef<SymbolicDim> dims,
                          function_ref<OpFoldResult(unsigned)> getCount);

/// The initial accumulators of a window, one for each output and of signless
/// types: the padding value for a window that covers padding which may be
/// chosen, else the identity. `isWhole` is createIsWholeWindow's.
SmallVector<Value> createWindowInits(OpBuilder &b, Location loc,
                                     WindowReduceOp op, Value isWhole);

/// `accs` after an element of the input, `stored` as it is in the buffer, at
/// `coordinates`, of type index and one for each dimension of the input. Only
/// those of spatial dimensions are read, and only for positions.
SmallVector<Value> accumulateInWindow(OpBuilder &b, Location loc,
                                      WindowReduceOp op, Value stored,
                                      ValueRange coordinates, ValueRange accs);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWONBUFFERS_H
