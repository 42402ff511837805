// The table of strategies for pool.window_reduce.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_WINDOWSTRATEGIES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_WINDOWSTRATEGIES_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

ArrayRef<WindowStrategy> getWindowStrategies();

/// True if `plan` treats several dimensions of its results as one, so that
/// these cannot be slices.
bool needsPackedResults(PlanAttr plan);

/// Emits `plan`, which must fit.
void emitPlan(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_WINDOWSTRATEGIES_H
