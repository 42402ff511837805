// Recognizes tiles that have the whole extent of a dimension.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_WHOLEDIM_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_WHOLEDIM_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::pool {

/// True if `size` is proved to be the extent of `tensor` in dimension `d`. It
/// may be so although the function returns false.
bool isWholeDim(OpFoldResult size, Value tensor, unsigned d);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_WHOLEDIM_H
