// Builds the loop nest of adaptive pooling: one reduction over the outputs and
// the taps of the largest window. If all windows have one size, an indexing map
// reads the input. Otherwise, the body extracts elements from the input and
// marks taps past the window's end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_ADAPTIVEFORM_H
#define POOL_DIALECT_POOL_TRANSFORMS_ADAPTIVEFORM_H

#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Returns the first dimension that the positions of `op` count; see the other
/// getCarriedAxis(). 0 if there are no positions.
int64_t getCarriedAxis(AdaptiveOpInterface op);

/// Builds the linalg form of one operation, or of a tile of its output. Even in
/// a tile, coordinates and flattened positions refer to the whole input.
class AdaptiveForm {
public:
  /// The input of `op` must be ranked. `offsets` and `sizes` select a tile of
  /// the output; empty lists select all of it.
  AdaptiveForm(OpBuilder &b, AdaptiveOpInterface op,
               ArrayRef<OpFoldResult> offsets = {},
               ArrayRef<OpFoldResult> sizes = {});

  /// Returns how each result is computed from an accumulator, or from its
  /// position over the dimensions from getCarriedAxis() on.
  SmallVector<Finish> getFinishes() { return pool::getFinishes(op, extents); }
  /// Creates a tensor of the tile's shape.
  Value createEmpty(Type elementType);

  /// Creates the reduction and an elementwise linalg op for each Finish.
  /// Returns them, the slice that they read, and the tiles of the results.
  TilingResult create();

private:
  /// One element of a window, within the body of the reduction.
  struct Tap {
    /// The element as the input stores it.
    Value element;
    /// Coordinates of the element in the whole input.
    SmallVector<Value> coordinates;
    /// False if the tap lies past the window's end, where `element` is
    /// arbitrary. Null if no tap can lie there.
    Value isInside;
  };

  /// Reduces the windows.
  SmallVector<Value> reduce();
  /// Within the body: the accumulators after the element of `tap`.
  SmallVector<Value> accumulate(ResultBuilder &b, const Tap &tap,
                                ValueRange accs);
  /// Within the body: reads the element of the current tap.
  Tap getTap(ResultBuilder &b);
  /// Within the body: coordinates of the current tap, which may lie past the
  /// window's end.
  SmallVector<Value> getCoordinates(ResultBuilder &b);
  Value getTapIndex(ResultBuilder &b, unsigned i);
  /// Map from the loops to the coordinates of the current tap. Requires windows
  /// of one size.
  AffineMap getInputMap();
  /// Replaces `input` by the slice that the tile's windows cover.
  void sliceInput();
  bool isTile() const { return !offsets.empty(); }
  /// True if all windows have one size, so that an indexing map reads them.
  bool isRegular() {
    return llvm::all_of(extents.dims, [](const SymbolicAdaptiveDim &dim) {
      return dim.isRegular;
    });
  }

  OpBuilder &b;
  AdaptiveOpInterface op;
  Location loc;
  Value input;
  WindowAttrs layout;
  ElementReduction elements;
  /// Of the whole input.
  AdaptiveExtents extents;
  SmallVector<OpFoldResult> offsets, sizes;
  /// Begin and end of the slice `input`, as coordinates in the whole input.
  /// Both lists are empty without a tile. `inputEnds[d]` is set only if `d` is
  /// a spatial dimension with more than one output.
  SmallVector<OpFoldResult> inputOffsets, inputEnds;
  TilingResult result;
};

/// Returns the coordinates of the first positions of the builder's windows.
SmallVector<Value> getFirstPositions(ResultBuilder &b,
                                     const WindowAttrs &layout,
                                     const AdaptiveExtents &extents);

/// Returns the row-major position of the element at `coordinates` of an input
/// of `shape`, over the dimensions from `axis` on.
Value flatten(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
              ValueRange coordinates, int64_t axis);

/// Returns extents of the output: batch and channels of `input`, which must be
/// ranked, and `outputSize`.
SmallVector<OpFoldResult> getAdaptiveShape(OpBuilder &b, Location loc,
                                           Value input,
                                           ArrayRef<int64_t> outputSize,
                                           Layout layout);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_ADAPTIVEFORM_H
