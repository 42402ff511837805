// Elementwise operations on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ELEMENTWISE_H
#define POOL_DIALECT_POOL_UTILS_ELEMENTWISE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// Computes an element of the result from one element of each input.
using MapFn = function_ref<Value(OpBuilder &, Location, ValueRange elements)>;

/// Creates an elementwise op that overwrites `init`. `maps` has the indexing
/// map of each input; if it is empty, all inputs have the shape of `init`.
linalg::GenericOp createElementwise(OpBuilder &b, Location loc,
                                    ValueRange inputs, Value init, MapFn body,
                                    ArrayRef<AffineMap> maps = {});

/// Creates an elementwise op whose result has `shape` and `elementType`.
linalg::GenericOp createElementwise(OpBuilder &b, Location loc,
                                    ValueRange inputs,
                                    ArrayRef<OpFoldResult> shape,
                                    Type elementType, MapFn body,
                                    ArrayRef<AffineMap> maps = {});

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ELEMENTWISE_H
