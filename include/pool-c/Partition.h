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

/** The cuts of an operation's result, separate for each dimension. It does not
 * refer to the operation. */
typedef struct PoolPartition PoolPartition;

/** The elements [offset, offset + size) of a dimension. */
typedef struct {
  int64_t offset;
  int64_t size;
} PoolPartRange;

/** One part in one dimension. If `result` is empty, the rest is 0. */
typedef struct {
  /** The part of the result. */
  PoolPartRange result;
  /** The elements of the tensor that windows slide over. The part reads them; a
   * part of a gradient is computed for all of them, and the result is at
   * `result.offset - input.offset`. */
  PoolPartRange input;
  /** The windows: those in the result, or for max_unpool and a gradient the
   * ones to read. */
  PoolPartRange windows;
  /** Pads of the part; for a gradient, of the whole. If more windows fit than
   * the result has, the result has the first ones. */
  int64_t padBegin;
  int64_t padEnd;
} PoolPartDim;

/** Cuts the result of a verified operation of the dialect with known extents:
 * dimension `d` of `numDims` into `numParts[d]` parts. `sizes` has the sizes of
 * the parts, dimension after dimension. They are at least 0 and sum to the
 * extent. Returns null, after a diagnostic on the operation, if sizes do not
 * fit or the operation cannot be cut. */
MLIR_CAPI_EXPORTED PoolPartition *poolPartitionCreate(MlirOperation operation,
                                                      intptr_t numDims,
                                                      const intptr_t *numParts,
                                                      const int64_t *sizes);

MLIR_CAPI_EXPORTED void poolPartitionDestroy(PoolPartition *partition);

/** Returns part `part` of dimension `dim`. Requires that both exist. */
MLIR_CAPI_EXPORTED PoolPartDim poolPartitionGetPart(
    const PoolPartition *partition, intptr_t dim, intptr_t part);

/** Base and weights of indices. An element's index is the base plus, for each
 * dimension, the weight times its coordinate. 0 without indices. */
MLIR_CAPI_EXPORTED int64_t poolPartitionGetBase(const PoolPartition *partition);
MLIR_CAPI_EXPORTED int64_t
poolPartitionGetWeight(const PoolPartition *partition, intptr_t dim);

/** True if each part reads all windows of the dimensions from `axis` on. This
 * holds for max_unpool that is cut there. */
MLIR_CAPI_EXPORTED bool poolPartitionNeedsAll(const PoolPartition *partition);

/** True if the pads of a part are explicit and its rounding is floor. This
 * holds for a gradient whose pads are automatic. */
MLIR_CAPI_EXPORTED bool
poolPartitionHasExplicitPads(const PoolPartition *partition);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_PARTITION_H */
