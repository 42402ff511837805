// Creates elementwise operations on tensors, as linalg.generic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_ELEMENTWISE_H
#define POOL_DIALECT_POOL_UTILS_ELEMENTWISE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// A function that creates an element of the result from one element of each
/// input, and returns it.
using MapFn = function_ref<Value(OpBuilder &, Location, ValueRange elements)>;

/// Creates a linalg.generic that computes each element by `body` and writes it
/// to the tensor `init`. `maps` has the indexing map of each input. If `maps`
/// is empty, all inputs must have the shape of `init`.
linalg::GenericOp createElementwise(OpBuilder &b, Location loc,
                                    ValueRange inputs, Value init, MapFn body,
                                    ArrayRef<AffineMap> maps = {});

/// Like the function above, but creates `init` as a tensor.empty of `shape` and
/// `elementType`.
linalg::GenericOp createElementwise(OpBuilder &b, Location loc,
                                    ValueRange inputs,
                                    ArrayRef<OpFoldResult> shape,
                                    Type elementType, MapFn body,
                                    ArrayRef<AffineMap> maps = {});

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_ELEMENTWISE_H
