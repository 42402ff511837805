// The window rules over extents that only run time knows.
//
// Every quantity of WindowRules.h, as index values that affine ops compute from
// the input extent. A known extent gives attributes and no ops. What
// resolveDim refuses has no meaning here; RuntimeChecks.h guards against it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_SYMBOLICWINDOWRULES_H
#define POOL_SUPPORT_SYMBOLICWINDOWRULES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// ResolvedDim with an input extent of type index.
struct SymbolicDim {
  OpFoldResult input;
  OpFoldResult output;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
  /// ResolvedDim::getCoveredEnd().
  OpFoldResult coveredEnd;
  int64_t kernel;
  int64_t stride;
  int64_t dilation;
  /// False if no window has an overhang, whatever the input extent.
  bool mayOverhang;
  /// All of the above as integers, if the input extent is known.
  std::optional<ResolvedDim> known;
};

/// resolveDim for an input extent of type index. `dim` satisfies checkDim.
SymbolicDim resolveDim(OpBuilder &b, Location loc, OpFoldResult input,
                       const WindowDim &dim, const WindowModes &modes);

/// The spatial dimensions of `window` over a tensor of `shape`.
SmallVector<SymbolicDim> resolveDims(OpBuilder &b, Location loc,
                                     ArrayRef<OpFoldResult> shape,
                                     const WindowAttrs &window);

/// `shape` with the output extents of `dims` for the spatial ones.
SmallVector<OpFoldResult> getOutputShape(ArrayRef<OpFoldResult> shape,
                                         ArrayRef<SymbolicDim> dims,
                                         const WindowAttrs &window);

/// Bounds of the output extent for an extent `input` that the rule accepts.
/// They are equal but for ceil_torch, which may take one away.
struct OutputBounds {
  AffineExpr lower;
  AffineExpr upper;
};
OutputBounds getOutputBounds(AffineExpr input, const WindowDim &dim,
                             const WindowModes &modes);

/// True if windows may cover padding or overhang.
bool mayCoverPadding(const SymbolicDim &dim);

/// True if a window may have no position inside the input.
bool mayBeEmpty(const SymbolicDim &dim);

/// The count that all outputs share, if it is known that they do.
std::optional<int64_t> getConstantCount(const SymbolicDim &dim,
                                        Divisor divisor);

/// Position in the input of position `tap` of window `o`; outside the input
/// for padding and overhang.
OpFoldResult getPosition(OpBuilder &b, Location loc, const SymbolicDim &dim,
                         OpFoldResult o, OpFoldResult tap);

/// The first window position of output `o` that lies inside the input:
/// getValidTaps(o).begin, if there is one.
OpFoldResult getFirstValidTap(OpBuilder &b, Location loc,
                              const SymbolicDim &dim, OpFoldResult o);

/// Bounds of a loop: from the largest result of `lower` to below the least of
/// `upper`, maps of as many dimensions as there are `operands`.
struct LoopBounds {
  AffineMap lower;
  AffineMap upper;
  SmallVector<OpFoldResult> operands;
};

/// The ends of the input that windows may reach over.
struct Reach {
  bool begin = true;
  bool end = true;
};

/// The positions of window `o` that lie inside the input; `reach` is what is
/// known of it beside the pads.
LoopBounds getValidTaps(MLIRContext *context, const SymbolicDim &dim,
                        OpFoldResult o, Reach reach = {});

/// Windows of one dimension, side by side.
struct WindowRange {
  LoopBounds windows;
  Reach reach;
};

/// The windows [0, output) by the ends of the input that they reach over.
/// Ranges may be empty.
SmallVector<WindowRange> getWindowRanges(MLIRContext *context,
                                         const SymbolicDim &dim,
                                         OpFoldResult output);

/// getCount for output `o`.
OpFoldResult getCount(OpBuilder &b, Location loc, const SymbolicDim &dim,
                      Divisor divisor, OpFoldResult o);

/// The slice of the input that the windows [offset, offset + size) of a
/// dimension read, and the pads by which they reach over its ends. The slice is
/// never empty: windows of padding alone get one element, which none of them
/// covers.
struct WindowTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
};

/// A stop condition for upstream's value bounds: true for the extents of
/// arithmetic on tensors, where upstream crashes (docs/upstream/passes.md).
bool isTensorArithmetic(Value value, std::optional<int64_t> dim,
                        ValueBoundsConstraintSet &);

/// Returns true if upstream's value bounds prove `lhs cmp rhs`. They do not
/// look into arithmetic on tensors, where upstream crashes
/// (docs/upstream/passes.md).
bool isProven(const ValueBoundsConstraintSet::Variable &lhs,
              ValueBoundsConstraintSet::ComparisonOperator cmp,
              const ValueBoundsConstraintSet::Variable &rhs);

/// Makes a tile [offset, offset + size) of `extent` elements non-empty if it
/// may be empty: its size becomes at least 1, and its offset less than
/// `extent`. Returns true if the tile may have been empty. A loop over more
/// threads than tiles has empty tiles, even beyond the end.
bool makeNonEmpty(OpBuilder &b, Location loc, OpFoldResult extent,
                  OpFoldResult &offset, OpFoldResult &size);

/// The tile of a dimension of extent `input` whose `output` windows reach over
/// it by at most `padBegin` and `padEnd`; `dim` gives kernel, stride and
/// dilation. An empty tile gets what one of the windows reads.
WindowTile getWindowTile(OpBuilder &b, Location loc, const WindowDim &dim,
                         OpFoldResult input, OpFoldResult output,
                         OpFoldResult padBegin, OpFoldResult padEnd,
                         OpFoldResult offset, OpFoldResult size);

/// A part of a dimension, by whole strides shorter than it at either end, so
/// that its windows, by the same rule, are those of the whole from
/// `firstWindow` on: they lie to the part's ends as the whole's do to the
/// input's, whatever pads and rounding.
struct GradTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult firstWindow;
  OpFoldResult numWindows;
};

/// The part, of a dimension of extent `input` with `output` windows, that gives
/// the elements [offset, offset + size) the gradient that they have in the
/// whole: every window that reaches them is in it, and covers there what it
/// does in the whole. `dim` gives kernel, stride and dilation.
GradTile getGradTile(OpBuilder &b, Location loc, const WindowDim &dim,
                     OpFoldResult input, OpFoldResult output,
                     OpFoldResult offset, OpFoldResult size);

} // namespace mlir::pool

#endif // POOL_SUPPORT_SYMBOLICWINDOWRULES_H
