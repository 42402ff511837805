// The functions that convert-pool-to-vector and pool-select-plan are made of:
// they plan one operation, and lower it to vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOVECTOR_POOLTOVECTOR_H
#define POOL_CONVERSION_POOLTOVECTOR_POOLTOVECTOR_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Conversion/PlanSelection.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Returns the plan by which lowerToVector() lowers `op` for `target`: its own
/// if it has one, else the cheapest. There is none if no strategy supports
/// `op`, or if its own plan does not fit it. Builds nothing, and emits no
/// diagnostics. `op` may be any operation that verifyLowerable() accepts.
PlanSelection selectPlan(Operation *op, const Target &target);

/// Replaces `op`, an operation of the dialect, by loops over vectors, and fuses
/// the elementwise operations that alone use its results. Returns the value in
/// place of each result: of `op` or, for a fused result, of the last operation
/// that was fused. On tensors, the loops are in pool.on_buffers. There are no
/// values for operations on buffers. Run-time checks are not inserted.
///
/// Fails, with the reason for notifyMatchFailure(), if selectPlan() finds no
/// plan; the IR is then unchanged. Requires that verifyLowerable() accepts
/// `op`.
FailureOr<SmallVector<Value>>
lowerToVector(RewriterBase &rewriter, Operation *op, const Target &target);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOVECTOR_POOLTOVECTOR_H
