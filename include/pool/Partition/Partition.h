// Cuts a pooling operation into parts that are computed apart from each other,
// by other engines: blocks of an array larger than memory, ranks of a cluster.
//
// The result is cut, each dimension by itself, and every part says which range
// of the operands it needs, halo included, and which pads it has of its own.
// The ranges are those of the operations' TilingInterface: the rules are in
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

/// What a part is in one dimension. Where the result has no elements there is
/// nothing to do, and the rest is 0.
struct PartDim {
  /// The part of the result.
  PartRange result;
  /// The elements of the tensor that windows slide over: those to read, or for
  /// a gradient those of the part that it is cut out of, at `result.offset -
  /// input.offset`.
  PartRange input;
  /// The windows: those of the result, or for max_unpool and a gradient those
  /// to read.
  PartRange windows;
  /// The pads by which the windows reach over `input`; for a gradient those of
  /// the whole. Where more windows fit than the result has, its are the first.
  int64_t padBegin = 0;
  int64_t padEnd = 0;
};

/// One dimension of the whole, and of all parts.
struct PartitionDim {
  /// Extents of the tensor that windows slide over and of that of the windows,
  /// kernel, stride, dilation and the pads that take effect. In batch and
  /// channels, and for max_unpool before `axis`, a window is one element; from
  /// there on max_unpool has none, its kernel is 0.
  ResolvedDim window = {};
  /// By how much an index grows from one element to the next in this dimension
  /// of the whole; 0 where indices do not count it, and without indices.
  int64_t weight = 0;
  SmallVector<PartDim> parts;
};

/// Part [i, j, ...] is `dims[0].parts[i]`, `dims[1].parts[j]`, ...
struct Partition {
  SmallVector<PartitionDim> dims;
  /// The index of the first element of the whole. Any other has this, and its
  /// coordinates in the whole times the weights.
  int64_t base = 0;
  /// True if the result has the elements that windows slide over: max_unpool
  /// and gradients. Else it has the windows.
  bool cutsInput = false;
  /// True if each part reads all windows of a dimension that is cut: max_unpool
  /// from `axis` on.
  bool needsAll = false;
  /// True if the pads of a part are explicit ones, its rounding is floor: a
  /// gradient whose pads are automatic.
  bool hasExplicitPads = false;

  /// Sizes of the blocks of the input, or of the windows, in which parts would
  /// have elements as their own, one block for each part of dimension `d`: a
  /// block begins where the windows of its part do, but for padding.
  SmallVector<int64_t> getInputBlocks(unsigned d) const;
  SmallVector<int64_t> getWindowBlocks(unsigned d) const;
};

/// Cuts the result of an operation of the dialect that has been verified, with
/// known extents, into parts of `sizes`: for each dimension those of the parts,
/// in order, at least 0, which sum to its extent. Gradients are cut with
/// respect to their result, the gradient of the input; indices that are given
/// to them count in the whole, and those that name a position outside of the
/// part add nothing to its result. Reports sizes that do not fit, with
/// dimension and numbers, and an operation that is not cut: adaptive pooling.
FailureOr<Partition> partition(Operation *op,
                               ArrayRef<SmallVector<int64_t>> sizes);

/// Sizes of `count` parts, at least 1, of `extent` elements which differ by at
/// most 1, the larger ones first. There may be more parts than elements.
SmallVector<int64_t> getEqualParts(int64_t extent, int64_t count);

/// The blocks that hold a range of a dimension.
struct PartSource {
  /// Number of the block.
  int64_t block;
  /// Its elements of the range, counted in the dimension.
  PartRange range;
};

/// What each of the blocks of `sizes`, which sum to the dimension's extent, has
/// of `range`: in order, none of them empty, together all of it.
SmallVector<PartSource> getSources(PartRange range, ArrayRef<int64_t> sizes);

} // namespace mlir::pool

#endif // POOL_PARTITION_PARTITION_H
