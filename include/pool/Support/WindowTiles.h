// The part of a dimension that a tile of a pooling or of a gradient reads.
//
// Tiling and partitions follow these rules. They are integer arithmetic here.
// SymbolicWindowRules.h has the same rules over extents that are known only at
// run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_WINDOWTILES_H
#define POOL_SUPPORT_WINDOWTILES_H

#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// The slice [inputOffset, inputOffset + inputSize) of the input that some
/// windows read, and the pads by which these windows reach over the slice's
/// ends. The slice is never empty: windows that cover only padding get one
/// element, which none of them covers.
struct ResolvedWindowTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t padBegin;
  int64_t padEnd;
};

/// Returns the slice and the pads of the windows [offset, offset + size) over
/// `input` elements. `dim` must have the effective begin pad; the end pad is
/// not read.
ResolvedWindowTile getWindowTile(const WindowDim &dim, int64_t input,
                                 int64_t offset, int64_t size);

/// A part of a dimension, for computing a gradient: the elements [inputOffset,
/// inputOffset + inputSize) of the input, and the windows [firstWindow,
/// firstWindow + numWindows). GradTile in SymbolicWindowRules.h says which
/// elements belong to these windows.
struct ResolvedGradTile {
  int64_t inputOffset;
  int64_t inputSize;
  int64_t firstWindow;
  int64_t numWindows;
};

/// Returns the part of a dimension from which the elements [offset, offset +
/// size) get the gradient that they have in the whole dimension. The dimension
/// has `input` elements and `output` windows. The pads of `dim` are not read.
ResolvedGradTile getGradTile(const WindowDim &dim, int64_t input,
                             int64_t output, int64_t offset, int64_t size);

} // namespace mlir::pool

#endif // POOL_SUPPORT_WINDOWTILES_H
