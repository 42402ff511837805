// Builds the loop nest of adaptive pooling: one reduction over the outputs and
// the taps of the largest window. If all windows have one size, an indexing map
// reads the input. Otherwise, the body extracts elements from the input and
// marks taps past the window's end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_ADAPTIVEFORM_H
#define POOL_LIB_DIALECT_POOL_IR_ADAPTIVEFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// Extents of the result in the order of `layout`: batch and channels of
/// `input`, which must be ranked, and `outputSize`.
SmallVector<OpFoldResult> getAdaptiveShape(OpBuilder &b, Location loc,
                                           Value input,
                                           ArrayRef<int64_t> outputSize,
                                           Layout layout);

/// One element of a window, within the body of a reduction.
struct Tap {
  /// The element, in the signless type.
  Value element;
  /// Coordinates of the element in the whole input; empty if an indexing map
  /// reads the element.
  SmallVector<Value> coordinates;
  /// False if the tap lies past the window's end, where `element` is arbitrary.
  /// Null if no tap can lie there.
  Value isInside;
};

/// Builds the linalg form of one operation, or of a tile of its output. Even in
/// a tile, coordinates and flattened positions refer to the whole input.
class AdaptiveForm {
public:
  /// `input` must be ranked. `offsets` and `sizes` select a tile of the output;
  /// empty lists select all of it.
  AdaptiveForm(OpBuilder &b, Location loc, Value input,
               ArrayRef<int64_t> outputSize, Layout layout,
               ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes);

  using ReduceFn = function_ref<SmallVector<Value>(OpBuilder &, Location, Tap,
                                                   ValueRange accumulators)>;
  /// Reduces the windows. Each accumulator has an initial value in `inits` and
  /// a type in `types`.
  SmallVector<Value> reduce(ArrayRef<TypedAttr> inits, TypeRange types,
                            ReduceFn body);

  /// Creates an elementwise op over the outputs.
  Value map(Value input, Type elementType, MapFn body);

  /// Within a body: the number of positions of the current window.
  OpFoldResult getCount(OpBuilder &b, Location loc);
  /// Within a body: coordinates of the window's first position.
  SmallVector<Value> getFirst(OpBuilder &b, Location loc);

  /// Row-major position of the element at `coordinates`, over the dimensions
  /// from `axis` on.
  Value flatten(OpBuilder &b, Location loc, ValueRange coordinates,
                int64_t axis);
  Value getPosition(OpBuilder &b, Location loc, const Tap &tap, int64_t axis) {
    return flatten(b, loc,
                   tap.coordinates.empty() ? getCoordinates(b, loc)
                                           : tap.coordinates,
                   axis);
  }
  /// Number of positions over the dimensions from `axis` on.
  Value getNumPositions(OpBuilder &b, Location loc, int64_t axis);

  /// Upper bound of the number of positions in a window.
  int64_t getMaxCount();

  /// Returns the created ops and slices, with `values` as the tiled values.
  /// Call this function last.
  TilingResult finish(ValueRange values);

  Type getElementType() { return getElementTypeOrSelf(input.getType()); }
  unsigned getFirstSpatialDim() { return layout.getSpatialDim(0); }

private:
  /// Within a body: reads the element of the current tap.
  Tap getTap(OpBuilder &b, Location loc);
  /// Within a body: coordinates of the current tap, which may lie past the
  /// window's end.
  SmallVector<Value> getCoordinates(OpBuilder &b, Location loc);
  /// Map from the loops to the coordinates of the current tap. Requires windows
  /// of one size.
  AffineMap getInputMap();

  /// Replaces `input` by the slice that the tile's windows cover.
  void sliceInput();
  bool isTile() const { return !offsets.empty(); }
  /// True if all windows have one size, so that an indexing map reads them.
  bool isRegular() {
    return llvm::all_of(
        dims, [](const SymbolicAdaptiveDim &dim) { return dim.isRegular; });
  }

  /// Within a body: coordinate of the current output in dimension `d` of the
  /// whole output.
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
  /// Begin and end of the slice `input`, as coordinates in the whole input.
  /// Both lists are empty without a tile. `inputEnds[d]` is set only if `d` is
  /// a spatial dimension with more than one output.
  SmallVector<OpFoldResult> inputOffsets, inputEnds;
  TilingResult result;
};

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_ADAPTIVEFORM_H
