// The strategy for any windows: loops over taps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_DIRECT_DIRECT_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_DIRECT_DIRECT_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

FailureOr<Candidate> planDirect(MLIRContext *context, const Problem &problem,
                                std::string &reason);
LogicalResult checkDirectPlan(PlanAttr plan, const Problem &problem,
                              PlanScope &scope, std::string &reason);
void emitDirect(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_DIRECT_DIRECT_H
