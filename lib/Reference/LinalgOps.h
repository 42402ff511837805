// Interprets the linalg operations around pooling: linalg.generic, element by
// element, and linalg.fill.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_LINALGOPS_H
#define POOL_LIB_REFERENCE_LINALGOPS_H

#include "pool/Reference/Tensor.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool::reference {

/// Looks up a value that is defined outside an operation's region.
using Lookup = llvm::function_ref<const Tensor &(Value)>;

/// Computes the results of `op` on tensors. Its body, straight-line code of
/// scalar operations and linalg.index, runs for each point of the iteration
/// space in row-major order. Reports extents that disagree and unsupported
/// operations.
FailureOr<SmallVector<Tensor>>
evaluate(linalg::LinalgOp op, ArrayRef<const Tensor *> operands, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_LINALGOPS_H
