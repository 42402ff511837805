// Fits a pooling window to a window reduction: padding becomes the window's,
// and the rule of the pool dialect must arrive at the outputs that linalg has.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H

#include "WindowReduction.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pool {

/// A `tensor.pad` of the spatial dimensions by static amounts of a constant.
struct SpatialPadding {
  tensor::PadOp op;
  Value source;
  TypedAttr value;
  /// One for each spatial dimension.
  SmallVector<int64_t> low, high;
};

/// The padding of the input of `reduction`. On failure `reason` says what is
/// wrong with it; it is empty if there is none.
FailureOr<SpatialPadding> matchPadding(const WindowReduction &reduction,
                                       std::string &reason);

struct FittedWindow {
  /// What the window slides over, without the padding that it has taken.
  Value source;
  /// The type of what windows reach of it: less, at the end of a static
  /// extent, if the reduction has fewer outputs than windows fit.
  RankedTensorType sourceType;
  OwnedWindow window;
  /// The rule may give more outputs than the reduction has: more of the same
  /// windows at the end, to be cut off.
  bool needsSlice = false;
};

/// The window of `reduction` with the given padding, or with none. Fails where
/// no window reaches the input.
FailureOr<FittedWindow> fitWindow(const WindowReduction &reduction,
                                  const SpatialPadding *padding,
                                  std::string &reason);

/// `fitted.source`, or the part of it that windows reach.
Value createSource(OpBuilder &b, Location loc, const FittedWindow &fitted);

/// The extents of `tensor`, as its creator was given them where it is known.
SmallVector<OpFoldResult> getCreatedSizes(OpBuilder &b, Location loc,
                                          Value tensor);

/// `pooled` with the shape of the output of `reduction` and the type
/// `declared`, which has that shape.
Value restoreOutput(OpBuilder &b, Location loc,
                    const WindowReduction &reduction,
                    const FittedWindow &fitted, Value pooled, Type declared);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWFIT_H
