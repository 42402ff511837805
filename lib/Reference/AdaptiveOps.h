// Adaptive pooling on tensors whose extents are known.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_ADAPTIVEOPS_H
#define POOL_LIB_REFERENCE_ADAPTIVEOPS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool::reference {

/// The operation's results, in order, for `input`, a value of its operand's
/// type. Reports at the operation which constraint the run-time extents
/// violate, before an element is read.
FailureOr<SmallVector<Tensor>> evaluate(AdaptiveOpInterface op,
                                        const Tensor &input);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_ADAPTIVEOPS_H
