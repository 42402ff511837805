// The strategy for large windows that reduces one dimension after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGED_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGED_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

FailureOr<Candidate> planStaged(MLIRContext *context, const Problem &problem,
                                std::string &reason);
LogicalResult checkStagedPlan(PlanAttr plan, const Problem &problem,
                              PlanScope &scope, std::string &reason);
void emitStaged(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_STAGED_STAGED_H
