// Interprets operations on tensors of known extents. Each kind of operation has
// a source of its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_EVALUATORS_H
#define POOL_LIB_REFERENCE_EVALUATORS_H

#include "Element.h"

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mlir::pool::reference {

/// Compute the results of `op` for `input`, which must have the type of the
/// operand. If the run-time extents violate a constraint, report an error at
/// the operation before reading an element.
Results evaluate(WindowOpInterface op, const Tensor &input);
Results evaluate(AdaptiveOpInterface op, const Tensor &input);

/// Computes the results of the window operation that pooling is lowered to.
/// `lookup` gives the dynamic pads and positions of `op`. Reports extents that
/// violate WindowReduce.C1 or WindowReduce.C4.
Results evaluate(WindowReduceOp op, Operands operands, Lookup lookup);

/// Compute the results of `op` for `operands`, which must have the types of the
/// operation's operands. First check the run-time extents and the indices, and
/// report a violation as an error at the operation.
Results evaluate(MaxUnpoolOp op, Operands operands);
Results evaluate(ExtremumGradOpInterface op, Operands operands);
Results evaluate(AvgPoolGradOp op, Operands operands);
Results evaluate(LargestIndexOp op, Operands operands);

/// Computes the results of `op` on tensors. Runs its body for each point of the
/// iteration space in row-major order. The body must consist of scalar
/// operations and linalg.index. Fails if it has other operations, if extents
/// disagree, or if a point lies outside an operand.
Results evaluate(linalg::LinalgOp op, Operands operands, Lookup lookup);

/// Computes the results of `op` for `operands`, or returns an empty optional if
/// `op` is not a supported operation of the tensor dialect. Reports at the
/// operation a slice outside its tensor and extents that disagree.
std::optional<Results> evaluateTensorOp(Operation *op, Operands operands,
                                        Lookup lookup);

/// Writes `source` over the slice of `dest` that `op` describes by its offsets,
/// sizes and strides. Reports an error if the slice lies outside `dest` or has
/// another number of elements than `source`.
LogicalResult insertSlice(OffsetSizeAndStrideOpInterface op,
                          const Tensor &source, Tensor &dest, Lookup lookup);

/// Returns `value` as the one result of `op`, a scalar of type index.
Results makeIndex(Operation *op, int64_t value);

/// Returns the values of `indices`, which are attributes or SSA values.
SmallVector<int64_t> getIndices(ArrayRef<OpFoldResult> indices, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_EVALUATORS_H
