// Builds pooling operations, or tiles of them, from pool.window_reduce and
// elementwise linalg ops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_WINDOWFORM_H
#define POOL_LIB_DIALECT_POOL_IR_WINDOWFORM_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// The body of an elementwise op: block arguments in, the value to yield out.
using MapFn = function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// One window operation, or a tile of its output, on its way to window form.
/// Ops are built at the builder's insertion point and the operation's location.
class WindowForm {
public:
  /// `op` has a ranked input. `offsets` and `sizes` select a tile of the
  /// output, all of it where they are empty.
  WindowForm(OpBuilder &b, WindowOpInterface op, ArrayRef<OpFoldResult> offsets,
             ArrayRef<OpFoldResult> sizes);

  /// Reduces the windows to a tensor of `elementType`.
  WindowReduceOp reduce(Reduction reduction, Type elementType);
  /// An extremum and, as a second result, the position in the plane: row-major
  /// over the spatial dimensions of the whole input, -1 for none.
  WindowReduceOp reduceWithPositions(Reduction reduction);

  /// An elementwise op over the tile. Block arguments: one element of each of
  /// `inputs`, all of the tile's shape. Its value is part of the form.
  Value map(ValueRange inputs, Type elementType, MapFn body);

  /// Within a map's body: the element's coordinate in the whole output.
  Value getOutputIndex(OpBuilder &b, Location loc, unsigned d);

  /// The result, with one tiled value for each of the operation's results. The
  /// values of a quantised result are its stored ones, signless.
  TilingResult finish(ValueRange values);

  /// The element type that is computed on; of a quantised input the type of its
  /// stored values.
  Type getElementType() const {
    return getStoredType(inputType.getElementType());
  }

  WindowAttrs window;
  RankedTensorType inputType;
  /// Extents of the whole input.
  SmallVector<OpFoldResult> inputShape;
  /// The spatial dimensions of the whole.
  SmallVector<SymbolicDim> dims;

private:
  bool isTile() const { return !offsets.empty(); }
  /// A tensor of the tile's shape.
  Value createEmpty(Type elementType);
  /// The windows' part of the input, and how far they reach over it.
  void sliceInput();
  /// Gives the stored values of an unsigned quantised input their sign.
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
