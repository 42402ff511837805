// Constraints of the operations that write or add elements where an index or a
// window says, free of op classes. Parameters are named and ordered as in
// PoolScatterOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_SCATTERINFERENCE_H
#define POOL_DIALECT_POOL_IR_SCATTERINFERENCE_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Reports violations of C1 to C8 of max_unpool.
LogicalResult verifyMaxUnpool(ErrorFn emitError, TensorType values,
                              TensorType indices, size_t numDynamicExtents,
                              int64_t axis, RankedTensorType output);

/// Reports violations of C1 to C16 of the gradient of an extremum, as
/// max_pool_grad. `indices` is null for an operation that recomputes them.
LogicalResult verifyExtremumGrad(ErrorFn emitError, TensorType input,
                                 TensorType outputGrad, TensorType indices,
                                 const WindowAttrs &window, Reduction reduction,
                                 int64_t axis, TensorType inputGrad);

/// Reports violations of C1 to C14 of avg_pool_grad, but C13: verifyCounts of
/// the result.
LogicalResult verifyAvgPoolGrad(ErrorFn emitError, TensorType outputGrad,
                                size_t numDynamicExtents,
                                const WindowAttrs &window,
                                const AverageModes &modes,
                                RankedTensorType inputGrad);

/// True if window `dim` is one element at the output's own position, whatever
/// the input extent.
bool isIdentityDim(const WindowDim &dim, const WindowModes &modes);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_SCATTERINFERENCE_H
