/* Cuts a pooling operation into parts that are computed apart from each other;
 * pool/Partition/Partition.h says what they are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_PARTITION_H
#define POOL_C_PARTITION_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An operation whose result is cut, each dimension by itself. It does not need
 * the operation any more. */
typedef struct PoolPartition PoolPartition;

/** The elements [offset, offset + size) of a dimension. */
typedef struct {
  int64_t offset;
  int64_t size;
} PoolPartRange;

/** What a part is in one dimension. Where the result has no elements there is
 * nothing to do, and the rest is 0. */
typedef struct {
  /** The part of the result. */
  PoolPartRange result;
  /** The elements to read of the tensor that windows slide over; for a gradient
   * those of the part that it is cut out of, at `result.offset -
   * input.offset`. */
  PoolPartRange input;
  /** The windows: those of the result, or for max_unpool and a gradient those
   * to read. */
  PoolPartRange windows;
  /** Pads of the part's own; for a gradient those of the whole. Where more
   * windows fit than the result has, its are the first. */
  int64_t padBegin;
  int64_t padEnd;
} PoolPartDim;

/** Cuts the result of a verified operation of the dialect, with known extents:
 * dimension `d` of `numDims` into `numParts[d]` parts, whose sizes, at least 0,
 * sum to its extent. `sizes` has those of all dimensions one after the other.
 * Null, after a diagnostic on the operation, where sizes do not fit or the
 * operation cannot be cut. */
MLIR_CAPI_EXPORTED PoolPartition *poolPartitionCreate(MlirOperation operation,
                                                      intptr_t numDims,
                                                      const intptr_t *numParts,
                                                      const int64_t *sizes);

MLIR_CAPI_EXPORTED void poolPartitionDestroy(PoolPartition *partition);

/** Part `part` of dimension `dim`, both below their numbers. */
MLIR_CAPI_EXPORTED PoolPartDim poolPartitionGetPart(
    const PoolPartition *partition, intptr_t dim, intptr_t part);

/** The index of an element of the whole is the base and, for each dimension,
 * the weight times its coordinate; 0 where there are no indices. */
MLIR_CAPI_EXPORTED int64_t poolPartitionGetBase(const PoolPartition *partition);
MLIR_CAPI_EXPORTED int64_t
poolPartitionGetWeight(const PoolPartition *partition, intptr_t dim);

/** True if each part reads all windows of the dimensions from `axis` on:
 * max_unpool that is cut there. */
MLIR_CAPI_EXPORTED bool poolPartitionNeedsAll(const PoolPartition *partition);

/** True if the pads of a part are explicit and its rounding is floor: a
 * gradient whose pads are automatic. */
MLIR_CAPI_EXPORTED bool
poolPartitionHasExplicitPads(const PoolPartition *partition);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_PARTITION_H */
