// Interprets pooling on tensors of known extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_WINDOWOPS_H
#define POOL_LIB_REFERENCE_WINDOWOPS_H

#include "Element.h"

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool::reference {

/// Computes the results of `op` for `input`, which must have the type of the
/// operand. If the run-time extents violate a constraint, reports an error at
/// the operation before reading an element.
FailureOr<SmallVector<Tensor>> evaluate(WindowOpInterface op,
                                        const Tensor &input);

/// Computes the results of the window operation that pooling is lowered to.
/// `lookup` gives the dynamic pads and positions of `op`. Reports extents that
/// violate WindowReduce.C1 or WindowReduce.C4.
FailureOr<SmallVector<Tensor>>
evaluate(WindowReduceOp op, ArrayRef<const Tensor *> operands, Lookup lookup);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_WINDOWOPS_H
