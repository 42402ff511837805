// Result types and constraints of adaptive pooling, independent of op classes.
// Parameters are named and ordered as in PoolAdaptiveOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H
#define POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Returns a window that only serves to ask for the rank and for the positions
/// of the spatial dimensions and the channels. `outputSize` stands in for the
/// kernel, and must outlive the result.
WindowAttrs getAdaptiveLayout(ArrayRef<int64_t> outputSize, Layout layout);

/// Returns the first of the dimensions that a position counts while an adaptive
/// maximum is reduced: the first spatial dimension, or `axis` if `axis` comes
/// earlier. Positions must count all spatial dimensions, so that an earlier
/// element of a window has a smaller position. Requires `axis >= 0`.
int64_t getCarriedAxis(int64_t axis, Layout layout);

/// Infers the type of the values or averages; indices have the same shape.
/// Reports violations of Adaptive.C1 to Adaptive.C5.
FailureOr<RankedTensorType> inferAdaptivePool(ErrorFn emitError,
                                              TensorType input,
                                              ArrayRef<int64_t> outputSize,
                                              Layout layout);

/// Infers the type of adaptive_avg_pool's result. Reports violations of
/// Adaptive.C1 to Adaptive.C5 and Average.C2.
FailureOr<RankedTensorType> inferAdaptiveAvgPool(ErrorFn emitError,
                                                 TensorType input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout, int64_t inputZp,
                                                 int64_t outputZp);

/// Infers the type of adaptive_max_pool's values. Reports violations of
/// Adaptive.C1 to Adaptive.C5, Extremum.C1 and Extremum.C2. `indexElementType`
/// is null for an operation without indices.
FailureOr<RankedTensorType> inferAdaptiveMaxPool(ErrorFn emitError,
                                                 TensorType input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout, int64_t axis,
                                                 Type indexElementType);

/// Checks the type `declared` of the result `name` against the inferred type
/// (Adaptive.C6).
LogicalResult verifyAdaptiveResult(ErrorFn emitError, StringRef name,
                                   TensorType declared,
                                   RankedTensorType inferred);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H
