// Divides a pooling operation into parts that are computed separately, for
// example for the blocks of an array that is larger than memory, or on the
// ranks of a cluster.
//
// The result is divided separately in each dimension. Every part has its own
// pads, and the ranges of the operands that it needs, including the halo:
//
//   input     0 1 2 3 4 5 6 7       kernel 3, stride 1, no padding
//   result    0 1 2 | 3 4 5         two parts
//   part 0    reads input 0 to 4
//   part 1    reads input 3 to 7
//
// The TilingInterface reads the same ranges, because both use the rules of
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

/// A part in one dimension. If `result` is empty, all other members are 0.
struct PartDim {
  /// The range of the result that belongs to the part.
  PartRange result;
  /// A range of the tensor over which windows slide. For a pooling operation,
  /// the part reads this range. For max_unpool, it equals `result`. For a
  /// gradient, compute the gradient of this whole range. `result` is the slice
  /// of that gradient that begins at `result.offset - input.offset`.
  PartRange input;
  /// A range of the windows. For a pooling operation, it equals `result`. For
  /// max_unpool and gradients, it is the range of the operands that the part
  /// reads.
  PartRange windows;
  /// The pads of the part: how far its windows reach past the ends of `input`.
  /// For a gradient, these are the pads of the whole operation. An operation
  /// with these pads may have more outputs than `windows` has; then use only
  /// the first ones.
  int64_t padBegin = 0;
  int64_t padEnd = 0;
};

/// A dimension of the whole operation, and its division into parts.
struct PartitionDim {
  /// The windows of the whole operation: `input` is the extent of the tensor
  /// over which they slide, and `output` is their number. In the batch and
  /// channel dimensions, a window is one element. The same is true for
  /// max_unpool in dimensions before `axis`. In dimensions from `axis` on,
  /// max_unpool has no windows, and `kernel` is 0.
  ResolvedDim window = {};
  /// Difference between the indices (or positions) of two elements that are
  /// neighbors in this dimension. 0 if indices do not count this dimension, or
  /// if the operation has no indices.
  int64_t indexStride = 0;
  SmallVector<PartDim> parts;
};

/// A division of the result into parts. Part [i, j, ...] has the ranges of
/// `dims[0].parts[i]`, `dims[1].parts[j]` and so on.
struct Partition {
  SmallVector<PartitionDim> dims;
  /// Index of the element whose coordinates are all 0. An element with
  /// coordinates p has the index `base + sum(p[d] * dims[d].indexStride)`.
  int64_t base = 0;
  /// True if the result is the tensor over which windows slide, as for
  /// max_unpool and gradients. False if the result has one element for each
  /// window.
  bool resultHasInputShape = false;
  /// True if the operation is max_unpool and a dimension from its `axis` on has
  /// several parts. Every part then reads its operands completely in the
  /// dimensions from `axis` on.
  bool readsWholeOperands = false;
  /// True if parts must be computed with explicit pads and rounding floor
  /// instead of the modes of the whole operation. This is so for a gradient
  /// with `same_*` pads, because those depend on the extent.
  bool hasExplicitPads = false;

  /// Return the sizes of blocks for storing the input, or a tensor with one
  /// element for each window, in dimension `d`. There is one block for each
  /// part. For a part of the result that begins at `o`, the block begins at:
  ///
  ///              one result per window   `resultHasInputShape`
  ///   input      o * stride              o
  ///   windows    o                       ceil(o / stride)
  ///
  /// A block never begins after the end of its tensor. Padding and halo have no
  /// effect on blocks. From the `axis` of max_unpool on there are no windows,
  /// and the sizes of getWindowBlocks differ by at most 1.
  SmallVector<int64_t> getInputBlocks(unsigned d) const;
  SmallVector<int64_t> getWindowBlocks(unsigned d) const;
};

/// Divides the result of `op`, a verified pooling operation with known extents.
/// For each dimension, `sizes` has the sizes of the parts in order. They are at
/// least 0, and their sum is the extent of the result. The result of a gradient
/// is the gradient of the input. If a gradient reads indices, these are
/// positions in the whole tensor, and a part ignores indices outside the part.
/// Emits a diagnostic and fails if the sizes do not fit, or for adaptive
/// pooling, which cannot be divided.
FailureOr<Partition> partition(Operation *op,
                               ArrayRef<SmallVector<int64_t>> sizes);

/// Returns the sizes of `count` parts of `extent` elements. They differ by at
/// most 1, and larger ones come first. Requires `count` >= 1. If `count` is
/// greater than `extent`, some sizes are 0.
SmallVector<int64_t> getEqualParts(int64_t extent, int64_t count);

/// The elements of a range that are in one block.
struct PartSource {
  /// Number of the block, counted from 0.
  int64_t block;
  /// These elements, as a range of the whole dimension.
  PartRange range;
};

/// Divides `range` by the blocks that contain its elements, and returns one
/// entry for each of these blocks, in order. `sizes` has the sizes of all
/// blocks; their sum is the extent of the dimension.
SmallVector<PartSource> getSources(PartRange range, ArrayRef<int64_t> sizes);

} // namespace mlir::pool

#endif // POOL_PARTITION_PARTITION_H
