// Checks the extents of pool.window_reduce. The verifier passes the extents
// that are known at compile time; the interpreter passes all extents.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_WINDOWREDUCEINFERENCE_H
#define POOL_DIALECT_POOL_IR_WINDOWREDUCEINFERENCE_H

#include "pool/Dialect/Pool/IR/TypeInference.h"

namespace mlir::pool {

/// Checks that the shapes `input` and `output` agree in batch and channels
/// (WindowReduce.C1), and that the windows lie in the padded input
/// (WindowReduce.C4). Skips dimensions with an unknown extent or pad, which is
/// ShapedType::kDynamic. Requires shapes of the window's rank.
LogicalResult verifyWindowReduceShape(ErrorFn emitError,
                                      const WindowAttrs &window,
                                      ArrayRef<int64_t> input,
                                      ArrayRef<int64_t> output);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_WINDOWREDUCEINFERENCE_H
