// Infers the result types of adaptive pooling and checks its constraints. The
// functions take types and attributes instead of operations. Parameters have
// the names and the order of PoolAdaptiveOps.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H
#define POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Returns a window whose getRank(), getSpatialDim() and getChannelDim() are
/// right for adaptive pooling. Its other members are meaningless: `outputSize`
/// takes the place of the kernel, and must outlive the result.
WindowAttrs getAdaptiveLayout(ArrayRef<int64_t> outputSize, Layout layout);

/// Returns the carried axis of adaptive pooling with indices. While a window is
/// reduced, the position of an element is its row-major number over the
/// dimensions from the carried axis on. The carried axis is the first spatial
/// dimension, or `axis` if `axis` comes earlier. So an earlier element of a
/// window always has a smaller position. docs/Glossary.md has a drawing.
/// Requires `axis >= 0`.
int64_t getCarriedAxis(int64_t axis, Layout layout);

/// Returns the result type of adaptive pooling: of the averages, or of the
/// values of a maximum. Indices have the same shape. Fails after reporting a
/// violation of Adaptive.C1 to Adaptive.C5.
FailureOr<RankedTensorType> inferAdaptivePool(ErrorFn emitError,
                                              TensorType input,
                                              ArrayRef<int64_t> outputSize,
                                              Layout layout);

/// Returns the type of adaptive_avg_pool's result. Fails after reporting a
/// violation of Adaptive.C1 to Adaptive.C5 or Average.C2.
FailureOr<RankedTensorType> inferAdaptiveAvgPool(ErrorFn emitError,
                                                 TensorType input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout, int64_t inputZp,
                                                 int64_t outputZp);

/// Returns the type of adaptive_max_pool's values. Fails after reporting a
/// violation of Adaptive.C1 to Adaptive.C5, Extremum.C1 or Extremum.C2.
/// `indexElementType` is null for an operation without indices.
FailureOr<RankedTensorType> inferAdaptiveMaxPool(ErrorFn emitError,
                                                 TensorType input,
                                                 ArrayRef<int64_t> outputSize,
                                                 Layout layout, int64_t axis,
                                                 Type indexElementType);

/// Checks Adaptive.C6: `declared`, the type of the result `name`, must equal
/// `inferred` or be less static.
LogicalResult verifyAdaptiveResult(ErrorFn emitError, StringRef name,
                                   TensorType declared,
                                   RankedTensorType inferred);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_ADAPTIVEINFERENCE_H
