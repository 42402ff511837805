// The part of a dimension that a tile needs: of windows, and of the elements
// that a gradient has.
//
// These are the rules of tiling and of partitions, as integers;
// SymbolicWindowRules.h has them over extents that only run time knows, and
// asks here for those that are known.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWTILES_H
#define POOL_SUPPORT_WINDOWTILES_H

#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// The slice [inputOffset, inputOffset + inputSize) of the input that windows
/// read, and the pads by which they reach over its ends. The slice is never
/// empty: windows of padding alone get one element, which none of them covers.
struct ResolvedWindowTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t padBegin;
  int64_t padEnd;
};

/// The tile of the windows [offset, offset + size) over `input` elements. `dim`
/// has the pads that take effect.
ResolvedWindowTile getWindowTile(const WindowDim &dim, int64_t input,
                                 int64_t offset, int64_t size);

/// The elements [inputOffset, inputOffset + inputSize) of the input and the
/// windows [firstWindow, firstWindow + numWindows) over them; GradTile in
/// SymbolicWindowRules.h says what they are.
struct ResolvedGradTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t firstWindow;
  int64_t numWindows;
};

/// The part, of a dimension of `input` elements with `output` windows, that
/// gives the elements [offset, offset + size) the gradient that they have in
/// the whole.
ResolvedGradTile getGradTile(const WindowDim &dim, int64_t input,
                             int64_t output, int64_t offset, int64_t size);

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWTILES_H
