// The window rules over extents that are known only at run time.
//
// The functions compute quantities of WindowRules.h as index values, by affine
// ops on the input extent. For a known extent they mostly return attributes and
// build no ops. The functions require an extent that resolveDim accepts;
// CheckBuilder::checkWindow builds the run-time check.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_SYMBOLICWINDOWRULES_H
#define POOL_DIALECT_POOL_UTILS_SYMBOLICWINDOWRULES_H

#include "pool/Dialect/Pool/Utils/AffineBuilder.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// ResolvedDim over an input extent that is an index value or attribute.
struct SymbolicDim {
  OpFoldResult input;
  OpFoldResult output;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
  /// Value of ResolvedDim::getCoveredEnd().
  OpFoldResult coveredEnd;
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  /// False if no window can have an overhang, whatever the input extent.
  bool mayOverhang;
  /// The same dimension in integers. Set by resolveDim if the input extent is
  /// known.
  std::optional<ResolvedDim> known;
};

/// Resolves pads and output extent for `input` elements, as resolveDim of
/// WindowRules.h does. Requires that checkDim accepts `dim`.
SymbolicDim resolveDim(OpBuilder &b, Location loc, OpFoldResult input,
                       const WindowDim &dim, const WindowModes &modes);

/// Resolves the spatial dimensions of `window` over a tensor of `shape`.
SmallVector<SymbolicDim> resolveDims(OpBuilder &b, Location loc,
                                     ArrayRef<OpFoldResult> shape,
                                     const WindowAttrs &window);

/// Returns `shape` with the output extents of `dims` in the spatial dimensions.
SmallVector<OpFoldResult> getOutputShape(ArrayRef<OpFoldResult> shape,
                                         ArrayRef<SymbolicDim> dims,
                                         const WindowAttrs &window);

/// Bounds of an output extent. They differ only under ceil_torch, which may
/// drop one output.
struct OutputBounds {
  AffineExpr lower;
  AffineExpr upper;
};

/// Returns the bounds of the output extent for `input` elements, an extent that
/// resolveDim accepts.
OutputBounds getOutputBounds(AffineExpr input, const WindowDim &dim,
                             const WindowModes &modes);

/// True unless the windows are known to cover no padding and no overhang.
bool mayCoverPadding(const SymbolicDim &dim);

/// True unless every window is known to have a position inside the input.
bool mayBeEmpty(const SymbolicDim &dim);

/// Returns the result of getCount if it is easily proved to be the same for all
/// outputs, else none. May return none although all counts are equal.
std::optional<int64_t> getConstantCount(const SymbolicDim &dim,
                                        Divisor divisor);

/// Returns the position of tap `tap` of window `o`, counted from the input's
/// first element. A tap in padding or overhang gives a position outside the
/// input.
OpFoldResult getPosition(const AffineBuilder &a, const SymbolicDim &dim,
                         OpFoldResult o, OpFoldResult tap);

/// Returns the first tap of window `o` that lies inside the input. If there is
/// none, the result is meaningless.
OpFoldResult getFirstValidTap(const AffineBuilder &a, const SymbolicDim &dim,
                              OpFoldResult o);

/// Bounds of a loop. It begins at the largest result of `lower` and ends before
/// the least result of `upper`. The dimensions of both maps are `operands`.
struct LoopBounds {
  AffineMap lower;
  AffineMap upper;
  SmallVector<OpFoldResult> operands;
};

/// The ends of the input over which windows may reach into padding or overhang.
/// By default both.
struct Reach {
  bool begin = true;
  bool end = true;
};

/// Returns the bounds of a loop over those taps of window `o` that lie inside
/// the input. If `reach` says that the window does not reach past an end of the
/// input, omits the bound at that end.
LoopBounds getValidTaps(MLIRContext *context, const SymbolicDim &dim,
                        OpFoldResult o, Reach reach = {});

/// Consecutive windows of one dimension that reach over the same ends of the
/// input.
struct WindowRange {
  LoopBounds windows;
  Reach reach;
};

/// Divides the windows [0, output) into ranges, by the ends of the input that
/// they may reach over. Ranges may be empty at run time.
SmallVector<WindowRange> getWindowRanges(MLIRContext *context,
                                         const SymbolicDim &dim,
                                         OpFoldResult output);

/// Returns the number of taps of output `o` that a divisor counts in this
/// dimension.
OpFoldResult getCount(const AffineBuilder &a, const SymbolicDim &dim,
                      Divisor divisor, OpFoldResult o);

/// The slice of the input that some neighbouring windows of a dimension read,
/// and the pads by which these windows reach over the slice's ends. The slice
/// is never empty: windows that cover only padding get one element, which none
/// of them covers.
struct WindowTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
};

/// Replaces `offset` and `size` unless the tile [offset, offset + size) of
/// `extent` elements is known to be non-empty: the size becomes at least 1, and
/// the offset less than `extent`. Returns true if it replaced them. Callers
/// need this because a loop over more threads than tiles has empty tiles, some
/// of them past the end.
bool makeNonEmpty(OpBuilder &b, Location loc, OpFoldResult extent,
                  OpFoldResult &offset, OpFoldResult &size);

/// Returns the slice and the pads of the windows [offset, offset + size). The
/// dimension has `input` elements and `output` windows. The windows reach over
/// the input by at most `padBegin` and `padEnd`. `dim` gives kernel, stride and
/// dilation. If `size` is 0, returns the tile of a single window.
WindowTile getWindowTile(OpBuilder &b, Location loc, const WindowDim &dim,
                         OpFoldResult input, OpFoldResult output,
                         OpFoldResult padBegin, OpFoldResult padEnd,
                         OpFoldResult offset, OpFoldResult size);

/// A part of the input and windows of a dimension. At either end it leaves out
/// n strides of elements and n windows, for some n. So the first window lies as
/// far from the part's begin as window 0 from the dimension's begin. Likewise,
/// the last windows lie equally far from the ends. Window `w` of the part is
/// window `firstWindow + w` of the dimension.
struct GradTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult firstWindow;
  OpFoldResult numWindows;
};

/// Returns the part from which the elements [offset, offset + size) get the
/// gradient that they have in the whole dimension. It has all windows that
/// cover one of these elements, and such a window covers the same elements in
/// the part as in the whole. The dimension has `input` elements and `output`
/// windows; `dim` gives kernel, stride and dilation.
GradTile getGradTile(OpBuilder &b, Location loc, const WindowDim &dim,
                     OpFoldResult input, OpFoldResult output,
                     OpFoldResult offset, OpFoldResult size);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_SYMBOLICWINDOWRULES_H
