// The table of strategies for pool.window_reduce.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_STRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_STRATEGY_H

#include "Emit/WindowKernel.h"
#include "Plan/Choice.h"

namespace mlir::pool {

using WindowStrategy = Strategy<Problem, WindowKernel>;
ArrayRef<WindowStrategy> getWindowStrategies();

/// Builds what `plan`, which fits, says.
void emitPlan(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLAN_STRATEGY_H
