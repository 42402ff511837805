/* Divides a pooling operation into parts that are computed separately; see
 * pool/Partition/Partition.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_PARTITION_H
#define POOL_C_PARTITION_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A division of the result of an operation into parts, separately in each
 * dimension. It does not refer to the operation. */
typedef struct PoolPartition PoolPartition;

/** The elements [offset, offset + size) of a dimension. */
typedef struct {
  int64_t offset;
  int64_t size;
} PoolPartRange;

/** A part in one dimension. If `result` is empty, all other fields are 0. */
typedef struct {
  /** The range of the result that belongs to the part. */
  PoolPartRange result;
  /** A range of the tensor over which windows slide. For a pooling operation,
   * the part reads this range. For max_unpool, it equals `result`. For a
   * gradient, compute the gradient of this whole range. `result` is the slice
   * of that gradient that begins at `result.offset - input.offset`. */
  PoolPartRange input;
  /** A range of the windows. For a pooling operation, it equals `result`. For
   * max_unpool and gradients, it is the range of the operands that the part
   * reads. */
  PoolPartRange windows;
  /** The pads of the part. For a gradient, these are the pads of the whole
   * operation. An operation with these pads may have more outputs than
   * `windows` has; then use only the first ones. */
  int64_t padBegin;
  int64_t padEnd;
} PoolPartDim;

/** Divides the result of `operation`, a verified pooling operation with known
 * extents. `numDims` is the rank of the result. Dimension d has `numParts[d]`
 * parts. `sizes` has the sizes of all parts, dimension by dimension. In each
 * dimension, sizes are at least 0, and their sum is the extent. Emits a
 * diagnostic and returns null if the sizes do not fit or if the operation
 * cannot be divided. */
MLIR_CAPI_EXPORTED PoolPartition *poolPartitionCreate(MlirOperation operation,
                                                      intptr_t numDims,
                                                      const intptr_t *numParts,
                                                      const int64_t *sizes);

MLIR_CAPI_EXPORTED void poolPartitionDestroy(PoolPartition *partition);

/** Returns part `part` of dimension `dim`. Both must exist. */
MLIR_CAPI_EXPORTED PoolPartDim poolPartitionGetPart(
    const PoolPartition *partition, intptr_t dim, intptr_t part);

/** Returns the base of indices. The index of an element is the base plus, for
 * each dimension, the weight of the dimension times the coordinate of the
 * element. */
MLIR_CAPI_EXPORTED int64_t poolPartitionGetBase(const PoolPartition *partition);
/** Returns the weight of dimension `dim` in indices. It is 0 if indices do not
 * count the dimension, or if the operation has no indices. */
MLIR_CAPI_EXPORTED int64_t
poolPartitionGetWeight(const PoolPartition *partition, intptr_t dim);

/** True if the operation is max_unpool and a dimension from its `axis` on has
 * several parts. Every part then reads its operands completely in the
 * dimensions from `axis` on. */
MLIR_CAPI_EXPORTED bool poolPartitionNeedsAll(const PoolPartition *partition);

/** True if parts must be computed with explicit pads and rounding floor instead
 * of the modes of the whole operation. This is so for a gradient with `same_*`
 * pads. */
MLIR_CAPI_EXPORTED bool
poolPartitionHasExplicitPads(const PoolPartition *partition);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_PARTITION_H */
