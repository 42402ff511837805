// max_unpool and the gradients on tensors whose extents are known.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_SCATTEROPS_H
#define POOL_LIB_REFERENCE_SCATTEROPS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool::reference {

/// True for max_unpool and the gradients.
bool isScatterOp(Operation *op);

/// The operation's result for `operands`, values of its operands' types, in
/// order. Reports at the operation which constraint the run-time extents
/// violate, and an index that names no position, before anything is computed.
FailureOr<SmallVector<Tensor>>
evaluateScatterOp(Operation *op, ArrayRef<const Tensor *> operands);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_SCATTEROPS_H
