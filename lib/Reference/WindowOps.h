// Interprets pooling on tensors of known extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_WINDOWOPS_H
#define POOL_LIB_REFERENCE_WINDOWOPS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool::reference {

/// Computes the operation's results, in order, for `input`, a value of its
/// operand's type. If the run-time extents violate a constraint, reports it at
/// the operation before reading an element.
FailureOr<SmallVector<Tensor>> evaluate(WindowOpInterface op,
                                        const Tensor &input);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_WINDOWOPS_H
