// Lowers pooling operations to TOSA.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOTOSA_POOLTOTOSA_H
#define POOL_CONVERSION_POOLTOTOSA_POOLTOTOSA_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Replaces the pooling operation `op` by operations of TOSA. If TOSA cannot
/// express `op`, emits an error with the reason, changes nothing and fails.
LogicalResult convertToTosa(RewriterBase &rewriter, Operation *op);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOTOSA_POOLTOTOSA_H
