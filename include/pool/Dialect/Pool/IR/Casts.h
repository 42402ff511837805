// Casts of values to the types that a module declares, which may be less static
// than the computed types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_CASTS_H
#define POOL_DIALECT_POOL_IR_CASTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Returns `value` itself if it has the type `declared`, else a `tensor.cast`
/// of it. Requires that the types differ only in static information.
Value castTo(OpBuilder &b, Location loc, Value value, Type declared);

/// Replaces the results of `op` by `values`, each cast to the result's type by
/// castTo. Returns the results of the casts.
SmallVector<Value> replaceOpWithCasts(RewriterBase &rewriter, Operation *op,
                                      ValueRange values);

/// Returns the extents of a ranked tensor; dynamic where neither its type nor
/// the folds of tensor.dim tell them. Builds nothing.
SmallVector<int64_t> getFoldedShape(Value tensor);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_CASTS_H
