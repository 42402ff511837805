// Builds adaptive pooling as linalg: a reduction, and a finish (Finish.h) for
// each result.
//
// The reduction loops over the outputs and over the taps of the largest window.
// Here 5 elements and 3 outputs, so the largest window has 3 taps:
//
//   element     a   b   c   d   e
//   output 0   [t0  t1] -                 `-`: tap 2 lies past the window's end
//   output 1       [t0  t1  t2]
//   output 2               [t0  t1] -
//
// If the windows are regular (of one size, and without overlap), an indexing
// map reads the input. Otherwise, the body extracts elements from the input,
// and a tap past the window's end has no effect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_ADAPTIVEFORM_H
#define POOL_DIALECT_POOL_TRANSFORMS_ADAPTIVEFORM_H

#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Returns getCarriedAxis() of IR/AdaptiveInference.h for `op`: the first
/// dimension that positions count while a window is reduced. Returns 0 if `op`
/// has no indices.
int64_t getCarriedAxis(AdaptiveOpInterface op);

/// Builds one adaptive pooling operation, or a tile of its output. Even in a
/// tile, coordinates and positions refer to the whole input.
class AdaptiveForm {
public:
  /// The input of `op` must be ranked. `offsets` and `sizes` select a tile of
  /// the output; empty lists select all of it.
  AdaptiveForm(OpBuilder &b, AdaptiveOpInterface op,
               ArrayRef<OpFoldResult> offsets = {},
               ArrayRef<OpFoldResult> sizes = {});

  /// Returns the finish of each result. The finish of the values takes a sum or
  /// maximum. The finish of the indices takes a position, which counts the
  /// dimensions from getCarriedAxis() on.
  SmallVector<Finish> getFinishes() { return pool::getFinishes(op, extents); }
  /// Creates an empty tensor of the tile's shape.
  Value createEmpty(Type elementType);

  /// Creates the reduction, and an elementwise linalg op for each finish that
  /// computes something. Returns these ops, the slice of the input that they
  /// read, and the tiles of the results. Call it once.
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

  /// Creates the linalg op of the reduction and returns its results. The first
  /// has the maxima or, for an average, the sums. A second result exists only
  /// if the operation has indices; it has the positions of the maxima.
  SmallVector<Value> reduce();
  /// Called in the body of the reduction. Returns the accumulators `accs`
  /// combined with the element of `tap`.
  SmallVector<Value> accumulate(ResultBuilder &b, const Tap &tap,
                                ValueRange accs);
  /// Called in the body. Extracts the element of the current tap from the
  /// input, and returns it with its coordinates.
  Tap getTap(ResultBuilder &b);
  /// Called in the body. Returns the coordinates of the current tap, which may
  /// lie past the window's end.
  SmallVector<Value> getCoordinates(ResultBuilder &b);
  Value getTapIndex(ResultBuilder &b, unsigned i);
  /// Returns the indexing map of the input: from the loops to the coordinates
  /// of the current tap. Requires regular windows.
  AffineMap getInputMap();
  /// Replaces `input` by the slice that the windows of the tile cover.
  void sliceInput();
  bool isTile() const { return !offsets.empty(); }
  /// True if all windows have one size and do not overlap, so that an indexing
  /// map can read them.
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
  /// Extents of the whole input, even in a tile.
  AdaptiveExtents extents;
  SmallVector<OpFoldResult> offsets, sizes;
  /// Begin and end of the slice `input`, as coordinates in the whole input.
  /// Both lists are empty if the whole output is built. `inputEnds[d]` is set
  /// only if `d` is a spatial dimension with more than one output.
  SmallVector<OpFoldResult> inputOffsets, inputEnds;
  TilingResult result;
};

/// Returns the input coordinates of the first element of a window. It is the
/// window of the output element at b.getCoordinate().
SmallVector<Value> getFirstPositions(ResultBuilder &b,
                                     const WindowAttrs &layout,
                                     const AdaptiveExtents &extents);

/// Returns the row-major position of the element at `coordinates` of an input
/// of `shape`, over the dimensions from `axis` on.
Value flatten(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
              ValueRange coordinates, int64_t axis);

/// Returns the extents of the output: `outputSize`, and batch and channels of
/// `input`, which must be ranked.
SmallVector<OpFoldResult> getAdaptiveShape(OpBuilder &b, Location loc,
                                           Value input,
                                           ArrayRef<int64_t> outputSize,
                                           Layout layout);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_ADAPTIVEFORM_H
