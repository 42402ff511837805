// Values of the types that a module declares, which may know less of a shape
// than what is computed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_CASTS_H
#define POOL_DIALECT_POOL_UTILS_CASTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// `value` with the type `declared`: itself, or a `tensor.cast`. The types
/// differ in what is known of the shape at most.
Value castTo(OpBuilder &b, Location loc, Value value, Type declared);

/// Replaces `op` by values of its results' types, as far as castTo gives them.
void replaceOpWithCasts(RewriterBase &rewriter, Operation *op,
                        ValueRange values);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_CASTS_H
