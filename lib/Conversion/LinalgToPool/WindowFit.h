// Fits a pooling window to a window reduction: padding becomes the window's,
// and the pool dialect's rule must give the output extents that linalg has.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H

#include "WindowReduction.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pool {

/// A `tensor.pad` of the spatial dimensions by a constant, with static amounts.
struct SpatialPadding {
  tensor::PadOp op;
  Value source;
  TypedAttr value;
  /// One amount for each spatial dimension.
  SmallVector<int64_t> low, high;
};

/// Matches the padding of the input of `reduction`. On failure `reason` says
/// what is wrong with it; it is empty if there is none.
FailureOr<SpatialPadding> matchPadding(const WindowReduction &reduction,
                                       std::string &reason);

struct FittedWindow {
  /// The pooling's input: without the padding that became the window's.
  Value source;
  /// Type of the part of it that windows cover. A static extent is smaller than
  /// the source's if the reduction has fewer outputs than windows fit.
  RankedTensorType sourceType;
  OwnedWindow window;
  /// The rule may give more outputs than the reduction has; the surplus windows
  /// at the end are cut off.
  bool needsSlice = false;
};

/// Fits the window of `reduction` with the given padding, or with none. Fails
/// if no window reaches the input.
FailureOr<FittedWindow> fitWindow(const WindowReduction &reduction,
                                  const SpatialPadding *padding,
                                  std::string &reason);

/// `fitted.source`, or a slice of the part that windows cover.
Value createSource(OpBuilder &b, Location loc, const FittedWindow &fitted);

/// Extents of `tensor`: its creator's operands where known, else tensor.dim.
SmallVector<OpFoldResult> getCreatedSizes(OpBuilder &b, Location loc,
                                          Value tensor);

/// Gives `pooled` the shape of the output of `reduction` and the type
/// `declared`, which has that shape.
Value restoreOutput(OpBuilder &b, Location loc,
                    const WindowReduction &reduction,
                    const FittedWindow &fitted, Value pooled, Type declared);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
