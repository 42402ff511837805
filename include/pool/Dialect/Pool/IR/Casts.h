// Casts values to the result types that a module declares. A declared type may
// be less static than the type of the computed value.
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
/// castTo. Returns the new values.
SmallVector<Value> replaceOpWithCasts(RewriterBase &rewriter, Operation *op,
                                      ValueRange values);

/// Returns the extents of a ranked tensor. If an extent is dynamic in the type,
/// looks for a constant in the operation that defines the tensor: a
/// tensor.cast, tensor.extract_slice or tensor.generate. If there is none, the
/// extent stays dynamic. Creates no operation.
SmallVector<int64_t> getFoldedShape(Value tensor);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_CASTS_H
