// The window rules over extents that are known only at run time.
//
// Every quantity of WindowRules.h as an index value that affine ops compute
// from the input extent. A known extent gives attributes and no ops. Requires
// extents that resolveDim accepts; CheckBuilder::checkWindow builds the
// run-time check.
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
  /// False if no window can have an overhang, whatever the input extent.
  bool mayOverhang;
  /// All members above as integers, if the input extent is known.
  std::optional<ResolvedDim> known;
};

/// resolveDim for an input extent of type index. Requires that checkDim accepts
/// `dim`.
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

/// Bounds of the output extent for an extent `input` that the rules accept.
/// They differ only under ceil_torch, which may drop one output.
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

/// Returns the count that all outputs share, if they are known to share one.
std::optional<int64_t> getConstantCount(const SymbolicDim &dim,
                                        Divisor divisor);

/// Returns the position in the input of tap `tap` of window `o`. It is outside
/// the input for padding and overhang.
OpFoldResult getPosition(OpBuilder &b, Location loc, const SymbolicDim &dim,
                         OpFoldResult o, OpFoldResult tap);

/// Returns the first tap of output `o` inside the input, getValidTaps(o).begin,
/// if there is one.
OpFoldResult getFirstValidTap(OpBuilder &b, Location loc,
                              const SymbolicDim &dim, OpFoldResult o);

/// Bounds of a loop: the largest result of `lower` and, exclusive, the least
/// result of `upper`. Both maps take `operands` as their dimensions.
struct LoopBounds {
  AffineMap lower;
  AffineMap upper;
  SmallVector<OpFoldResult> operands;
};

/// The ends of the input that windows may reach over. By default both.
struct Reach {
  bool begin = true;
  bool end = true;
};

/// Returns the taps of window `o` inside the input. `reach` restricts the ends
/// that the window may reach over.
LoopBounds getValidTaps(MLIRContext *context, const SymbolicDim &dim,
                        OpFoldResult o, Reach reach = {});

/// Consecutive windows of one dimension that reach over the same ends of the
/// input.
struct WindowRange {
  LoopBounds windows;
  Reach reach;
};

/// Divides the windows [0, output) by the ends of the input that they reach
/// over. Ranges may be empty.
SmallVector<WindowRange> getWindowRanges(MLIRContext *context,
                                         const SymbolicDim &dim,
                                         OpFoldResult output);

/// getCount for output `o`.
OpFoldResult getCount(OpBuilder &b, Location loc, const SymbolicDim &dim,
                      Divisor divisor, OpFoldResult o);

/// The slice of the input that the windows [offset, offset + size) of a
/// dimension read, and the pads by which they reach over its ends. The slice is
/// never empty: windows that cover only padding get one element, which none of
/// them covers.
struct WindowTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult padBegin;
  OpFoldResult padEnd;
};

/// A stop condition for upstream's value bounds: true for the extents of
/// arithmetic on tensors, where upstream crashes
/// (docs/Internals/upstream/passes.md).
bool isTensorArithmetic(Value value, std::optional<int64_t> dim,
                        ValueBoundsConstraintSet &);

/// Returns true if upstream's value bounds prove `lhs cmp rhs`. They do not
/// look into arithmetic on tensors, where upstream crashes
/// (docs/Internals/upstream/passes.md).
bool isProven(const ValueBoundsConstraintSet::Variable &lhs,
              ValueBoundsConstraintSet::ComparisonOperator cmp,
              const ValueBoundsConstraintSet::Variable &rhs);

/// Makes a tile [offset, offset + size) of `extent` elements non-empty if it
/// may be empty: its size becomes at least 1, and its offset less than
/// `extent`. Returns true if the tile may have been empty. A loop over more
/// threads than tiles has empty tiles, even past the end.
bool makeNonEmpty(OpBuilder &b, Location loc, OpFoldResult extent,
                  OpFoldResult &offset, OpFoldResult &size);

/// Returns the tile of a dimension with extent `input` and `output` windows,
/// which reach over the input by at most `padBegin` and `padEnd`. `dim` gives
/// kernel, stride and dilation. An empty tile gets the slice that one of the
/// windows reads.
WindowTile getWindowTile(OpBuilder &b, Location loc, const WindowDim &dim,
                         OpFoldResult input, OpFoldResult output,
                         OpFoldResult padBegin, OpFoldResult padEnd,
                         OpFoldResult offset, OpFoldResult size);

/// A part of a dimension. At either end it is shorter than the dimension by a
/// multiple of the stride. Its windows follow the same rule, and are the
/// windows of the dimension from `firstWindow` on. For any pads and rounding,
/// they lie to the part's ends as the dimension's windows lie to its ends.
struct GradTile {
  OpFoldResult inputOffset;
  OpFoldResult inputSize;
  OpFoldResult firstWindow;
  OpFoldResult numWindows;
};

/// Returns the part from which the elements [offset, offset + size) get the
/// gradient that they have in the whole dimension. The part contains every
/// window that reaches them, and each covers the same elements there. The
/// dimension has extent `input` and `output` windows; `dim` gives kernel,
/// stride and dilation.
GradTile getGradTile(OpBuilder &b, Location loc, const WindowDim &dim,
                     OpFoldResult input, OpFoldResult output,
                     OpFoldResult offset, OpFoldResult size);

} // namespace mlir::pool

#endif // POOL_SUPPORT_SYMBOLICWINDOWRULES_H
