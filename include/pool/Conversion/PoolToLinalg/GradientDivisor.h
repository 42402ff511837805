// Declares functions that the lowerings of the gradients to linalg and to
// vectors share. They test windows, compute divisors and extents, and round
// sums.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLINALG_GRADIENTDIVISOR_H
#define POOL_CONVERSION_POOLTOLINALG_GRADIENTDIVISOR_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

namespace mlir::pool {

/// Returns an i1 that is true if the window at `position` of the output has an
/// element inside the input. Returns null if all windows are known to have one.
/// `dims` are the spatial dimensions of `window`.
Value hasElementInside(ElementBuilder &b, ArrayRef<SymbolicDim> dims,
                       const WindowAttrs &window, ValueRange position);

/// Returns the divisor of the average whose gradient is `op`, as a value of
/// `accType`, for the window of the output at b.getCoordinate(). Returns null
/// if the divisor is known to be 1.
Value getDivisor(ResultBuilder &b, AvgPoolGradOp op, ArrayRef<SymbolicDim> dims,
                 Type accType);

/// Returns `sizes`, the extents of an output's gradient, with each spatial
/// extent reduced to the number of windows in `dims` if it is larger. So loops
/// over the result stay in bounds even if the gradient has more elements than
/// there are windows.
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
