// The strategy for windows that are whole planes of channels-first buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_GLOBAL_GLOBAL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_GLOBAL_GLOBAL_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

FailureOr<Candidate> planGlobal(MLIRContext *context, const Problem &problem,
                                std::string &reason);
LogicalResult checkGlobalPlan(PlanAttr plan, const Problem &problem,
                              PlanScope &scope, std::string &reason);
/// Emits a test that windows are whole planes; null if that is known.
Value createGlobalCondition(WindowKernel &kernel, PlanAttr plan);
void emitGlobal(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_GLOBAL_GLOBAL_H
