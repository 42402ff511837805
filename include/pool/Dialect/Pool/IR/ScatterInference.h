// Checks the constraints of max_unpool and the gradients. The functions take
// types and attributes instead of operations. Parameters have the names and the
// order of PoolScatterOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_SCATTERINFERENCE_H
#define POOL_DIALECT_POOL_IR_SCATTERINFERENCE_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Fails after reporting a violation of Unpool.C1 to Unpool.C8.
LogicalResult verifyMaxUnpool(ErrorFn emitError, TensorType values,
                              TensorType indices, size_t numDynamicExtents,
                              int64_t axis, RankedTensorType output);

/// Fails after reporting a violation of the constraints of max_pool_grad or
/// min_pool_grad. `indices` is null for an operation without indices.
LogicalResult verifyExtremumGrad(ErrorFn emitError, TensorType input,
                                 TensorType outputGrad, TensorType indices,
                                 const WindowAttrs &window, Reduction reduction,
                                 int64_t axis, TensorType inputGrad);

/// Fails after reporting a violation of the constraints of avg_pool_grad,
/// except Average.C3. To check Average.C3, call verifyCounts for windows over
/// `inputGrad`.
LogicalResult verifyAvgPoolGrad(ErrorFn emitError, TensorType outputGrad,
                                size_t numDynamicExtents,
                                const WindowAttrs &window,
                                const AverageModes &modes,
                                RankedTensorType inputGrad);

/// True if, for any input extent, window `o` of the dimension is exactly
/// element `o`: kernel and stride are 1, and there is no padding.
bool isIdentityDim(const WindowDim &dim, const WindowModes &modes);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_SCATTERINFERENCE_H
