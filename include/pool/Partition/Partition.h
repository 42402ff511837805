// Cuts a pooling operation into parts that are computed separately, for example
// for the blocks of an array larger than memory, or on the ranks of a cluster.
//
// The result is cut, each dimension separately. Every part has its own pads,
// and the ranges of the operands that it needs, halo included. Tiling by the
// TilingInterface reads the same ranges, by the rules of Support/WindowTiles.h.
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

/// One part in one dimension. If `result` is empty, all other members are 0.
struct PartDim {
  /// The elements of the result.
  PartRange result;
  /// A range of the tensor that windows slide over. A pooling operation reads
  /// it. For max_unpool it equals `result`. For a gradient, compute the
  /// gradient of this whole range: `result` is the slice of that gradient that
  /// begins at `result.offset - input.offset`.
  PartRange input;
  /// A range of the windows. For a pooling operation it equals `result`. For
  /// max_unpool and a gradient it is the range of the operands to read.
  PartRange windows;
  /// The pads of the part: the numbers of positions by which its windows reach
  /// past the ends of `input`. For a gradient, the pads of the whole operation.
  /// If an operation with these pads has more outputs than `windows`, use only
  /// the first ones.
  int64_t padBegin = 0;
  int64_t padEnd = 0;
};

/// One dimension of the whole operation, and its division into parts.
struct PartitionDim {
  /// The windows of the whole: `input` is the extent of the tensor that they
  /// slide over, `output` their number. In batch and channels, and for
  /// max_unpool in dimensions before `axis`, a window is one element. From
  /// `axis` on, max_unpool has no windows, and `kernel` is 0.
  ResolvedDim window = {};
  /// Difference between the indices (or positions) of two elements that are
  /// neighbours in this dimension of the whole. 0 if indices do not count this
  /// dimension, and for an operation without indices.
  int64_t indexStride = 0;
  SmallVector<PartDim> parts;
};

/// A division of the result into parts. Part [i, j, ...] is `dims[0].parts[i]`,
/// `dims[1].parts[j]`, ...
struct Partition {
  SmallVector<PartitionDim> dims;
  /// Index of the element whose coordinates are all 0. The element at the
  /// coordinates `p` has index `base + sum(p[d] * dims[d].indexStride)`.
  int64_t base = 0;
  /// True if the result is the tensor that windows slide over, as for
  /// max_unpool and gradients. False if the result has one element for each
  /// window.
  bool resultHasInputShape = false;
  /// True if each part reads all values in a dimension that is cut. This holds
  /// for max_unpool if a dimension from `axis` on is cut.
  bool readsWholeOperands = false;
  /// True if parts must be computed with explicit pads and rounding floor
  /// instead of the whole operation's modes. This holds for a gradient with
  /// `same_*` pads, which would differ for the extents of a part.
  bool hasExplicitPads = false;

  /// Return the sizes of blocks in which to store the input, or the values of
  /// the windows, in dimension `d`. There is one block for each part. The table
  /// says where the blocks of a part begin whose result begins at `o`. No block
  /// begins after the end of its tensor. Padding and halo do not move blocks.
  ///
  ///              one result per window   `resultHasInputShape`
  ///   input      o * stride              o
  ///   windows    o                       ceil(o / stride)
  ///
  /// In dimensions from the `axis` of max_unpool on, which have no windows, the
  /// blocks of values are as equal as possible.
  SmallVector<int64_t> getInputBlocks(unsigned d) const;
  SmallVector<int64_t> getWindowBlocks(unsigned d) const;
};

/// Cuts the result of a verified pooling operation with known extents. `sizes`
/// has, for each dimension, the sizes of the parts in order. They are at least
/// 0 and sum to the extent of the result. The result of a gradient is the
/// gradient of the input. Indices that a gradient reads are positions in the
/// whole tensor, and an index outside of the part adds nothing to the part's
/// result. Fails with a diagnostic if sizes do not fit, and for adaptive
/// pooling, which cannot be cut.
FailureOr<Partition> partition(Operation *op,
                               ArrayRef<SmallVector<int64_t>> sizes);

/// Divides `extent` elements into `count` parts and returns their sizes. The
/// sizes differ by at most 1, and the larger ones come first. Requires `count
/// >= 1`; if it exceeds `extent`, some sizes are 0.
SmallVector<int64_t> getEqualParts(int64_t extent, int64_t count);

/// The piece of a range that one block holds.
struct PartSource {
  /// Number of the block, from 0.
  int64_t block;
  /// The piece, as a range of the whole dimension.
  PartRange range;
};

/// Divides `range` among consecutive blocks of a dimension. `sizes` has the
/// sizes of the blocks, which sum to the dimension's extent. Returns the blocks
/// that hold elements of `range`, in order.
SmallVector<PartSource> getSources(PartRange range, ArrayRef<int64_t> sizes);

} // namespace mlir::pool

#endif // POOL_PARTITION_PARTITION_H
