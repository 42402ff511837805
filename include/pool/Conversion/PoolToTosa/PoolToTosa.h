// Lowers pooling operations to TOSA.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOTOSA_POOLTOTOSA_H
#define POOL_CONVERSION_POOLTOTOSA_POOLTOTOSA_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Replaces `op`, an operation of the pool dialect, by operations of TOSA. If
/// TOSA cannot express it, emits an error with the reason and changes nothing.
LogicalResult convertToTosa(RewriterBase &rewriter, Operation *op);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOTOSA_POOLTOTOSA_H
