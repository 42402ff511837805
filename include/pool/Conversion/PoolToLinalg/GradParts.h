// Parts that all lowerings of the gradients share: the test that a window has
// an element at all, and the rounding of sums to elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_GRADPARTS_H
#define POOL_CONVERSION_POOLTOLINALG_GRADPARTS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// True if the window at `position`, coordinates in the output, has an element
/// inside the input; null if every window has. `dims` are those of `window`.
Value hasElementInside(OpBuilder &b, Location loc, ArrayRef<SymbolicDim> dims,
                       const WindowAttrs &window, ValueRange position);

/// `sums`, a tensor of `shape`, rounded to `elementType`; no op where they are
/// of it.
Value roundSums(OpBuilder &b, Location loc, Value sums,
                ArrayRef<OpFoldResult> shape, Type elementType);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_GRADPARTS_H
