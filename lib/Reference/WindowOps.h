// Interprets pooling on tensors of known extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_WINDOWOPS_H
#define POOL_LIB_REFERENCE_WINDOWOPS_H

#include "Element.h"

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool::reference {

/// Computes the operation's results, in order, for `input`, a value of its
/// operand's type. If the run-time extents violate a constraint, reports it at
/// the operation before reading an element.
FailureOr<SmallVector<Tensor>> evaluate(WindowOpInterface op,
                                        const Tensor &input);

/// Computes the results of the window operation that pooling is lowered to.
/// `lookup` gives its pads and positions. Reports extents that violate
/// WindowReduce.C1 or WindowReduce.C4.
FailureOr<SmallVector<Tensor>>
evaluate(WindowReduceOp op, ArrayRef<const Tensor *> operands, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_WINDOWOPS_H
