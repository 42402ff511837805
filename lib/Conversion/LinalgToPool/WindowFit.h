// Finds the pooling window that computes a window reduction of linalg. A
// tensor.pad of the input becomes padding of the window.
//
// A linalg operation declares how many outputs it has. A pooling computes this
// number from its window, by the window rule: floor((input + pads - window
// extent) / stride) + 1. The fit makes both numbers equal.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H

#include "WindowReduction.h"

namespace mlir::pool {

struct FittedWindow {
  /// Input of the pooling. If a tensor.pad becomes padding of the window, this
  /// is the input of the tensor.pad.
  Value source;
  /// Type of the slice of `source` that is the input of the pooling. A static
  /// extent is smaller than in `source` if the reduction has fewer outputs than
  /// windows fit into `source`.
  RankedTensorType sourceType;
  OwnedWindow window;
  /// True if the pooling may have more outputs than the reduction. Then the
  /// surplus outputs at the end are sliced off.
  bool needsSlice = false;
};

/// Converts the window of `reduction` to the window of a pooling operation. The
/// tensor.pad of the input becomes padding of the window if `takesPadding`
/// returns true for the padding value. Otherwise the tensor.pad stays and
/// `keptPadding` says why. Without a tensor.pad, `keptPadding` is empty. Fails,
/// with a `reason`, if a dimension has no windows, if the windows do not reach
/// the input, or if the channel extent may be 0.
FailureOr<FittedWindow>
fitWindow(const WindowReduction &reduction,
          llvm::function_ref<bool(TypedAttr)> takesPadding,
          std::string &keptPadding, std::string &reason);

/// Returns `fitted.source` or, if its type is not `fitted.sourceType`, a slice
/// of that type.
Value createSource(OpBuilder &b, Location loc, const FittedWindow &fitted);

/// Returns the extents of `tensor`. If the operation that creates `tensor` has
/// an extent as operand, returns that operand. Otherwise creates a tensor.dim
/// for a dynamic extent.
SmallVector<OpFoldResult> getCreatedSizes(OpBuilder &b, Location loc,
                                          Value tensor);

/// Slices surplus outputs off `pooled` if `fitted.needsSlice`, then casts it to
/// `declared`.
Value restoreOutput(OpBuilder &b, Location loc,
                    const WindowReduction &reduction,
                    const FittedWindow &fitted, Value pooled, Type declared);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
