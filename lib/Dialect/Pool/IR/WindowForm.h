// Lowers pooling operations, or tiles of them, to pool.window_reduce and
// elementwise linalg ops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_WINDOWFORM_H
#define POOL_LIB_DIALECT_POOL_IR_WINDOWFORM_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// Builds the window form of one operation or of a tile of its output. Ops are
/// created at the builder's insertion point with the operation's location.
class WindowForm {
public:
  /// The input of `op` must be ranked. `offsets` and `sizes` select a tile of
  /// the output; empty lists select all of it.
  WindowForm(OpBuilder &b, WindowOpInterface op, ArrayRef<OpFoldResult> offsets,
             ArrayRef<OpFoldResult> sizes);

  /// Reduces the windows as the operation says. Positions are row-major over
  /// the spatial dimensions of the whole input, -1 if no element was chosen.
  WindowReduceOp reduce();

  /// Creates an elementwise op over the tile and adds it to the form. Block
  /// arguments: one element of each of `inputs`, all of the tile's shape.
  Value map(ValueRange inputs, Type elementType, MapFn body);

  /// Within a map's body: the element's coordinate in the whole output.
  Value getOutputIndex(OpBuilder &b, Location loc, unsigned d);

  /// Returns the created ops and slices, with `values` as the tiled values. For
  /// a quantised result, pass the signless stored values; finish() casts them
  /// to the result's type. Call this function last.
  TilingResult finish(ValueRange values);

  /// Element type of the computation. For a quantised input this is its storage
  /// type.
  Type getElementType() const {
    return getStoredType(inputType.getElementType());
  }

  WindowAttrs window;
  RankedTensorType inputType;
  /// Extents of the whole input.
  SmallVector<OpFoldResult> inputShape;
  /// Spatial dimensions of the whole input.
  SmallVector<SymbolicDim> dims;

private:
  bool isTile() const { return !offsets.empty(); }
  /// Returns the weights of coordinates in a position; see
  /// WindowReduceOp::getMixedPositions().
  SmallVector<OpFoldResult> getPositionWeights();
  /// Creates an empty tensor of the tile's shape.
  Value createEmpty(Type elementType);
  /// Slices the input to the elements that the tile's windows read. Window
  /// positions outside the input become pads.
  void sliceInput();
  /// Casts the stored values of the input from signless to unsigned if the
  /// input's quantised type stores unsigned integers.
  void addSign();

  OpBuilder &b;
  WindowOpInterface op;
  Location loc;
  SmallVector<OpFoldResult> offsets, sizes;
  Value input;
  SmallVector<OpFoldResult> inputOffsets, padsBegin, padsEnd;
  TilingResult result;
};

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_WINDOWFORM_H
