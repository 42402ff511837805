// Computes output extents, pads, counts and tiles of windows as index values,
// for extents that are known only at run time.
//
// The functions compute the quantities of WindowRules.h by affine operations on
// the input extent. For a known extent, most of them return attributes and
// create no operations. They require an extent that resolveDim of WindowRules.h
// accepts; CheckBuilder::checkWindow builds the run-time check of this.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_SYMBOLICWINDOWRULES_H
#define POOL_DIALECT_POOL_UTILS_SYMBOLICWINDOWRULES_H

#include "pool/Dialect/Pool/Utils/AffineBuilder.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// The same dimension as a ResolvedDim, but the extents are index values or
/// attributes.
struct SymbolicDim {
  OpFoldResult input;
  OpFoldResult output;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
  /// The value of ResolvedDim::getCoveredEnd().
  OpFoldResult coveredEnd;
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  /// False if it is known that no window covers overhang.
  bool mayOverhang;
  /// The same dimension in integers. Set if the input extent is known and the
  /// window rules accept it.
  std::optional<ResolvedDim> known;
};

/// Computes pads and output extent for `input` elements, as resolveDim of
/// WindowRules.h does. Requires that checkDim accepts `dim`.
SymbolicDim resolveDim(OpBuilder &b, Location loc, OpFoldResult input,
                       const WindowDim &dim, const WindowModes &modes);

/// Calls resolveDim for each spatial dimension of `window`. `shape` is the
/// shape of the input, with batch and channels.
SmallVector<SymbolicDim> resolveDims(OpBuilder &b, Location loc,
                                     ArrayRef<OpFoldResult> shape,
                                     const WindowAttrs &window);

/// Returns `shape` with the spatial extents replaced by the output extents of
/// `dims`.
SmallVector<OpFoldResult> getOutputShape(ArrayRef<OpFoldResult> shape,
                                         ArrayRef<SymbolicDim> dims,
                                         const WindowAttrs &window);

/// Bounds of an output extent. They differ only if the rounding type is
/// ceil_torch, which may drop the last window.
struct OutputBounds {
  AffineExpr lower;
  AffineExpr upper;
};

/// Returns the bounds of the output extent for `input` elements. Requires an
/// extent that resolveDim accepts.
OutputBounds getOutputBounds(AffineExpr input, const WindowDim &dim,
                             const WindowModes &modes);

/// False if it is known that no window covers padding or overhang.
bool mayCoverPadding(const SymbolicDim &dim);

/// False if it is known that every window has a position inside the input.
bool mayBeEmpty(const SymbolicDim &dim);

/// Returns the result of getCount if it is the same for all outputs and this is
/// easy to prove. May return none although all counts are equal.
std::optional<int64_t> getConstantCount(const SymbolicDim &dim,
                                        Divisor divisor);

/// Returns the position of tap `tap` of window `o`, relative to the first
/// element of the input. The position of a tap in padding or overhang is
/// outside the input.
OpFoldResult getPosition(const AffineBuilder &a, const SymbolicDim &dim,
                         OpFoldResult o, OpFoldResult tap);

/// Returns the number of the first tap of window `o` that lies inside the
/// input. If no tap does, the result is meaningless.
OpFoldResult getFirstValidTap(const AffineBuilder &a, const SymbolicDim &dim,
                              OpFoldResult o);

/// Bounds of a loop, as in affine.for. The loop begins at the largest result of
/// `lower` and ends before the smallest result of `upper`. Dimension i of both
/// maps stands for `operands[i]`.
struct LoopBounds {
  AffineMap lower;
  AffineMap upper;
  SmallVector<OpFoldResult> operands;
};

/// Says whether a window may have positions before the begin of the input, and
/// after its end. By default, it may have both.
struct Reach {
  bool begin = true;
  bool end = true;
};

/// Returns the bounds of a loop over those taps of window `o` that lie inside
/// the input. If `reach` says that the window does not reach past an end of the
/// input, the loop gets no bound for that end.
LoopBounds getValidTaps(MLIRContext *context, const SymbolicDim &dim,
                        OpFoldResult o, Reach reach = {});

/// Consecutive windows of a dimension with the same `reach`. `windows` has the
/// bounds of a loop over these windows.
struct WindowRange {
  LoopBounds windows;
  Reach reach;
};

/// Divides the windows [0, output) into ranges, by the ends of the input that
/// they may reach past. A range may be empty at run time. Usually these ranges
/// are not empty:
///
///   windows    0 ... | ............ | ... output - 1
///   reach      begin |   neither    | end
///
/// For a kernel larger than the input, some windows may reach past both ends.
SmallVector<WindowRange> getWindowRanges(MLIRContext *context,
                                         const SymbolicDim &dim,
                                         OpFoldResult output);

/// Returns the number of taps of window `o` in this dimension that `divisor`
/// counts.
OpFoldResult getCount(const AffineBuilder &a, const SymbolicDim &dim,
                      Divisor divisor, OpFoldResult o);

/// The slice of the input that some consecutive windows of a dimension read.
/// `padBegin` and `padEnd` say how far these windows reach past the ends of the
/// slice. The slice is never empty: if the windows cover only padding, it has
/// one element that no window covers. WindowTiles.h has a drawing.
struct WindowTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
};

/// Makes sure that the tile [offset, offset + size) is not empty at run time.
/// If `size` is not known to be at least 1, clamps it to at least 1 and the
/// offset to at most `extent - 1`, and returns true. Otherwise changes nothing
/// and returns false. Requires `extent >= 1`. Callers need this because a loop
/// over more threads than tiles has empty tiles, and some of them begin past
/// the end.
bool makeNonEmpty(OpBuilder &b, Location loc, OpFoldResult extent,
                  OpFoldResult &offset, OpFoldResult &size);

/// Returns the tile of the windows [offset, offset + size). The dimension has
/// `input` elements and `output` windows, which reach past the input by at most
/// `padBegin` and `padEnd`. Only kernel, stride and dilation of `dim` are used.
/// If `size` is 0, returns the tile of one window.
WindowTile getWindowTile(OpBuilder &b, Location loc, const WindowDim &dim,
                         OpFoldResult input, OpFoldResult output,
                         OpFoldResult padBegin, OpFoldResult padEnd,
                         OpFoldResult offset, OpFoldResult size);

/// A part of the elements and windows of a dimension, for computing a gradient.
/// It omits the first n windows and the first n * stride elements, and the last
/// m windows and the last m * stride elements:
///
///   elements   |- n strides -|------ inputSize ------|- m strides -|
///   windows    |- n windows -|------ numWindows -----|- m windows -|
///
/// So the part has the same pads as the dimension. Window `w` of the part is
/// window `firstWindow + w` of the dimension.
struct GradTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult firstWindow;
  OpFoldResult numWindows;
};

/// Returns a part in which the gradient of the elements [offset, offset + size)
/// is the same as in the whole dimension. The part contains all windows that
/// cover one of these elements. In the part, these windows cover the same
/// elements as in the whole. The dimension has `input` elements and `output`
/// windows. Only kernel, stride and dilation of `dim` are used.
GradTile getGradTile(OpBuilder &b, Location loc, const WindowDim &dim,
                     OpFoldResult input, OpFoldResult output,
                     OpFoldResult offset, OpFoldResult size);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_SYMBOLICWINDOWRULES_H
