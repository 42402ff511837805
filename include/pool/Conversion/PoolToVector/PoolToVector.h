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

/// Returns the plan by which lowerToVector() lowers `op` for `target`: the
/// attribute `pool.plan` if `op` has it, else the cheapest plan. The result has
/// no plan if no strategy supports `op`, or if its `pool.plan` does not fit.
/// Builds nothing, and emits no diagnostics. `op` may be any operation that
/// verifyLowerable() accepts.
PlanSelection selectPlan(Operation *op, const Target &target);

/// Replaces `op`, an operation of the dialect, by loops over vectors. Fuses an
/// elementwise operation if it is the only user of a result of `op`. Returns
/// one value for each result of `op`. The value has replaced that result or, if
/// operations were fused into it, the result of the last fused operation. The
/// list is empty for operations on buffers. On tensors, the loops are in
/// pool.on_buffers. Pooling operations that the lowering creates are lowered
/// too, if there is a plan for them. Inserts no run-time checks. Moves the
/// insertion point of `rewriter`.
///
/// Fails, with the reason for notifyMatchFailure(), if selectPlan() finds no
/// plan; the IR is then unchanged. Requires that verifyLowerable() accepts
/// `op`.
FailureOr<SmallVector<Value>>
lowerToVector(RewriterBase &rewriter, Operation *op, const Target &target);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOVECTOR_POOLTOVECTOR_H
