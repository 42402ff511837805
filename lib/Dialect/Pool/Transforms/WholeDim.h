// Recognizes tiles that cover a whole dimension.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_WHOLEDIM_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_WHOLEDIM_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::pool {

/// True if it is proved that `size` equals the extent of `tensor` in dimension
/// `d`. If the function returns false, they may still be equal.
bool isWholeDim(OpFoldResult size, Value tensor, unsigned d);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_WHOLEDIM_H
