// The loops of adaptive pooling: one reduction over the outputs and the
// positions of the largest window. Windows of one size are read by an indexing
// map; else the body reads the input where a window has a position.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_ADAPTIVEFORM_H
#define POOL_LIB_DIALECT_POOL_IR_ADAPTIVEFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// The extents of the result: batch and channels of `input`, which has a rank,
/// and `outputSize`.
SmallVector<OpFoldResult> getAdaptiveShape(OpBuilder &b, Location loc,
                                           Value input,
                                           ArrayRef<int64_t> outputSize,
                                           Layout layout);

/// One element of a window, within the body of a reduction.
struct Tap {
  /// Of the signless type.
  Value element;
  /// Where the body read it in the whole input; empty if an indexing map did.
  SmallVector<Value> coordinates;
  /// False past the window's end, where `element` is some other element; null
  /// if there is no such tap.
  Value isInside;
};

/// One operation on its way to linalg. Coordinates and positions are those of
/// the whole, also in a tile.
class AdaptiveForm {
public:
  /// `input` has a rank. `offsets` and `sizes` select a tile of the output, all
  /// of it where they are empty.
  AdaptiveForm(OpBuilder &b, Location loc, Value input,
               ArrayRef<int64_t> outputSize, Layout layout,
               ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes);

  using ReduceFn = function_ref<SmallVector<Value>(OpBuilder &, Location, Tap,
                                                   ValueRange accumulators)>;
  /// Reduces the windows, from `inits`, one scalar for each accumulator of
  /// `types`.
  SmallVector<Value> reduce(ArrayRef<TypedAttr> inits, TypeRange types,
                            ReduceFn body);

  using MapFn = function_ref<Value(OpBuilder &, Location, Value)>;
  /// An elementwise op over the outputs.
  Value map(Value input, Type elementType, MapFn body);

  /// Within a body: the number of positions of the current window, and the
  /// coordinates of its first.
  OpFoldResult getCount(OpBuilder &b, Location loc);
  SmallVector<Value> getFirst(OpBuilder &b, Location loc);

  /// Position of an element, flattened over the dimensions from `axis` on.
  Value flatten(OpBuilder &b, Location loc, ValueRange coordinates,
                int64_t axis);
  Value getPosition(OpBuilder &b, Location loc, const Tap &tap, int64_t axis) {
    return flatten(b, loc,
                   tap.coordinates.empty() ? getCoordinates(b, loc)
                                           : tap.coordinates,
                   axis);
  }
  /// Number of such positions.
  Value getNumPositions(OpBuilder &b, Location loc, int64_t axis);

  /// An upper bound of the positions of a window.
  int64_t getMaxCount();

  /// The result, with one tiled value for each of the operation's results.
  TilingResult finish(ValueRange values);

  Type getElementType() { return getElementTypeOrSelf(input.getType()); }
  unsigned getFirstSpatialDim() { return layout.getSpatialDim(0); }

private:
  /// Within a body: the current element, read where it is.
  Tap getTap(OpBuilder &b, Location loc);
  /// Where it would be if every window had the size of the largest.
  SmallVector<Value> getCoordinates(OpBuilder &b, Location loc);
  /// The same as a map over the loops, for regular windows.
  AffineMap getInputMap();

  /// Replaces the input by the part of it that the tile's windows cover.
  void sliceInput();
  bool isTile() const { return !offsets.empty(); }
  /// True if all windows have one size: an indexing map reads them.
  bool isRegular() {
    return llvm::all_of(
        dims, [](const SymbolicAdaptiveDim &dim) { return dim.isRegular; });
  }

  /// Within a body: the current element's coordinate in the whole output.
  Value getOutputIndex(OpBuilder &b, Location loc, unsigned d);
  Value getTapIndex(OpBuilder &b, Location loc, unsigned i) {
    return linalg::IndexOp::create(b, loc, layout.getRank() + i);
  }

  OpBuilder &b;
  Location loc;
  Value input;
  WindowAttrs layout;
  /// Extents of the whole input.
  SmallVector<OpFoldResult> inputShape;
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<SymbolicAdaptiveDim> dims;
  /// Where `input` begins and ends in the whole; empty for the whole.
  SmallVector<OpFoldResult> inputOffsets, inputEnds;
  TilingResult result;
};

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_ADAPTIVEFORM_H
