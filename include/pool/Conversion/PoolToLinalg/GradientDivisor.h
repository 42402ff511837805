// Parts that the lowerings of the gradients to linalg and to vectors share:
// tests and numbers of windows, and operations on each element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_GRADIENTDIVISOR_H
#define POOL_CONVERSION_POOLTOLINALG_GRADIENTDIVISOR_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

namespace mlir::pool {

/// Returns an i1 that is true if a window has an element inside the input.
/// Returns null if all windows are known to have such an element. `position`
/// has the window's coordinates in the output, `dims` the spatial dimensions of
/// `window`.
Value hasElementInside(ElementBuilder &b, ArrayRef<SymbolicDim> dims,
                       const WindowAttrs &window, ValueRange position);

/// Returns the divisor of the builder's window of the average whose gradient is
/// `op`, as an `accType`. Returns null if it is known to be 1.
Value getDivisor(ResultBuilder &b, AvgPoolGradOp op, ArrayRef<SymbolicDim> dims,
                 Type accType);

/// Returns `sizes`, of the gradient of an output, with no more windows in the
/// spatial dimensions than `dims` have, whatever the gradient's extents.
SmallVector<OpFoldResult> limitWindows(const AffineBuilder &a,
                                       SmallVector<OpFoldResult> sizes,
                                       ArrayRef<SymbolicDim> dims,
                                       const WindowAttrs &window);

/// Rounds the elements of `sums`, a tensor of `shape`, to `elementType`.
/// Returns `sums` itself if it has that element type already.
Value roundSums(OpBuilder &b, Location loc, Value sums,
                ArrayRef<OpFoldResult> shape, Type elementType);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLINALG_GRADIENTDIVISOR_H
