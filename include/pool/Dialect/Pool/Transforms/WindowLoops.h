// Builds the loops over a window of pool.window_reduce on buffers. The
// lowerings to loops and for GPUs use them, and so does vector code that
// recomputes single outputs. The lowering to affine loops creates its own loops
// and uses only the other functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWLOOPS_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWLOOPS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

namespace mlir::pool {

/// Returns the spatial dimensions of `op` over an input of `shape`. Does not
/// set `output` and `known`. The pads of `op` include the overhang.
SmallVector<SymbolicDim> getWindowDims(WindowReduceOp op,
                                       ArrayRef<OpFoldResult> shape);

/// Returns an i1 that is true if all taps of a window lie inside the input.
/// Returns null if createWindowInits does not need this condition: only an
/// extremum whose padding counts as 0 does. `getCount(i)` must return the
/// number of taps that lie inside the input in dimension `dims[i]`.
Value createIsWholeWindow(ElementBuilder &b, WindowReduceOp op,
                          ArrayRef<SymbolicDim> dims,
                          function_ref<OpFoldResult(unsigned)> getCount);

/// Returns the initial accumulators of a window, one for each output, of
/// signless types. The first is 0 if the window covers padding and padding
/// counts as 0 in an extremum; else it is the identity. The second, if there
/// are positions, is kNoPosition. `isWhole` comes from createIsWholeWindow.
SmallVector<Value> createWindowInits(ElementBuilder &b, WindowReduceOp op,
                                     Value isWhole);

/// Returns the accumulators `accs` after one more element. `stored` is the
/// element as the input stores it. `coordinates` has the element's coordinate
/// in each dimension of the input. Only the spatial ones are read, and only if
/// `op` has positions.
SmallVector<Value> accumulateInWindow(ElementBuilder &b, WindowReduceOp op,
                                      Value stored, ValueRange coordinates,
                                      ValueRange accs);

/// Creates loops that reduce one window of `op`. They read the buffer `input`
/// of `shape` instead of the input of `op`. `output` has the window's
/// coordinates in the output. Returns one scalar of signless type for each
/// output of `op`.
///
/// The loops skip taps outside of the input. If `clamps` is set, they go over
/// all taps instead, at coordinates that are clamped to the input, so that all
/// windows run the same code. Set `clamps` only if clamping changes no result;
/// getClampObstacle() in lib/Conversion/GPUPlans tells.
SmallVector<Value> reduceWindow(ElementBuilder &b, WindowReduceOp op,
                                Value input, ArrayRef<OpFoldResult> shape,
                                ValueRange output, bool clamps = false);

/// Creates a parallel loop over the outputs of `op`, which is on buffers.
/// `reduce` builds the code for the window at some coordinates of the output,
/// and returns the results.
void createWindowLoops(
    OpBuilder &b, WindowReduceOp op,
    function_ref<SmallVector<Value>(ElementBuilder &b, ValueRange output)>
        reduce);

/// Reduces the window of the output element at the coordinates `output`, and
/// stores the results in the outputs of `op`. Fails with a diagnostic if `op`
/// is not on buffers.
LogicalResult createWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                           ValueRange output);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWLOOPS_H
