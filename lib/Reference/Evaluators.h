// Functions that interpret operations on tensors of known extents. Each kind of
// operation has its own source file.
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
/// operand. If the extents at run time violate a constraint, emit an error at
/// `op` before reading an element.
Results evaluate(WindowOpInterface op, const Tensor &input);
Results evaluate(AdaptiveOpInterface op, const Tensor &input);

/// Computes the results of the window operation that poolings are lowered to.
/// `lookup` returns the dynamic pads and positions of `op`. Emits an error if
/// extents violate WindowReduce.C1 or WindowReduce.C4.
Results evaluate(WindowReduceOp op, Operands operands, Lookup lookup);

/// Compute the results of `op` for `operands`, which must have the types of the
/// operation's operands. First check the extents at run time and the indices,
/// and emit an error at `op` if one of them violates a constraint.
Results evaluate(MaxUnpoolOp op, Operands operands);
Results evaluate(ExtremumGradOpInterface op, Operands operands);
Results evaluate(AvgPoolGradOp op, Operands operands);
Results evaluate(LargestIndexOp op, Operands operands);

/// Computes the results of `op` on tensors. Runs its body for each point of the
/// iteration space, in row-major order. Fails if the body has other operations
/// than scalar operations and linalg.index, if extents of operands disagree, or
/// if a point lies outside an operand.
Results evaluate(linalg::LinalgOp op, Operands operands, Lookup lookup);

/// Computes the results of `op` for `operands`. Returns none if `op` is not an
/// operation of the tensor dialect that is supported. Emits an error at `op` if
/// a slice lies outside its tensor or if extents disagree.
std::optional<Results> evaluateTensorOp(Operation *op, Operands operands,
                                        Lookup lookup);

/// Overwrites a slice of `dest` with `source`. `op` gives the offsets, sizes
/// and strides of the slice. Emits an error if the slice lies outside `dest`,
/// or if the numbers of elements differ.
LogicalResult insertSlice(OffsetSizeAndStrideOpInterface op,
                          const Tensor &source, Tensor &dest, Lookup lookup);

/// Returns `value` as the only result of `op`, which is a scalar of type index.
Results makeIndex(Operation *op, int64_t value);

/// Returns the value of each of `indices`, which may be attributes or SSA
/// values.
SmallVector<int64_t> getIndices(ArrayRef<OpFoldResult> indices, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_EVALUATORS_H
