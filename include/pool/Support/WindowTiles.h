// Computes which part of a dimension is read for a tile (a range of outputs) of
// a pooling or of a gradient. Here kernel 3, stride 2 and pads 1; the tile has
// windows 0 and 1:
//
//   position    -1   0   1   2   3   4   5   6   7
//   element      p   a   b   c   d   e   f   g   p
//   window 0    [t0  t1  t2]
//   window 1            [t0  t1  t2]
//   slice            a   b   c   d          pads of the tile: 1 and 0
//
// Tiling and partitions use these rules, which compute with integers.
// SymbolicWindowRules.h has the same rules for extents that are known only at
// run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWTILES_H
#define POOL_SUPPORT_WINDOWTILES_H

#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// The slice [inputOffset, inputOffset + inputSize) of the input that some
/// consecutive windows read. `padBegin` and `padEnd` say how far these windows
/// reach past the ends of the slice. The slice is never empty: if the windows
/// cover only padding, it has one element that no window covers.
struct ResolvedWindowTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t padBegin;
  int64_t padEnd;
};

/// Returns the tile of the windows [offset, offset + size) over `input`
/// elements. `dim.padBegin` must be the effective begin pad. `dim.padEnd` is
/// not used.
ResolvedWindowTile getWindowTile(const WindowDim &dim, int64_t input,
                                 int64_t offset, int64_t size);

/// A part of a dimension, for computing a gradient. It has the elements
/// [inputOffset, inputOffset + inputSize) of the input, and the windows
/// [firstWindow, firstWindow + numWindows). GradTile in SymbolicWindowRules.h
/// has a drawing.
struct ResolvedGradTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t firstWindow;
  int64_t numWindows;
};

/// Returns a part in which the gradient of the elements [offset, offset + size)
/// is the same as in the whole dimension. The dimension has `input` elements
/// and `output` windows. The pads of `dim` are not used.
ResolvedGradTile getGradTile(const WindowDim &dim, int64_t input,
                             int64_t output, int64_t offset, int64_t size);

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWTILES_H
