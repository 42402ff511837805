// Matches stablehlo.reduce_window and stablehlo.reduce, and raises them.
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

/// Matches a reduction of one tensor, but does not read its window.
FailureOr<ReduceWindow> matchReducer(Operation *op, std::string &reason);

/// Returns the modes of the pooling that chooses as `extremum` does.
ExtremumModes getModes(const ReduceWindow &extremum);
/// True if the initial value is known to be the identity of the reduction.
bool startsFromIdentity(const ReduceWindow &extremum);

/// Matches a stablehlo.reduce_window of one tensor. Does not fold a pad of its
/// input into the window.
FailureOr<ReduceWindow> matchReduceWindow(Operation *op, std::string &reason);

/// Returns the type of `value` if pooling takes it; else null, with a `reason`.
RankedTensorType getPoolableType(Value value, std::string &reason);

/// True if a sum starts from zero and accumulates in the same type as
/// pool.avg_pool; else `reason` says how it differs.
bool isExactSum(const ReduceWindow &sum, std::string &reason);

/// Folds a stablehlo.pad of the input by zeros into the window, if it can.
void foldZeroPadding(ReduceWindow &sum);

/// Places the window of `extremum`, and checks that its pooling, with the unit
/// dimensions removed, can replace a result of type `result`.
FailureOr<PlacedWindow> planExtremum(const ReduceWindow &extremum,
                                     const ExtremumModes &modes,
                                     RankedTensorType result,
                                     std::string &reason);
/// Creates this pooling before `extremum.op`.
Value createExtremum(const ReduceWindow &extremum, const PlacedWindow &placed,
                     const ExtremumModes &modes, Type result,
                     RewriterBase &rewriter);
/// Plans the average over the window of `sum` likewise.
FailureOr<PlacedWindow> planAverage(const ReduceWindow &sum,
                                    const AverageModes &modes,
                                    RankedTensorType result,
                                    std::string &reason);
/// Creates the average before `op`, the sum or its division.
Value createAverage(Operation *op, const PlacedWindow &placed,
                    const AverageModes &modes, Type result,
                    RewriterBase &rewriter);

/// Raises a maximum or minimum.
LogicalResult raiseExtremum(ReduceWindow extremum, RewriterBase &rewriter,
                            std::string &reason);
/// Raises a reduction of values and positions to an extremum with indices.
LogicalResult raiseIndexedExtremum(Operation *op, RewriterBase &rewriter,
                                   std::string &reason);
/// Raises a sum to an average with `divisor_override` 1. A `reason` on entry
/// says why no other average fits, and becomes part of the remark.
LogicalResult raiseSum(ReduceWindow sum, RewriterBase &rewriter,
                       std::string &reason);
/// Raises the division of a window sum, or its multiplication by an exact
/// reciprocal, to an average.
LogicalResult raiseAverage(Operation *division, RewriterBase &rewriter,
                           std::string &reason);
/// Raises a stablehlo.reduce over whole dimensions.
LogicalResult raiseReduce(Operation *op, RewriterBase &rewriter,
                          std::string &reason);
/// Raises the division of a stablehlo.reduce over whole dimensions to an
/// average. The divisor must be a constant.
LogicalResult raiseGlobalAverage(Operation *division, RewriterBase &rewriter,
                                 std::string &reason);
/// Raises a window sum with base dilations: the gradient of a sum or an
/// average.
LogicalResult raiseSumGrad(ReduceWindow sum, RewriterBase &rewriter,
                           std::string &reason);
/// Raises a stablehlo.select_and_scatter.
LogicalResult raiseSelectAndScatter(Operation *op, RewriterBase &rewriter,
                                    std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_REDUCEWINDOW_H
