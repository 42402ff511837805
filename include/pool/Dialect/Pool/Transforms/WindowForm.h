// Lowers pooling operations, or tiles of them, to pool.window_reduce and a last
// step for each result.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWFORM_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWFORM_H

#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Builds the window form of one operation or of a tile of its output. Ops are
/// created at the builder's insertion point with the operation's location.
class WindowForm {
public:
  /// The input of `op` must be ranked. `offsets` and `sizes` select a tile of
  /// the output; empty lists select all of it.
  WindowForm(OpBuilder &b, WindowOpInterface op,
             ArrayRef<OpFoldResult> offsets = {},
             ArrayRef<OpFoldResult> sizes = {});

  /// Returns the stored elements that the windows cover, signless if the
  /// operation is quantised.
  Value getInput() { return input; }
  /// Reduces the windows as the operation says. Positions are row-major over
  /// the spatial dimensions of the whole input, kNoPosition if no element was
  /// chosen. For an input that stores unsigned integers, reads an unrealized
  /// cast of getInput(), which would not bufferise.
  WindowReduceOp reduce();
  /// Returns how each result is computed from one of reduce().
  SmallVector<Finish> getFinishes() { return pool::getFinishes(op, extents); }
  /// Creates a tensor of the tile's shape.
  Value createEmpty(Type elementType);
  /// Creates reduce() and an elementwise linalg op for each Finish. Returns
  /// them, and the tiles of the results.
  TilingResult create();

private:
  bool isTile() const { return !offsets.empty(); }
  /// Returns the weights of coordinates in a position; see
  /// WindowReduceOp::getMixedPositions().
  SmallVector<OpFoldResult> getPositionWeights();
  /// Slices the input to the elements that the tile's windows read. Window
  /// positions outside the input become pads.
  void sliceInput();
  /// Casts the elements of the input one by one from signless to unsigned, if
  /// its quantised type stores unsigned integers.
  void castInputToUnsigned();

  OpBuilder &b;
  WindowOpInterface op;
  Location loc;
  WindowAttrs window;
  SmallVector<OpFoldResult> offsets, sizes;
  Value input;
  /// Of the whole input.
  WindowExtents extents;
  SmallVector<OpFoldResult> inputOffsets, padsBegin, padsEnd;
  TilingResult result;
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWFORM_H
