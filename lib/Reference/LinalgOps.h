// Interprets the linalg operations around pooling, element by element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_LINALGOPS_H
#define POOL_LIB_REFERENCE_LINALGOPS_H

#include "Element.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool::reference {

/// Computes the results of `op` on tensors. Runs its body for each point of the
/// iteration space in row-major order. The body must consist of scalar
/// operations and linalg.index. Fails if it has other operations, if extents
/// disagree, or if a point lies outside an operand.
FailureOr<SmallVector<Tensor>>
evaluate(linalg::LinalgOp op, ArrayRef<const Tensor *> operands, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_LINALGOPS_H
