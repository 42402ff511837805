// Plans for windows on GPUs: they are chosen for operations of any form, and
// lower pool.window_reduce on buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_GPUPLANS_H
#define POOL_CONVERSION_GPUPLANS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Conversion/PlanSelection.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Returns the plan for the windows of `op` on `gpu`: its own if it has one,
/// else the cheapest. There is none if its own plan does not fit. Only
/// pool.window_reduce and operations of WindowOpInterface have one; the loops
/// of others become kernels without a plan. Requires that verifyLowerable()
/// accepts `op`.
PlanSelection selectGPUPlan(Operation *op, const GPU &gpu);

/// Replaces `op`, on buffers, by loops whose iterations are threads or
/// subgroups of threads, as its plan says. Returns false if it has no plan.
/// Fails, with an error, if its plan does not fit.
FailureOr<bool> lowerWindowByGPUPlan(RewriterBase &rewriter, WindowReduceOp op);

} // namespace mlir::pool

#endif // POOL_CONVERSION_GPUPLANS_H
