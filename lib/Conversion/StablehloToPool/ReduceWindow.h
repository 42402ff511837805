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

/// Matches a reduce_window or reduce of one tensor, and leaves `window` empty.
/// On failure, `reason` says why.
FailureOr<ReduceWindow> matchReducer(Operation *op, std::string &reason);

/// Returns the NaN mode, pad value and axis of a pooling that chooses the same
/// elements as `extremum`.
ExtremumModes getModes(const ReduceWindow &extremum);
/// True if the initial value is a constant that equals the identity of the
/// reduction.
bool startsFromIdentity(const ReduceWindow &extremum);

/// Matches a stablehlo.reduce_window of one tensor, with its window. If a
/// stablehlo.pad produces the input, it does not become part of the window.
FailureOr<ReduceWindow> matchReduceWindow(Operation *op, std::string &reason);

/// Returns the type of `value` if pooling accepts it; else null, with a
/// `reason`.
RankedTensorType getPoolableType(Value value, std::string &reason);

/// True if pool.avg_pool computes the same sum as `sum`: both sum floats, start
/// from +0, and accumulate in the same type. Otherwise `reason` says what
/// differs.
bool isExactSum(const ReduceWindow &sum, std::string &reason);

/// If a stablehlo.pad adds zeros to the input, makes it part of the window and
/// sets `sum.input` to the input of the pad. Does nothing if the window cannot
/// express the pad.
void foldZeroPadding(ReduceWindow &sum);

/// Plans the pooling of `extremum`. Fails with a `reason` if no pooling
/// operation has its window, or if the pooling cannot replace a result of type
/// `result`.
FailureOr<PlacedWindow> planExtremum(const ReduceWindow &extremum,
                                     const ExtremumModes &modes,
                                     RankedTensorType result,
                                     std::string &reason);
/// Creates, before `extremum.op`, the pooling that planExtremum() has planned.
/// Returns its values, cast to `result`.
Value createExtremum(const ReduceWindow &extremum, const PlacedWindow &placed,
                     const ExtremumModes &modes, Type result,
                     RewriterBase &rewriter);
/// Plans an average over the window of `sum`. Fails with a `reason` if
/// pool.avg_pool does not accept the window and `modes`, or if the average
/// cannot replace a result of type `result`.
FailureOr<PlacedWindow> planAverage(const ReduceWindow &sum,
                                    const AverageModes &modes,
                                    RankedTensorType result,
                                    std::string &reason);
/// Creates, before `op`, the average that planAverage() has planned. `op` is
/// the sum or its division. Returns the average, cast to `result`.
Value createAverage(Operation *op, const PlacedWindow &placed,
                    const AverageModes &modes, Type result,
                    RewriterBase &rewriter);

/// Raises a maximum or minimum. This and the functions below replace the
/// operation and emit a remark. If they fail, they change nothing, and `reason`
/// says why or is empty.
LogicalResult raiseExtremum(ReduceWindow extremum, RewriterBase &rewriter,
                            std::string &reason);
/// Raises a reduction of pairs of values and positions to an extremum with
/// indices.
LogicalResult raiseIndexedExtremum(Operation *op, RewriterBase &rewriter,
                                   std::string &reason);
/// Raises a sum to an average with `divisor_override` 1. If `reason` is not
/// empty on entry, it says why no other average is possible, and becomes part
/// of the remark.
LogicalResult raiseSum(ReduceWindow sum, RewriterBase &rewriter,
                       std::string &reason);
/// Raises the division of a window sum, or its multiplication by an exact
/// reciprocal, to an average. The divisor must be a constant, or a sum of ones
/// over the same windows.
LogicalResult raiseAverage(Operation *division, RewriterBase &rewriter,
                           std::string &reason);
/// Raises a stablehlo.reduce over whole dimensions to a pooling with one
/// window.
LogicalResult raiseReduce(Operation *op, RewriterBase &rewriter,
                          std::string &reason);
/// Raises the division of a stablehlo.reduce over whole dimensions to an
/// average. The divisor must be a constant that equals the number of reduced
/// elements.
LogicalResult raiseGlobalAverage(Operation *division, RewriterBase &rewriter,
                                 std::string &reason);
/// Raises a window sum with base dilations to the gradient of a sum or of an
/// average.
LogicalResult raiseSumGrad(ReduceWindow sum, RewriterBase &rewriter,
                           std::string &reason);
/// Raises a stablehlo.select_and_scatter to the gradient of an extremum.
LogicalResult raiseSelectAndScatter(Operation *op, RewriterBase &rewriter,
                                    std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_REDUCEWINDOW_H
