/* Cuts a pooling operation into parts that are computed separately; see
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

/** The division of an operation's result into parts, separately for each
 * dimension. The partition keeps no reference to the operation. */
typedef struct PoolPartition PoolPartition;

/** The elements [offset, offset + size) of a dimension. */
typedef struct {
  int64_t offset;
  int64_t size;
} PoolPartRange;

/** One part in one dimension. If `result` is empty, all other fields are 0. */
typedef struct {
  /** The elements of the result. */
  PoolPartRange result;
  /** A range of the tensor that windows slide over. A pooling operation reads
   * it. For max_unpool it equals `result`. For a gradient, compute the gradient
   * of this whole range: `result` is the slice of that gradient that begins at
   * `result.offset - input.offset`. */
  PoolPartRange input;
  /** A range of the windows. For a pooling operation it equals `result`. For
   * max_unpool and a gradient it is the range of the operands to read. */
  PoolPartRange windows;
  /** The pads of the part. For a gradient, the pads of the whole operation. If
   * an operation with these pads has more outputs than `windows`, use only the
   * first ones. */
  int64_t padBegin;
  int64_t padEnd;
} PoolPartDim;

/** Cuts the result of a verified pooling operation with known extents.
 * `numDims` is the rank of the result, and dimension `d` has `numParts[d]`
 * parts. `sizes` has the sizes of the parts, dimension after dimension. The
 * sizes in a dimension are at least 0 and sum to its extent. Returns null,
 * after a diagnostic on the operation, if sizes do not fit or the operation
 * cannot be cut. */
MLIR_CAPI_EXPORTED PoolPartition *poolPartitionCreate(MlirOperation operation,
                                                      intptr_t numDims,
                                                      const intptr_t *numParts,
                                                      const int64_t *sizes);

MLIR_CAPI_EXPORTED void poolPartitionDestroy(PoolPartition *partition);

/** Returns part `part` of dimension `dim`. Requires that both exist. */
MLIR_CAPI_EXPORTED PoolPartDim poolPartitionGetPart(
    const PoolPartition *partition, intptr_t dim, intptr_t part);

/** Returns the base of indices. The index of an element is the base plus, for
 * each dimension, the weight times the element's coordinate. */
MLIR_CAPI_EXPORTED int64_t poolPartitionGetBase(const PoolPartition *partition);
/** Returns the weight of dimension `dim` in indices. It is 0 if indices do not
 * count the dimension, and for an operation without indices. */
MLIR_CAPI_EXPORTED int64_t
poolPartitionGetWeight(const PoolPartition *partition, intptr_t dim);

/** True if each part reads all values in a dimension that is cut. This holds
 * for max_unpool if a dimension from `axis` on is cut. */
MLIR_CAPI_EXPORTED bool poolPartitionNeedsAll(const PoolPartition *partition);

/** True if parts must be computed with explicit pads and rounding floor instead
 * of the whole operation's modes. This holds for a gradient with `same_*` pads.
 */
MLIR_CAPI_EXPORTED bool
poolPartitionHasExplicitPads(const PoolPartition *partition);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_PARTITION_H */
