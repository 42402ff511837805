// The linalg operations on tensors that stand between pooling operations:
// whatever linalg.generic says, element by element, and linalg.fill.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_LINALGOPS_H
#define POOL_LIB_REFERENCE_LINALGOPS_H

#include "pool/Reference/Tensor.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool::reference {

/// The value of something that is defined outside an operation's region.
using Lookup = llvm::function_ref<const Tensor &(Value)>;

/// The results of `op` on tensors: its body, straight-line code of scalar
/// operations and linalg.index, run for each point of the iteration space in
/// row-major order. Reports at the operation extents that disagree, and what it
/// does not know.
FailureOr<SmallVector<Tensor>>
evaluate(linalg::LinalgOp op, ArrayRef<const Tensor *> operands, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_LINALGOPS_H
