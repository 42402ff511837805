// Cuts a pooling operation into parts that are computed separately by other
// engines: blocks of an array larger than memory, ranks of a cluster.
//
// The result is cut, each dimension separately. Every part has the ranges of
// the operands that it needs, halo included, and its own pads. They are the
// ranges of the operations' TilingInterface: the rules are in
// Support/WindowTiles.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PARTITION_PARTITION_H
#define POOL_PARTITION_PARTITION_H

#include "mlir/IR/Operation.h"
#include "pool/Support/WindowRules.h"

namespace mlir::pool {

/// The elements [offset, offset + size) of a dimension.
struct PartRange {
  int64_t offset = 0;
  int64_t size = 0;

  int64_t getEnd() const { return offset + size; }
};

/// One part in one dimension. If `result` is empty, the rest is 0.
struct PartDim {
  /// The part of the result.
  PartRange result;
  /// The elements of the tensor that windows slide over. The part reads them; a
  /// part of a gradient is computed for all of them, and the result is at
  /// `result.offset - input.offset`.
  PartRange input;
  /// The windows: those in the result, or for max_unpool and a gradient the
  /// ones to read.
  PartRange windows;
  /// The pads by which the windows reach over `input`; for a gradient, the pads
  /// of the whole. If more windows fit than the result has, the result has the
  /// first ones.
  int64_t padBegin = 0;
  int64_t padEnd = 0;
};

/// One dimension of the whole, and of all parts.
struct PartitionDim {
  /// Extent of the tensor that windows slide over, number of windows, kernel,
  /// stride, dilation and the effective pads. In batch and channels, and for
  /// max_unpool before `axis`, a window is one element. From `axis` on
  /// max_unpool has no window, so its kernel is 0.
  ResolvedDim window = {};
  /// Difference of the indices of neighbouring elements in this dimension of
  /// the whole. 0 if indices do not count the dimension, and without indices.
  int64_t weight = 0;
  SmallVector<PartDim> parts;
};

/// Part [i, j, ...] is `dims[0].parts[i]`, `dims[1].parts[j]`, ...
struct Partition {
  SmallVector<PartitionDim> dims;
  /// Index of the element at coordinates 0. Element `p` has index `base +
  /// sum(p[d] * weights[d])`.
  int64_t base = 0;
  /// True if the result has the elements that windows slide over, as for
  /// max_unpool and gradients; false if it has the windows.
  bool cutsInput = false;
  /// True if each part reads all windows of a dimension that is cut, as for
  /// max_unpool from `axis` on.
  bool needsAll = false;
  /// True if the pads of a part are explicit and its rounding is floor, as for
  /// a gradient whose pads are automatic.
  bool hasExplicitPads = false;

  /// Returns the sizes of blocks of the input, or of the windows, one for each
  /// part of dimension `d`. A block begins where the windows of its part begin,
  /// apart from padding, so that a part owns the elements of its block.
  SmallVector<int64_t> getInputBlocks(unsigned d) const;
  SmallVector<int64_t> getWindowBlocks(unsigned d) const;
};

/// Cuts the result of a verified operation of the dialect with known extents.
/// `sizes` has, for each dimension, the sizes of the parts in order. They are
/// at least 0 and sum to the extent. A gradient is cut with respect to its
/// result, the gradient of the input. Its indices count in the whole; an index
/// outside of the part adds nothing to the part's result. Reports sizes that do
/// not fit, with dimension and numbers, and adaptive pooling, which cannot be
/// cut.
FailureOr<Partition> partition(Operation *op,
                               ArrayRef<SmallVector<int64_t>> sizes);

/// Returns the sizes of `count` parts, at least 1, of `extent` elements. Sizes
/// differ by at most 1, the larger ones first. There may be more parts than
/// elements.
SmallVector<int64_t> getEqualParts(int64_t extent, int64_t count);

/// The elements of a range that one block holds.
struct PartSource {
  /// Number of the block.
  int64_t block;
  /// Elements of the range in this block, counted in the dimension.
  PartRange range;
};

/// Divides `range` among blocks of `sizes`, which sum to the dimension's
/// extent. Returns the blocks that hold some of it, in order.
SmallVector<PartSource> getSources(PartRange range, ArrayRef<int64_t> sizes);

} // namespace mlir::pool

#endif // POOL_PARTITION_PARTITION_H
