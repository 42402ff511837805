// Interprets max_unpool and the gradients on tensors of known extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_SCATTEROPS_H
#define POOL_LIB_REFERENCE_SCATTEROPS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool::reference {

/// True for max_unpool and the gradients.
bool isScatterOp(Operation *op);

/// Computes the results for `operands`, values of the operation's operand
/// types, in order. Before any computation, reports at the operation a
/// constraint that the run-time extents violate, or an index out of bounds.
FailureOr<SmallVector<Tensor>>
evaluateScatterOp(Operation *op, ArrayRef<const Tensor *> operands);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_SCATTEROPS_H
