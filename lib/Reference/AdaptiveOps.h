// Interprets adaptive pooling on tensors of known extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_ADAPTIVEOPS_H
#define POOL_LIB_REFERENCE_ADAPTIVEOPS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool::reference {

/// Computes the results of `op` for `input`, which must have the type of the
/// operand. If the run-time extents violate a constraint, reports an error at
/// the operation before reading an element.
FailureOr<SmallVector<Tensor>> evaluate(AdaptiveOpInterface op,
                                        const Tensor &input);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_ADAPTIVEOPS_H
