// Result types and constraints of adaptive pooling, free of op classes.
// Parameters are named and ordered as in PoolAdaptiveOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H
#define POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Where the spatial dimensions and the channels of adaptive pooling stand: the
/// layout of a window with one entry for each of `outputSize`.
WindowAttrs getAdaptiveLayout(ArrayRef<int64_t> outputSize, Layout layout);

/// The dimension from which on the reduction of an adaptive maximum carries
/// positions, whose order within a window is then that of its elements: the
/// first spatial one, or `axis`, which is not negative, if that comes before.
int64_t getCarriedAxis(int64_t axis, Layout layout);

/// The type of the results but for the element type of indices; reports
/// Adaptive.C1 to Adaptive.C5.
FailureOr<RankedTensorType> inferAdaptivePool(ErrorFn emitError,
                                              TensorType input,
                                              ArrayRef<int64_t> outputSize,
                                              Layout layout);

/// The type of adaptive_avg_pool's result; reports Adaptive.C1 to
/// Adaptive.C5 and Average.C2.
FailureOr<RankedTensorType> inferAdaptiveAvgPool(ErrorFn emitError,
                                                 TensorType input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout, int64_t inputZp,
                                                 int64_t outputZp);

/// The type of adaptive_max_pool's values; reports Adaptive.C1 to
/// Adaptive.C5, Extremum.C1 and Extremum.C2. `indexElementType` is null for an
/// operation without indices.
FailureOr<RankedTensorType> inferAdaptiveMaxPool(ErrorFn emitError,
                                                 TensorType input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout, int64_t axis,
                                                 Type indexElementType);

/// Checks a declared result against the inferred type (Adaptive.C6).
LogicalResult verifyAdaptiveResult(ErrorFn emitError, StringRef name,
                                   TensorType declared,
                                   RankedTensorType inferred);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H
