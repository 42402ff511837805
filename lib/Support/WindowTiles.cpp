// Tiles of windows and of gradients. Intermediate quantities are 128 bits wide,
// where none of them can overflow; the results lie within the dimension.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/WindowTiles.h"

#include "pool/Support/WideInteger.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::pool;

ResolvedWindowTile pool::getWindowTile(const WindowDim &dim, int64_t input,
                                       int64_t offset, int64_t size) {
  // Start and end of the windows, relative to the input's first element.
  Wide covered = Wide(size - 1) * dim.stride + *getWindowExtent(dim);
  Wide start = Wide(offset) * dim.stride - dim.padBegin;
  Wide end = start + covered;

  Wide padBegin = std::max<Wide>(-start, 0);
  Wide padEnd = std::max<Wide>(end - input, 0);
  Wide first = std::max<Wide>(start, 0);
  Wide last = std::min<Wide>(std::max<Wide>(end, 1), input);
  if (start >= input) {
    // All windows cover only padding. The slice must not be empty, so it is the
    // last element. The pad before that element counts all positions that the
    // windows cover.
    first = input - 1;
    padBegin += covered;
  }
  return {static_cast<int64_t>(first), static_cast<int64_t>(last - first),
          static_cast<int64_t>(padBegin), static_cast<int64_t>(padEnd)};
}

ResolvedGradTile pool::getGradTile(const WindowDim &dim, int64_t input,
                                   int64_t output, int64_t offset,
                                   int64_t size) {
  // Let E be the extent of a window. A window that reaches over an end of the
  // part, where the whole goes on, covers at most E - 1 elements of the part.
  // Leave at least as many elements between that end and the tile, so that no
  // such window covers the tile.
  Wide margin = *getWindowExtent(dim) - 1;
  auto getWholeStrides = [&](Wide elements) {
    return std::max<Wide>(elements, 0) / dim.stride;
  };
  Wide dropped = getWholeStrides(Wide(input) - offset - size - margin);
  Wide firstWindow = getWholeStrides(offset - margin);
  Wide inputSize = input - (firstWindow + dropped) * dim.stride;
  return {static_cast<int64_t>(firstWindow * dim.stride),
          static_cast<int64_t>(inputSize), static_cast<int64_t>(firstWindow),
          static_cast<int64_t>(output - firstWindow - dropped)};
}
