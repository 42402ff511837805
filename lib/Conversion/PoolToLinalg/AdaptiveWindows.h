// The loops of adaptive pooling: one reduction over the outputs and the
// positions of the largest window. Windows of one size are read by an indexing
// map; else the body reads the input where a window has a position.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_ADAPTIVEWINDOWS_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_ADAPTIVEWINDOWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// One element of a window, within the body of a reduction.
struct Tap {
  /// Of the signless type.
  Value element;
  /// Where the body read it in the input; empty if an indexing map did.
  SmallVector<Value> coordinates;
  /// False past the window's end, where `element` is some other element; null
  /// if there is no such tap.
  Value isInside;
};

/// The windows of one operation over its input.
class AdaptiveWindows {
public:
  AdaptiveWindows(RewriterBase &b, Location loc, Value input,
                  ArrayRef<int64_t> outputSize, Layout layout);

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
  /// True if all windows have one size: an indexing map reads them.
  bool isRegular() {
    return llvm::all_of(
        dims, [](const SymbolicAdaptiveDim &dim) { return dim.isRegular; });
  }

  Type getElementType() { return getElementTypeOrSelf(input.getType()); }
  unsigned getFirstSpatialDim() { return layout.getSpatialDim(0); }

private:
  /// Within a body: the current element, read where it is.
  Tap getTap(OpBuilder &b, Location loc);
  /// Where it would be if every window had the size of the largest.
  SmallVector<Value> getCoordinates(OpBuilder &b, Location loc);
  /// The same as a map over the loops, for regular windows.
  AffineMap getInputMap();

  Value getOutputIndex(OpBuilder &b, Location loc, unsigned i) {
    return linalg::IndexOp::create(b, loc, layout.getSpatialDim(i));
  }
  Value getTapIndex(OpBuilder &b, Location loc, unsigned i) {
    return linalg::IndexOp::create(b, loc, layout.getRank() + i);
  }

  RewriterBase &b;
  Location loc;
  Value input;
  WindowAttrs layout;
  SmallVector<OpFoldResult> inputShape, outputShape;
  SmallVector<SymbolicAdaptiveDim> dims;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_ADAPTIVEWINDOWS_H
