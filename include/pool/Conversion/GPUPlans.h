// Chooses plans for windows on GPUs, for operations on tensors or on buffers.
// After bufferisation, pool.window_reduce is lowered by its plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_GPUPLANS_H
#define POOL_CONVERSION_GPUPLANS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Conversion/PlanSelection.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Returns the plan for the windows of `op` on `gpu`. If `op` has the attribute
/// `pool.plan`, returns that plan, or no plan if it does not fit. Otherwise
/// returns the cheapest plan. Only pool.window_reduce and operations of
/// WindowOpInterface have plans. The loops of other operations become GPU
/// kernels without a plan. Requires that verifyLowerable() accepts `op`.
PlanSelection selectGPUPlan(Operation *op, const GPU &gpu);

/// Replaces `op`, which must be on buffers, by loops according to its plan.
/// Each iteration is for one thread, or for a subgroup of threads. Returns
/// false if `op` has no plan. Emits an error and fails if its plan does not
/// fit.
FailureOr<bool> lowerWindowByGPUPlan(RewriterBase &rewriter, WindowReduceOp op);

} // namespace mlir::pool

#endif // POOL_CONVERSION_GPUPLANS_H
