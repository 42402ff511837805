// Fits a pooling window to a window reduction. The padding of the input becomes
// padding of the window, and the window rule must give the output extents of
// the linalg op.
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
  /// Type of the slice of `source` that windows cover. A static extent may be
  /// smaller than in `source` if the reduction has fewer outputs than there are
  /// windows that fit.
  RankedTensorType sourceType;
  OwnedWindow window;
  /// True if the window rule may give more outputs than the reduction has. The
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

/// Returns `fitted.source`, or the slice of it that windows cover.
Value createSource(OpBuilder &b, Location loc, const FittedWindow &fitted);

/// Returns the extents of `tensor`, from its defining op's operands if
/// possible, else by tensor.dim.
SmallVector<OpFoldResult> getCreatedSizes(OpBuilder &b, Location loc,
                                          Value tensor);

/// Gives `pooled` the shape of the output of `reduction` and the type
/// `declared`, which has that shape.
Value restoreOutput(OpBuilder &b, Location loc,
                    const WindowReduction &reduction,
                    const FittedWindow &fitted, Value pooled, Type declared);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
