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

/// Computes the results of `op` for `operands`, which must have the types of
/// the operation's operands. First checks the run-time extents and the indices,
/// and reports a violation as an error at the operation.
FailureOr<SmallVector<Tensor>>
evaluateScatterOp(Operation *op, ArrayRef<const Tensor *> operands);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_SCATTEROPS_H
