// Plans one operation, and lowers it to vectors, as pool-select-plan and
// convert-pool-to-vector do with all operations of a function.
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

/// Replaces `op`, an operation of the dialect, by loops over vectors. Fuses an
/// elementwise operation if it is the only user of a result. Returns one value
/// for each result of `op`: it replaces the result or, if operations were
/// fused, that of the last one. The list is empty for operations on buffers. On
/// tensors, the loops are in pool.on_buffers. Operations that this creates are
/// lowered, too, unless there is no plan for them. Inserts no run-time checks.
/// Moves the insertion point of `rewriter`.
///
/// Fails, with the reason for notifyMatchFailure(), if selectPlan() finds no
/// plan; the IR is then unchanged. Requires that verifyLowerable() accepts
/// `op`.
FailureOr<SmallVector<Value>>
lowerToVector(RewriterBase &rewriter, Operation *op, const Target &target);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOVECTOR_POOLTOVECTOR_H
