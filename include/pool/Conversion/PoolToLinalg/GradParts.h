// Parts that all lowerings of the gradients share: the test for windows without
// elements, and the rounding of sums to elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_GRADPARTS_H
#define POOL_CONVERSION_POOLTOLINALG_GRADPARTS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// True if the window at `position`, coordinates in the output, has an element
/// inside the input; null if every window has one. `dims` are the spatial
/// dimensions of `window`.
Value hasElementInside(OpBuilder &b, Location loc, ArrayRef<SymbolicDim> dims,
                       const WindowAttrs &window, ValueRange position);

/// Returns `sums`, a tensor of `shape`, rounded to `elementType`. Creates no op
/// if they have that type already.
Value roundSums(OpBuilder &b, Location loc, Value sums,
                ArrayRef<OpFoldResult> shape, Type elementType);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_GRADPARTS_H
