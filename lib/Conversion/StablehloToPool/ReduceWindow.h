// stablehlo.reduce_window, checked, with the padding of its input folded in.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_REDUCEWINDOW_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_REDUCEWINDOW_H

#include "HloWindow.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// A reduction of one tensor by a maximum, minimum or sum.
struct ReduceWindow {
  Operation *op;
  /// Max, Min or Sum.
  Reduction reduction;
  Value input;
  Value init;
  HloWindow window;

  RankedTensorType getInputType() const {
    return cast<RankedTensorType>(input.getType());
  }
  RankedTensorType getType() const {
    return cast<RankedTensorType>(op->getResult(0).getType());
  }
};

/// Recognises a reduction of one tensor, whose window is left empty.
FailureOr<ReduceWindow> matchReducer(Operation *op, std::string &reason);

/// How pooling says what an extremum chooses.
ExtremumModes getModes(const ReduceWindow &extremum);
/// True if an extremum starts from what it never prefers.
bool startsFromIdentity(const ReduceWindow &extremum);

/// Recognises a stablehlo.reduce_window of one tensor. Its window is as it
/// stands: padding of the input is not folded.
FailureOr<ReduceWindow> matchReduceWindow(Operation *op, std::string &reason);

/// The type of `value` if it is a ranked tensor that pooling takes; null, with
/// a `reason`, otherwise.
RankedTensorType getPoolableType(Value value, std::string &reason);

/// True for a sum that starts from zero and is made in the type that
/// pool.avg_pool accumulates in; else `reason` says what it does.
bool isExactSum(const ReduceWindow &sum, std::string &reason);

/// Folds what pads the input of a sum with zero.
void foldZeroPadding(ReduceWindow &sum);

/// Raises a maximum or minimum.
LogicalResult raiseExtremum(ReduceWindow extremum, RewriterBase &rewriter,
                            std::string &reason);
/// Raises a reduction of values and positions to an extremum with indices.
LogicalResult raiseIndexedExtremum(Operation *op, RewriterBase &rewriter,
                                   std::string &reason);
/// Raises a sum to an average with `divisor_override` 1. `reason` may say why
/// to no other average, and is then part of the remark.
LogicalResult raiseSum(ReduceWindow sum, RewriterBase &rewriter,
                       std::string &reason);
/// Raises a division, or an exact multiplication, of a sum.
LogicalResult raiseAverage(Operation *division, RewriterBase &rewriter,
                           std::string &reason);
/// Raises a stablehlo.reduce over whole dimensions, and the division of one.
LogicalResult raiseReduce(Operation *op, RewriterBase &rewriter,
                          std::string &reason);
LogicalResult raiseGlobalAverage(Operation *division, RewriterBase &rewriter,
                                 std::string &reason);
/// Raises a sum over a dilated base, the gradient of a sum or an average.
LogicalResult raiseSumGrad(ReduceWindow sum, RewriterBase &rewriter,
                           std::string &reason);
/// Raises a stablehlo.select_and_scatter.
LogicalResult raiseSelectAndScatter(Operation *op, RewriterBase &rewriter,
                                    std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_REDUCEWINDOW_H
