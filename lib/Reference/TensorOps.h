// Interprets the tensor dialect: shapes, slices, padding and concatenation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_TENSOROPS_H
#define POOL_LIB_REFERENCE_TENSOROPS_H

#include "Element.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::pool::reference {

/// Computes the results of `op` for `operands`, or returns an empty optional if
/// `op` is not a supported operation of the tensor dialect. Reports at the
/// operation a slice outside its tensor and extents that disagree.
std::optional<FailureOr<SmallVector<Tensor>>>
evaluateTensorOp(Operation *op, ArrayRef<const Tensor *> operands,
                 Lookup lookup);

/// Writes `source` over the slice of `dest` that `op` describes by its offsets,
/// sizes and strides. Reports an error if the slice lies outside `dest` or has
/// another number of elements than `source`.
LogicalResult insertSlice(OffsetSizeAndStrideOpInterface op,
                          const Tensor &source, Tensor &dest, Lookup lookup);

/// Returns `value` as the one result of `op`, a scalar of type index.
FailureOr<SmallVector<Tensor>> makeIndex(Operation *op, int64_t value);

/// Returns the value of `index`, which is an attribute or an SSA value.
int64_t getIndex(OpFoldResult index, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_TENSOROPS_H
