// Builds the window form of a pooling operation: a pool.window_reduce, and a
// finish (Finish.h) for each result.
//
//   avg_pool    window_reduce <sum>          then  sum / count
//   lp_pool     window_reduce <power_sum>    then  sum^(1/p)
//   max_pool    window_reduce <max>          then  index from position
//
// The window form of a tile of the output reads a slice of the input, and has
// its own pads. Here kernel 3, stride 2 and pads 1; the tile has outputs 0 and
// 1:
//
//   position    -1   0   1   2   3   4   5   6   7
//   element      p   a   b   c   d   e   f   g   p
//   output 0    [t0  t1  t2]
//   output 1            [t0  t1  t2]
//   slice            a   b   c   d          pads of the tile: 1 and 0
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWFORM_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWFORM_H

#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Builds the window form of one operation, or of a tile of its output. Creates
/// ops at the builder's insertion point, with the operation's location.
class WindowForm {
public:
  /// The input of `op` must be ranked. `offsets` and `sizes` select a tile of
  /// the output; empty lists select all of it.
  WindowForm(OpBuilder &b, WindowOpInterface op,
             ArrayRef<OpFoldResult> offsets = {},
             ArrayRef<OpFoldResult> sizes = {});

  /// Returns the input or, for a tile, the slice of the input that its windows
  /// cover. If the input is quantized, returns its stored values as signless
  /// integers.
  Value getInput() { return input; }
  /// Creates the pool.window_reduce. Positions are row-major over the spatial
  /// dimensions of the whole input, or kNoPosition if no element was chosen. If
  /// a quantized input stores unsigned integers, the op reads an unrealized
  /// cast of getInput(), which does not bufferize. create() avoids this cast.
  WindowReduceOp reduce();
  /// Returns the finish of each result of reduce().
  SmallVector<Finish> getFinishes() { return pool::getFinishes(op, extents); }
  /// Creates an empty tensor of the tile's shape.
  Value createEmpty(Type elementType);
  /// Creates the pool.window_reduce, and an elementwise linalg op for each
  /// finish that computes something. Returns these ops, the slice of the input,
  /// and the tiles of the results. Call it once.
  TilingResult create();

private:
  bool isTile() const { return !offsets.empty(); }
  /// Returns the list `positions` of the pool.window_reduce: the position of
  /// the slice's first element, then the weight of each spatial coordinate.
  SmallVector<OpFoldResult> getPositionWeights();
  /// Sets the pads. For a tile, also replaces `input` by the slice that the
  /// tile's windows read; window positions outside the input become pads.
  void sliceInput();
  /// If the quantized type of the input stores unsigned integers, casts the
  /// elements of `input` one by one from signless to unsigned. Otherwise does
  /// nothing.
  void castInputToUnsigned();

  OpBuilder &b;
  WindowOpInterface op;
  Location loc;
  WindowAttrs window;
  SmallVector<OpFoldResult> offsets, sizes;
  Value input;
  /// Extents of the whole input, even in a tile.
  WindowExtents extents;
  SmallVector<OpFoldResult> inputOffsets, padsBegin, padsEnd;
  TilingResult result;
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWFORM_H
