// Computes tiles of windows and of gradients. The arithmetic has 128 bits, so
// that nothing can overflow. The results fit 64 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/WindowTiles.h"

#include "pool/Support/WideInteger.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::pool;

ResolvedWindowTile pool::getWindowTile(const WindowDim &dim, int64_t input,
                                       int64_t offset, int64_t size) {
  // The tile's windows cover the positions [start, end), counted from the first
  // element of the input.
  Wide covered = Wide(size - 1) * dim.stride + *getWindowExtent(dim);
  Wide start = Wide(offset) * dim.stride - dim.padBegin;
  Wide end = start + covered;

  Wide padBegin = std::max<Wide>(-start, 0);
  Wide padEnd = std::max<Wide>(end - input, 0);
  Wide first = std::max<Wide>(start, 0);
  Wide last = std::min<Wide>(std::max<Wide>(end, 1), input);
  if (start >= input) {
    // All windows cover only padding after the input. The slice must not be
    // empty, so it is the last element. The begin pad includes all positions
    // that the windows cover.
    first = input - 1;
    padBegin += covered;
  }
  return {static_cast<int64_t>(first), static_cast<int64_t>(last - first),
          static_cast<int64_t>(padBegin), static_cast<int64_t>(padEnd)};
}

ResolvedGradTile pool::getGradTile(const WindowDim &dim, int64_t input,
                                   int64_t output, int64_t offset,
                                   int64_t size) {
  // Let E be the extent of a window. The part may end where the dimension
  // continues. A window that reaches past such an end covers at most E - 1
  // elements of the part. So keep at least E - 1 elements between that end and
  // the tile. Then no such window covers an element of the tile.
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
