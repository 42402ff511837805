// The part of a dimension that a tile reads, for windows and for gradients.
//
// These are the rules of tiling and of partitions, as integers.
// SymbolicWindowRules.h has them over extents that are known only at run time,
// and calls these functions for known extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWTILES_H
#define POOL_SUPPORT_WINDOWTILES_H

#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// The slice [inputOffset, inputOffset + inputSize) of the input that windows
/// read, and the pads by which they reach over its ends. The slice is never
/// empty: windows that cover only padding get one element, which none of them
/// covers.
struct ResolvedWindowTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t padBegin;
  int64_t padEnd;
};

/// Returns the tile of the windows [offset, offset + size) over `input`
/// elements. `dim` has the effective pads.
ResolvedWindowTile getWindowTile(const WindowDim &dim, int64_t input,
                                 int64_t offset, int64_t size);

/// The elements [inputOffset, inputOffset + inputSize) of the input and the
/// windows [firstWindow, firstWindow + numWindows) over them; see GradTile in
/// SymbolicWindowRules.h.
struct ResolvedGradTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t firstWindow;
  int64_t numWindows;
};

/// Returns the part of a dimension from which the elements [offset, offset +
/// size) get the gradient that they have in the whole dimension. The dimension
/// has `input` elements and `output` windows.
ResolvedGradTile getGradTile(const WindowDim &dim, int64_t input,
                             int64_t output, int64_t offset, int64_t size);

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWTILES_H
